/** Commands, flags and help texts. What a command does is loaded when it is called. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { examples, type JsonFlag, withVerbose } from './help.ts';
import { addApprovals } from './program-approvals.ts';
import { addCrashtest } from './program-crashtest.ts';
import { addInspectCommands } from './program-inspect.ts';
import { addPermissions } from './program-permissions.ts';
import { addReadingCommands } from './program-reading.ts';
import { addRestate } from './program-restate.ts';
import { addResume } from './program-resume.ts';
import { addRun } from './program-run.ts';
import { addTokens } from './program-tokens.ts';
import { addTrial } from './program-trial.ts';

/** @param exit gets the exit code of the command that was called */
export function buildProgram(exit: (code: number) => void): Command {
  const program = new Command('pawl')
    .description('Runs an LLM agent as an explicit state machine: saved before acted, never past a limit.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(true);
  addRun(program, exit);
  addResume(program, exit);
  addApprovals(program, exit);
  addTrial(program, exit);
  addCrashtest(program, exit);
  addReadingCommands(program, exit);
  addTokens(program, exit);
  addPermissions(program, exit);
  addInspectCommands(program, exit);
  addRestate(program, exit);
  addDiagram(program, exit);
  addExitCodes(program, exit);
  addDoctor(program, exit);
  return program.addHelpText(
    'after',
    examples(
      ['pawl run "Why does the build fail?"', 'reads are free, effects ask'],
      ['pawl run --yes "Add a test for parse()"', 'nothing asks'],
      ['pawl resume --last', 'go on after a crash, a Ctrl-C, a limit'],
      ['pawl runs', 'what runs there are'],
      ['pawl show RUN', 'what became of one'],
      ['pawl inspect RUN', 'the same on a page'],
      ['pawl doctor', 'is everything there?'],
    ),
  );
}

function addDiagram(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('diagram'))
    .summary('print the chart of the loop machine')
    .description('Prints the chart of the loop machine.')
    .option('--json', 'states and transitions as JSON instead of Mermaid')
    .addHelpText('after', examples(['pawl diagram > loop.mmd'], ['pawl diagram --json']))
    .action(async ({ json }: JsonFlag) => {
      const { diagramCommand } = await import('./commands/diagram.ts');
      exit(diagramCommand(json === true));
    });
}

function addExitCodes(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('exit-codes'))
    .summary('list what every exit code means')
    .description('Lists what every exit code means.')
    .option('--json', 'as one JSON document')
    .addHelpText('after', examples(['pawl exit-codes'], ['pawl exit-codes --json']))
    .action(async ({ json }: JsonFlag) => {
      const { exitCodesCommand } = await import('./commands/exit-codes.ts');
      exit(exitCodesCommand(json === true));
    });
}

function addDoctor(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('doctor'))
    .summary('check what a run needs')
    .description('Checks what a run needs. Asks no model and creates nothing.')
    .option('-C, --cd <folder>', 'folder to work in')
    .option('--json', 'as one JSON document')
    .addHelpText('after', examples(['pawl doctor'], ['pawl doctor --json']))
    .action(async ({ json, cd }: JsonFlag & { readonly cd?: string }) => {
      const { doctorCommand } = await import('./commands/doctor.ts');
      exit(await doctorCommand(cd, json === true));
    });
}
