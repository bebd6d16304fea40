/** The commands that read what runs have left behind. What they do is loaded when they are called. */
import type { Command } from 'commander';
import type { ForkFlags } from './commands/fork.ts';
import type { LogFlags } from './commands/log.ts';
import type { ReplayFlags } from './commands/replay.ts';
import type { RunsFlags } from './commands/runs.ts';
import type { ShowFlags } from './commands/show.ts';
import type { UndoFlags } from './commands/undo.ts';
import { examples, type JsonFlag, LAST, withRestate, withVerbose } from './help.ts';

type Exit = (code: number) => void;

const RUN = 'id of a run, the beginning of one, or the path of its journal';
const DAMAGE = 'A damaged journal is told up to the damage; the exit code is then 50.';

export function addReadingCommands(program: Command, exit: Exit): void {
  addRuns(program, exit);
  addShow(program, exit);
  addLog(program, exit);
  addDiff(program, exit);
  addReplay(program, exit);
  addFork(program, exit);
  addUndo(program, exit);
}

function addRuns(program: Command, exit: Exit): void {
  withRestate(withVerbose(program.command('runs')))
    .summary('list the runs')
    .description(
      'Lists the runs, newest first. A run without an end is "running" where a process holds it, else "suspended" where ' +
        'calls wait for an approval, else "interrupted".',
    )
    .option('--status <status>', 'only runs with this status')
    .option('--limit <n>', 'at most n runs (default: 20, with --json all)')
    .option('--json', 'as one JSON document')
    .addHelpText('after', examples(['pawl runs'], ['pawl runs --status interrupted'], ['pawl runs --json']))
    .action(async (flags: RunsFlags) => {
      const { runsCommand } = await import('./commands/runs.ts');
      exit(await runsCommand(flags));
    });
}

function addShow(program: Command, exit: Exit): void {
  withVerbose(program.command('show'))
    .summary('show the state of a run at any record')
    .description(`Shows the state of a run, found by folding its journal.\n${DAMAGE}`)
    .argument('[run]', RUN)
    .option(...LAST)
    .option('--at <seq>', 'as it was right after this record (default: the last one)')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['pawl show 20261130-094512-k3x9q'],
        ['pawl show 20261130-09 --at 12', 'what was known at record 12'],
        ['pawl show ./run.jsonl --json'],
      ),
    )
    .action(async (run: string | undefined, flags: ShowFlags) => {
      const { showCommand } = await import('./commands/show.ts');
      exit(await showCommand(run, flags));
    });
}

function addLog(program: Command, exit: Exit): void {
  withVerbose(program.command('log'))
    .summary('print the records of a run')
    .description(
      `Prints the records of a run: number, time since its start, type, content in short.\n${DAMAGE}`,
    )
    .argument('[run]', RUN)
    .option(...LAST)
    .option('--from <seq>', 'begin at this record')
    .option('--json', 'the records themselves, a JSON document a line')
    .addHelpText(
      'after',
      examples(
        ['pawl log 20261130-094512-k3x9q'],
        ['pawl log 20261130-09 --from 40'],
        ['pawl log ./run.jsonl --json | head -n 1', 'the header'],
      ),
    )
    .action(async (run: string | undefined, flags: LogFlags) => {
      const { logCommand } = await import('./commands/log.ts');
      exit(await logCommand(run, flags));
    });
}

function addDiff(program: Command, exit: Exit): void {
  withVerbose(program.command('diff'))
    .summary('find where two runs part')
    .description(
      'Finds the first record in which two runs part, and shows the fields that differ. Times and names do not count.\n' +
        'The exit code is 0 whether they differ or not; "outcome" in --json is same, prefix or differ.',
    )
    .argument('<left>', RUN)
    .argument('<right>', 'another one')
    .option('--json', 'as one JSON document, values in full')
    .addHelpText(
      'after',
      examples(
        ['pawl diff 20261130-0945 20261130-1012'],
        ['pawl diff before.jsonl after.jsonl --json | jq -e \'.outcome == "same"\''],
      ),
    )
    .action(async (left: string, right: string, { json }: JsonFlag) => {
      const { diffCommand } = await import('./commands/diff.ts');
      exit(await diffCommand(left, right, json === true));
    });
}

function addReplay(program: Command, exit: Exit): void {
  withVerbose(program.command('replay'))
    .summary('check a record, or ask what other limits would have done')
    .description(
      "Folds a run again, without a model, and checks that today's machine decides in every place as was recorded.\n" +
        'With limits: where would the run have stopped under them? The exit code is 1 where a decision differs.',
    )
    .argument('[run]', RUN)
    .option(...LAST)
    .option('--max-turns <n>', 'what if it had stopped after n replies?')
    .option('--token-budget <n>', 'what if it had stopped at n tokens?')
    .option('--max-tool-calls <n>', 'what if it had stopped before more than n calls?')
    .option('--no-summary', 'what if no limit had been followed by a last turn?')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['pawl replay 20261130-094512-k3x9q', 'is the record true?'],
        ['pawl replay 20261130-09 --max-turns 5', 'what if?'],
        ['pawl replay ./run.jsonl --token-budget 100000 --json'],
      ),
    )
    .action(async (run: string | undefined, flags: ReplayFlags) => {
      const { replayCommand } = await import('./commands/replay.ts');
      exit(await replayCommand(run, flags));
    });
}

function addFork(program: Command, exit: Exit): void {
  withVerbose(program.command('fork'))
    .summary('start a run from any record of another')
    .description(
      'Copies a run up to one of its records to a run of its own, which can be resumed from there. Nothing is executed, ' +
        'and files in the workspace stay as they are now. Prints the new id.',
    )
    .argument('[run]', RUN)
    .option(...LAST)
    .option('--at <seq>', 'the last record that is taken along (default: the last one there is)')
    .option('--task <text>', 'another task (with --at 0), or a further word for the model behind the copy')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['pawl fork 20261130-094512-k3x9q --at 12'],
        ['pawl resume $(pawl fork --last --at 12)', 'go on from there'],
        ['pawl fork ./run.jsonl --at 0 --task "Only list them."', 'another task'],
      ),
    )
    .action(async (run: string | undefined, flags: ForkFlags) => {
      const { forkCommand } = await import('./commands/fork.ts');
      exit(await forkCommand(run, flags));
    });
}

function addUndo(program: Command, exit: Exit): void {
  withVerbose(program.command('undo'))
    .summary('give files back what they were before a run')
    .description(
      'Restores the files that the tools write_file and edit_file have changed in a run, and removes those that they have ' +
        'created. What commands of the run have changed is not undone.\nA file that was changed since is not touched, and ' +
        'then no other one either; the exit code is 1.',
    )
    .argument('[run]', RUN)
    .option(...LAST)
    .option('--to <seq>', 'as they were at this record (default: before the run)')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--skip-changed', 'restore the others where some were changed since')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['pawl undo 20261130-094512-k3x9q --dry-run'],
        ['pawl undo 20261130-09 --to 12', 'then: pawl resume $(pawl fork 20261130-09 --at 12)'],
      ),
    )
    .action(async (run: string | undefined, flags: UndoFlags) => {
      const { undoCommand } = await import('./commands/undo.ts');
      exit(await undoCommand(run, flags));
    });
}
