/** The commands by which a person decides about calls of suspended runs. What they do is loaded when they are called. */
import type { Command } from 'commander';
import type { DecideFlags } from './commands/decide.ts';
import type { EngineFlags } from './engine.ts';
import { examples, type JsonFlag, withRestate, withVerbose } from './help.ts';

type Exit = (code: number) => void;

export function addApprovals(program: Command, exit: Exit): void {
  withRestate(withVerbose(program.command('approvals')))
    .summary('list the calls that wait for an approval')
    .description(
      'Lists the calls that wait for an approval, of all suspended runs. At a run that is at work, its terminal asks.',
    )
    .option('--json', 'as one JSON document')
    .addHelpText('after', examples(['pawl approvals'], ['pawl approvals --json']))
    .action(async ({ json, ...engine }: JsonFlag & EngineFlags) => {
      const { approvalsCommand } = await import('./commands/approvals.ts');
      exit(await approvalsCommand(json === true, engine));
    });
  addDecision(program, exit, true);
  addDecision(program, exit, false);
}

function addDecision(program: Command, exit: Exit, granted: boolean): void {
  const name = granted ? 'approve' : 'deny';
  const command = withRestate(withVerbose(program.command(name)))
    .summary(`${granted ? 'allow' : 'deny'} calls of a suspended run`)
    .description(
      `${granted ? 'Allows' : 'Denies'} calls of a suspended run, each as it was shown: the decision is bound to tool and input.\n` +
        'Nothing is run before the run is resumed.',
    )
    .usage('[options] RUN CALL...')
    .argument('[run]', 'id of a run, or the beginning of one')
    .argument('[call...]', 'ids of calls, or their beginnings (pawl approvals lists what waits)')
    .option('--last', 'the newest run, in place of RUN')
    .option('--hash <hash>', 'of the one call: refused if its tool or input is another than this hash says');
  if (!granted) command.option('--reason <text>', 'what the model is told');
  command
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      granted
        ? examples(['pawl approve 20261130-09 toolu_1 toolu_3'], ['pawl approve --last toolu_1'])
        : examples(['pawl deny 20261130-09 toolu_2 --reason "Use npm ci."'], ['pawl deny --last toolu_2']),
    )
    .action(async (run: string | undefined, calls: string[], flags: DecideFlags) => {
      const { decideCommand } = await import('./commands/decide.ts');
      exit(await decideCommand(run === undefined ? [] : [run, ...calls], flags, granted));
    });
}
