import type { Command } from 'commander';
import { collect, examples, withVerbose } from './help.ts';
import type { RunFlags } from './run-flags.ts';

export function addRun(program: Command, exit: (code: number) => void): void {
  const command = withVerbose(program.command('run'))
    .summary('run a task')
    .description(
      'Runs a task in the current folder. The answer goes to standard output, everything else to standard error.\n' +
        'A flag wins over the agent file, the agent file over the environment.',
    )
    .argument(
      '<task...>',
      'what is to be done; "-" reads it from standard input. One that begins with a dash goes behind --',
    );
  addTaskOptions(command);
  addOutputOptions(command);
  command.option('--ephemeral', 'keep no journal');
  addInspectOptions(command);
  command
    .addHelpText(
      'after',
      examples(
        ['pawl run "Which of these tests are slow, and why?"'],
        ['pawl run --yes --max-budget-usd 0.50 "Fix the failing test"'],
        ['pawl run --yes --verify "npm test" "Fix the failing test"', 'a failure goes back to the model'],
        ['git diff | pawl run - --agent reviewer.md --output-format json'],
        ['pawl run --script replies.yaml "task"', 'no key needed'],
      ),
    )
    .action(async (words: string[], flags: RunFlags) => {
      const { runCommand } = await import('./commands/run.ts');
      exit(await runCommand(words, flags));
    });
}

/** What is to be done, by which model, how far; `pawl trial` has them too. */
export function addTaskOptions(command: Command): void {
  command
    .optionsGroup('Task:')
    .option('-C, --cd <folder>', 'folder that the tools work in (.env is read where pawl is started)')
    .option('--agent <file>', 'agent file: Markdown with settings in front')
    .option('--system-prompt <text>', 'replace the system prompt')
    .option('--append-system-prompt <text>', 'add to the system prompt')
    .option('--tools <names>', 'only these tools, separated by commas')
    .option('--tool-timeout <time>', 'time limit of a bash or run_python call (default: 120s and 30s)');
  addPermissionOptions(command);
  addCheckOptions(command);
  command
    .optionsGroup('Model:')
    .option('-m, --model <id>', 'model (else ANTHROPIC_MODEL, MODEL_ID, a default)')
    .option('--fallback-model <id>', 'model that is asked where the first one refuses')
    .option('--script <file>', 'play the replies of a script instead of asking a model')
    .option('--effort <level>', 'low, medium, high, xhigh or max');
  addRequestOptions(command);
  command
    .optionsGroup('Limits:')
    .option('--max-turns <n>', 'stop after n replies, paused and cut ones not counted (default: 50)')
    .option(
      '--token-budget <n>',
      'stop before n tokens are spent, cached ones included; one summary is made in any case',
    )
    .option('--max-budget-usd <sum>', 'stop before so much is spent; never passed')
    .option('--max-tool-calls <n>', 'stop before more than n calls')
    .option('--max-output-tokens <n>', 'output limit of a reply (default: 16384)');
  addTimeOptions(command);
  command.option('--no-summary', 'no last turn without tools after a limit');
}

/** What may run, and in what; `pawl resume` has them too. */
export function addPermissionOptions(command: Command): void {
  command
    .optionsGroup('Permissions:')
    .option('--yes', 'run without asking what no rule forbids (--permission-mode bypass)');
  addRuleOptions(command);
  command
    .option(
      '--on-ask <what>',
      'a call that asks: deny it, or suspend the run (default: ask at a terminal, else deny)',
    )
    .option(
      '--sandbox <mode>',
      'auto (commands ask where they cannot be confined), require or off (default: auto)',
    )
    .option('--allow-network', 'let confined commands reach the network');
}

/** Rules such as "bash(git status)", "write_file(docs/**)", or the name of a tool. */
export function addRuleOptions(command: Command): void {
  command
    .option(
      '--permission-mode <mode>',
      'for calls that no rule is about: ask, accept-edits, plan, deny or bypass',
    )
    .option(
      '--allow <rule>',
      'calls that run without a question, such as "bash(npm run *)" (repeatable)',
      collect,
    )
    .option('--ask <rule>', 'calls that ask (repeatable)', collect)
    .option('--deny <rule>', 'calls that never run (repeatable)', collect)
    .option('--trust-project', "let the allow rules in the folder's .pawl count");
}

export function addCheckOptions(command: Command): void {
  command
    .optionsGroup('Check:')
    .option('--verify <command>', 'run this behind each answer; exit code 0 says that the work is done')
    .option(
      '--max-repairs <n>',
      'times that a failure goes back to the model, in the whole run (default: 2; resume takes +n)',
    )
    .option('--verify-timeout <time>', 'a check that takes longer has failed (default: 10m)');
}

/** How the service is asked; `pawl resume` has them too. */
export function addRequestOptions(command: Command): void {
  command
    .option('--betas <names>', 'values for the anthropic-beta header, separated by commas')
    .option('--header <line>', 'a further header, "name: value" (repeatable)', collect)
    .option('--thinking <display>', 'what is shown of the thinking: summarized or omitted')
    .option('--context-edits', 'let the service clear old results and, without a budget, summarise')
    .option('--no-cache', 'send no cache breakpoints')
    .option('--prices <file>', 'JSON file with prices, for models that pawl does not know or other contracts')
    .option('--max-retries <n>', 'other tries of a failed request (default: 5)')
    .option('--max-retry-wait <time>', 'longest wait that a server may ask for (default: 5m)')
    .option('--idle-timeout <time>', 'give a silent reply up after this time (default: 120s)');
}

export function addTimeOptions(command: Command): void {
  command.option(
    '--timeout <time>',
    'wall clock: 90s, 10m, 1h; a number alone is seconds. What runs is stopped, and a summary made',
  );
}

export function addOutputOptions(command: Command): void {
  command
    .optionsGroup('Output:')
    .option('--output-format <format>', 'text, json or stream-json', 'text')
    .option('--stream', 'text: all the model says on standard output, as it comes')
    .option('--include-partial', 'stream-json: the pieces of text, too')
    .option('--transcript <file>', 'write the message list to a file at the end')
    .option(
      '--redact <pattern>',
      'take out of results what fits this regular expression (repeatable)',
      collect,
    );
}

/** Behind all others: they have a group of their own. */
export function addInspectOptions(command: Command): void {
  command
    .optionsGroup('Page:')
    .option('--inspect', 'show the run on a page, where it can be stopped, stepped and answered')
    .option(
      '--break <place>',
      'hold the run at a state, or at tool:NAME (repeatable); shows the page, as --inspect does',
      collect,
    )
    .option('--port <n>', 'port of the page (default: one that is free)')
    .option('--no-open', 'print the address of the page, and open no browser')
    // With its value in its name: else a task behind --inspect would be taken for one.
    .option('--inspect=stately', 'send xstate events to a receiver of @statelyai/inspect on this machine');
}
