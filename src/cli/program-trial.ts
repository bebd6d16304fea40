import type { Command } from 'commander';
import type { TrialFlags } from './commands/trial.ts';
import { collect, examples, withVerbose } from './help.ts';
import { addTaskOptions } from './program-run.ts';

export function addTrial(program: Command, exit: (code: number) => void): void {
  const command = withVerbose(program.command('trial'))
    .summary('repeat a task and see how often it succeeds')
    .description(
      'Runs a task again and again, each time in a fresh copy of the folder and with a journal of its own, and tells how often ' +
        'it is done: pass@k (at least one of k runs passes) and pass^k (all of k do), both with 95 % intervals, the spread of ' +
        'turns, tokens and cost, and the first record in which two runs part.\n' +
        'A run passes if it is answered, and its check passes where there is one. The copies are removed, the journals stay.\n' +
        'The exit code is 0 if all runs were made, 12 if the money was not enough for all of them, 1 if a run broke down or its ' +
        'check could not be started (exit code 126 or 127): no further one is begun then, and that one is not counted.',
    )
    .argument('<task...>', 'what is to be done; "-" reads it from standard input')
    .optionsGroup('Trial:')
    .option('--runs <n>', 'how many runs', '10')
    .option('--concurrency <n>', 'how many at the same time', '2')
    .option('--check <command>', 'grades each answer by its exit code; like --verify, but nothing is mended')
    .option('--max-total-usd <sum>', 'for all runs together (--max-budget-usd is for each)')
    .option('--json', 'as one JSON document');
  addTaskOptions(command);
  command
    .optionsGroup('Output:')
    .option(
      '--redact <pattern>',
      'take out of results what fits this regular expression (repeatable)',
      collect,
    )
    .addHelpText(
      'after',
      examples(
        ['pawl trial --yes --runs 10 --check "npm test" "Fix the failing test"'],
        ['pawl trial --yes --max-total-usd 2 --json "task" | jq .pass'],
      ),
    )
    .action(async (words: string[], flags: TrialFlags) => {
      const { trialCommand } = await import('./commands/trial.ts');
      exit(await trialCommand(words, flags));
    });
}
