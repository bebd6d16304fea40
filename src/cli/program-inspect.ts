/** The page, and the commands that steer a run from another terminal. What they do is loaded when they are called. */
import type { Command } from 'commander';
import type { Command as Order } from '../inspector/protocol.ts';
import type { ExportFlags } from './commands/export.ts';
import type { InspectCommandFlags } from './commands/inspect.ts';
import { examples, LAST, withRestate, withVerbose } from './help.ts';

type Exit = (code: number) => void;

const RUN = 'id of a run, the beginning of one, or the path of its journal';

export function addInspectCommands(program: Command, exit: Exit): void {
  addInspect(program, exit);
  addExport(program, exit);
  addSteering(program, exit, 'pause', 'let the next effect of a run wait', [{ command: 'pause' }]);
  addSteering(program, exit, 'step', 'let one effect of a run pass', [{ command: 'step' }]);
  addSteering(program, exit, 'continue', 'let a run go on', [{ command: 'continue' }]);
  addBreak(program, exit);
}

function addInspect(program: Command, exit: Exit): void {
  withRestate(withVerbose(program.command('inspect')))
    .summary('show runs on a page')
    .description(
      'Shows runs on a page of this machine, until Ctrl-C: those that are over, and those that other processes are at ' +
        'work on. Prints the address. A run that was started with --inspect has a page of its own, where it can be steered.',
    )
    .argument('[run]', `${RUN}; without one, all are listed`)
    .option('--port <n>', 'port of the page (default: one that is free)')
    .option('--no-open', 'print the address, and open no browser')
    .option('--demo', 'play scripts step by step on the page, without a run')
    .addHelpText(
      'after',
      examples(['pawl inspect'], ['pawl inspect 20261130-094512-k3x9q'], ['pawl inspect --demo']),
    )
    .action(async (run: string | undefined, flags: InspectCommandFlags) => {
      const { inspectCommand } = await import('./commands/inspect.ts');
      exit(await inspectCommand(run, flags));
    });
}

function addExport(program: Command, exit: Exit): void {
  withVerbose(program.command('export'))
    .summary('write a run as one HTML file')
    .description(
      'Writes a run as one HTML file that opens in any browser, without pawl and without a network. What was redacted in ' +
        'the journal is redacted in it.',
    )
    .argument('[run]', RUN)
    .option(...LAST)
    .option('--html [file]', 'where to; "-" is standard output (default: RUN.html in the current folder)')
    .addHelpText(
      'after',
      examples(['pawl export 20261130-09 --html'], ['pawl export 20261130-09 --html run.html']),
    )
    .action(async (run: string | undefined, flags: ExportFlags) => {
      const { exportCommand } = await import('./commands/export.ts');
      exit(await exportCommand(run, flags));
    });
}

function addSteering(
  program: Command,
  exit: Exit,
  name: string,
  summary: string,
  orders: readonly Order[],
): void {
  withVerbose(program.command(name))
    .summary(summary)
    .description(
      `Steers a run that was started with --inspect or --break: ${summary}. Prints where it stands then.`,
    )
    .argument('<run>', RUN)
    .addHelpText('after', examples([`pawl ${name} 20261130-094512-k3x9q`]))
    .action(async (run: string) => {
      const { steerCommand } = await import('./commands/steer.ts');
      exit(await steerCommand(run, orders));
    });
}

function addBreak(program: Command, exit: Exit): void {
  withVerbose(program.command('break'))
    .summary('set breakpoints of a run')
    .description(
      'Sets breakpoints of a run that was started with --inspect or --break. It is held before the next effect behind a ' +
        'state (executing), a transition (asking->backingOff), or before each call of a tool (tool:bash).',
    )
    .argument('<run>', RUN)
    .argument('<place...>', 'states, transitions, tools')
    .option('--remove', 'take them away')
    .addHelpText(
      'after',
      examples(['pawl break 20261130-09 executing tool:bash'], ['pawl break 20261130-09 executing --remove']),
    )
    .action(async (run: string, places: string[], { remove }: { readonly remove?: true }) => {
      const { steerCommand } = await import('./commands/steer.ts');
      const command = remove ? 'unbreak' : 'break';
      exit(
        await steerCommand(
          run,
          places.map((at) => ({ command, at })),
        ),
      );
    });
}
