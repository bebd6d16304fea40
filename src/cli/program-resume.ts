import type { Command } from 'commander';
import { examples, withVerbose } from './help.ts';
import {
  addCheckOptions,
  addInspectOptions,
  addOutputOptions,
  addPermissionOptions,
  addRequestOptions,
  addTimeOptions,
} from './program-run.ts';
import type { ResumeFlags } from './run-flags.ts';

export function addResume(program: Command, exit: (code: number) => void): void {
  const command = withVerbose(program.command('resume'))
    .summary('go on with a run')
    .description(
      'Goes on with a run that was interrupted, stopped at a limit, cancelled, or has answered and gets more to do.\n' +
        'Model, system prompt and tool list stay as recorded; permissions are given anew.',
    )
    .usage('[options] RUN [INSTRUCTION...]')
    .argument('[run]', 'id of a run, or the beginning of one')
    .argument('[instruction...]', 'what the model is told; "-" reads it from standard input')
    .option('--last', 'the newest run, in place of RUN')
    .option('-c, --continue', 'the newest run that works in this folder, in place of RUN')
    .option('-C, --cd <folder>', 'where the workspace is now')
    .option('--agent <file>', 'where the agent file is now')
    .option('--tool-timeout <time>', 'time limit of a bash or run_python call');
  addPermissionOptions(command);
  addCheckOptions(command);
  command
    .optionsGroup('Model:')
    .option('--script <file>', 'play this script from its first reply (a recorded one goes on where it was)');
  addRequestOptions(command);
  command
    .optionsGroup('Limits (from here on):')
    .option('--max-turns <n>', 'new turn limit, or +n for so much more')
    .option('--token-budget <n>', 'new token budget, or +n')
    .option('--max-budget-usd <sum>', 'new money budget, or +sum')
    .option('--max-tool-calls <n>', 'new limit on calls, or +n')
    .option('--max-output-tokens <n>', 'new output limit of a reply, or +n');
  addTimeOptions(command);
  addOutputOptions(command);
  addInspectOptions(command);
  command
    .addHelpText(
      'after',
      examples(
        ['pawl resume --last', 'after a crash or a Ctrl-C'],
        ['pawl resume 20261130-094512-k3x9q --max-turns +10', 'after its turn limit'],
        ['pawl resume -c "Now add a test for it"', 'after its answer'],
      ),
    )
    .action(async (run: string | undefined, instruction: string[], flags: ResumeFlags) => {
      const { resumeCommand } = await import('./commands/resume.ts');
      exit(await resumeCommand(run === undefined ? [] : [run, ...instruction], flags));
    });
}
