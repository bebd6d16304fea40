/** Commands, flags and help texts. What a command does is loaded when it is called. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { collect, examples, type JsonFlag, withVerbose } from './help.ts';
import { addCrashtest } from './program-crashtest.ts';
import { addReadingCommands } from './program-reading.ts';
import { addResume } from './program-resume.ts';
import type { RunFlags } from './run-flags.ts';

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
  addCrashtest(program, exit);
  addReadingCommands(program, exit);
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
      ['pawl doctor', 'is everything there?'],
    ),
  );
}

function addRun(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('run'))
    .summary('run a task')
    .description(
      'Runs a task in the current folder. The answer goes to standard output, everything else to standard error.\n' +
        'A flag wins over the agent file, the agent file over the environment.',
    )
    .argument(
      '<task...>',
      'what is to be done; "-" reads it from standard input. One that begins with a dash goes behind --',
    )
    .option('-m, --model <id>', 'model (else ANTHROPIC_MODEL, MODEL_ID, a default)')
    .option('-C, --cd <folder>', 'folder that the tools work in (.env is read where pawl is started)')
    .option('--agent <file>', 'agent file: Markdown with settings in front')
    .option('--script <file>', 'play the replies of a script instead of asking a model')
    .option('--system-prompt <text>', 'replace the system prompt')
    .option('--append-system-prompt <text>', 'add to the system prompt')
    .option('--effort <level>', 'low, medium, high, xhigh or max')
    .option('--tools <names>', 'only these tools, separated by commas')
    .option('--tool-timeout <seconds>', 'time limit of a bash or run_python call (default: 120 and 30)')
    .option('--yes', 'run every call without asking')
    .option('--max-turns <n>', 'stop after n replies (default: 50)')
    .option('--token-budget <n>', 'stop at n tokens, cached ones included')
    .option('--max-output-tokens <n>', 'output limit of a reply (default: 16384)')
    .option('--max-tool-calls <n>', 'stop before more than n calls')
    .option('--no-summary', 'no last turn without tools after a limit')
    .option('--output-format <format>', 'text, json or stream-json', 'text')
    .option('--transcript <file>', 'write the message list to a file at the end')
    .option(
      '--redact <pattern>',
      'take out of results what fits this regular expression (repeatable)',
      collect,
    )
    .option('--ephemeral', 'keep no journal')
    .addHelpText(
      'after',
      examples(
        ['pawl run "Which of these tests are slow, and why?"'],
        ['pawl run --yes --max-turns 20 "Fix the failing test"'],
        ['git diff | pawl run - --agent reviewer.md --output-format json'],
        ['pawl run --script replies.yaml "task"', 'no key needed'],
      ),
    )
    .action(async (words: string[], flags: RunFlags) => {
      const { runCommand } = await import('./commands/run.ts');
      exit(await runCommand(words, flags));
    });
}

function addDiagram(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('diagram'))
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
    .description('Checks what a run needs. Asks no model and creates nothing.')
    .option('-C, --cd <folder>', 'folder to work in')
    .option('--json', 'as one JSON document')
    .addHelpText('after', examples(['pawl doctor'], ['pawl doctor --json']))
    .action(async ({ json, cd }: JsonFlag & { readonly cd?: string }) => {
      const { doctorCommand } = await import('./commands/doctor.ts');
      exit(await doctorCommand(cd, json === true));
    });
}
