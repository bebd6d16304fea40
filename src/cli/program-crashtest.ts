import type { Command } from 'commander';
import type { CrashtestFlags } from './commands/crashtest.ts';
import { examples, withVerbose } from './help.ts';

export function addCrashtest(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('crashtest'))
    .summary('kill a scripted run at every instant and see what is left')
    .description(
      'Plays a task again and again and kills its process (SIGKILL) before and after each record and around each ' +
        'request and call, once at each of these instants. Then the run is taken up, and what came of it is compared ' +
        'with an undisturbed run. Prints how many effects were done twice, how many records were lost, how many ' +
        'histories the service would refuse and how many ends differ. The exit code is 0 where all are 0, else 1.\n' +
        'Works in copies of the workspace and allows every call, as with --yes; with --sandbox off, what commands do ' +
        'elsewhere, they do each time. The script needs a reply for a call whose outcome is unknown.',
    )
    .argument('<task...>', 'what is to be done; "-" reads it from standard input')
    .requiredOption('--script <file>', 'the replies of the model')
    .option('--agent <file>', 'agent file: Markdown with settings in front')
    .option('-C, --cd <folder>', 'folder that is copied for the tools to work in')
    .option('--tools <names>', 'only these tools, separated by commas')
    .option(
      '--sandbox <mode>',
      'require a sandbox, or off; auto: calls are denied where there is none (default: require)',
    )
    .option('--tool-timeout <time>', 'time limit of a bash or run_python call')
    .option('--max-turns <n>', 'stop after n replies (default: 50)')
    .option('--token-budget <n>', 'stop at n tokens')
    .option('--max-output-tokens <n>', 'output limit of a reply')
    .option('--max-tool-calls <n>', 'stop before more than n calls')
    .option('--no-summary', 'no last turn without tools after a limit')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['pawl crashtest --script replies.yaml "task"'],
        ['pawl crashtest --script replies.yaml --agent agent.md --json "task" | jq .failures'],
      ),
    )
    .action(async (words: string[], flags: CrashtestFlags) => {
      const { crashtestCommand } = await import('./commands/crashtest.ts');
      exit(await crashtestCommand(words, flags));
    });
  // For crashtest alone, and of no use to a person: it reads what crashtest wrote.
  program
    .command('crash-child', { hidden: true })
    .argument('<plan>')
    .action(async (plan: string) => {
      const { crashChildCommand } = await import('./commands/crash-child.ts');
      exit(await crashChildCommand(plan));
    });
}
