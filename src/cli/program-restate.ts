/** The commands of runs that an engine keeps. What they do is loaded when they are called. */
import type { Command } from 'commander';
import type { PullFlags } from './commands/pull.ts';
import type { SubmitFlags } from './commands/submit.ts';
import type { WorkerFlags } from './commands/worker.ts';
import type { EngineFlags } from './engine.ts';
import { collect, examples, withRestateAdmin, withVerbose } from './help.ts';
import { addTaskOptions } from './program-run.ts';

type Exit = (code: number) => void;

const RUN = 'id of a run, or the beginning of one';
const BLOBS = 'folder of records that are too large for the engine';

export function addRestate(program: Command, exit: Exit): void {
  addWorker(program, exit);
  addSubmit(program, exit);
  addPull(program, exit);
  addCancel(program, exit);
}

const withEngine = (command: Command): Command =>
  withRestateAdmin(
    command.option('--restate <url>', 'ingress address of the Restate server (else PAWL_RESTATE)'),
  );

function addWorker(program: Command, exit: Exit): void {
  withEngine(withVerbose(program.command('worker')))
    .summary('do the jobs of runs that a Restate server keeps')
    .description(
      'Serves runs that a Restate server keeps, and makes itself known to it, until Ctrl-C. Commands and tools run here, ' +
        'with the settings and the key of this process. Whoever reaches the server or this port can have them run: keep both private.',
    )
    .option('--port <n>', 'port to listen on (default: 9080)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option(
      '--advertise <url>',
      'where the server finds this worker, or the balancer before it (default: http://HOST:PORT)',
    )
    .option('--concurrency <n>', 'jobs at work at a time (default: 32)')
    .option(
      '--workspaces <folder>',
      'folder in which each run gets one of its own; workers of a pool share it',
    )
    .option(
      '--blobs <folder>',
      `${BLOBS}; workers of a pool share it (default: .blobs in that of the workspaces)`,
    )
    .option('--identity <key>', 'serve only the server with this public key (repeatable)', collect)
    .option('--no-register', 'do not make it known to the server')
    .addHelpText(
      'after',
      examples(
        ['pawl worker --restate http://127.0.0.1:8080'],
        [
          'pawl worker --restate http://engine:8080 --host 0.0.0.0 --advertise http://workers:9080 --workspaces /shared/runs',
        ],
      ),
    )
    .action(async (flags: WorkerFlags) => {
      const { workerCommand } = await import('./commands/worker.ts');
      exit(await workerCommand(flags));
    });
}

function addSubmit(program: Command, exit: Exit): void {
  const command = withEngine(withVerbose(program.command('submit')))
    .summary('hand a run to a Restate server')
    .description(
      'Hands a run to a Restate server and prints its id. A worker does it, with its own key: paths are those of the worker, ' +
        'and calls that ask wait for pawl approve, unless --on-ask deny is given.',
    )
    .argument('<task...>', 'what is to be done; "-" reads it from standard input');
  addTaskOptions(command);
  command
    .optionsGroup('Output:')
    .option('--wait', 'show the run, and end as it does')
    .option('--output-format <format>', 'text or json', 'text')
    .option(
      '--redact <pattern>',
      'take out of results what fits this regular expression (repeatable)',
      collect,
    )
    .option('--blobs <folder>', BLOBS)
    .addHelpText(
      'after',
      examples(
        ['pawl submit --restate http://127.0.0.1:8080 "Which of these tests are slow?"'],
        ['pawl submit --wait --yes -C /shared/project "Fix the failing test"', 'with PAWL_RESTATE set'],
      ),
    )
    .action(async (words: string[], flags: SubmitFlags) => {
      const { submitCommand } = await import('./commands/submit.ts');
      exit(await submitCommand(words, flags));
    });
}

function addPull(program: Command, exit: Exit): void {
  withEngine(withVerbose(program.command('pull')))
    .summary('bring the journal of a run here from a Restate server')
    .description(
      'Brings the journal of a run here, where pawl show, log, replay, diff, fork and export read it like one of their own. No worker is needed.',
    )
    .argument('<run>', RUN)
    .option('--blobs <folder>', BLOBS)
    .addHelpText('after', examples(['pawl pull 20261130-09 && pawl show 20261130-09']))
    .action(async (run: string, flags: PullFlags) => {
      const { pullCommand } = await import('./commands/pull.ts');
      exit(await pullCommand(run, flags));
    });
}

function addCancel(program: Command, exit: Exit): void {
  withEngine(withVerbose(program.command('cancel')))
    .summary('end a run that a Restate server keeps')
    .description('Ends a run: what runs is stopped. Where no worker is there, it counts as soon as one is.')
    .argument('<run>', RUN)
    .addHelpText('after', examples(['pawl cancel 20261130-094512-k3x9q --restate http://127.0.0.1:8080']))
    .action(async (run: string, flags: EngineFlags) => {
      const { cancelCommand } = await import('./commands/cancel.ts');
      exit(await cancelCommand(run, flags));
    });
}
