import { memoryJournal } from '../../src/journal/memory.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { Means, RunOptions } from '../../src/options.ts';
import { run } from '../../src/run.ts';
import { approver, policy, tools } from '../helpers/props.ts';

/** What a run needs, over a script; every reading of the clock is a second later. */
export const optionsFor = (replies: readonly ScriptReply[], more: Partial<RunOptions> = {}): RunOptions => ({
  task: 'the task',
  model: 'a-model',
  workspace: '/',
  ...meansFor(replies),
  ...more,
});

/** The part that whoever goes on with a run needs, too. */
export function meansFor(replies: readonly ScriptReply[]): Means {
  let seconds = 0;
  return {
    client: scriptedModel(replies, 'the script'),
    tools,
    policy,
    approver,
    random: () => 0.5,
    now: () => {
      seconds += 1;
      return seconds * 1_000;
    },
  };
}

/** Runs with a journal in memory. */
export async function runOf(replies: readonly ScriptReply[], more: Partial<RunOptions> = {}) {
  const journal = memoryJournal();
  const outcome = await run(optionsFor(replies, { journal, ...more }));
  return { outcome, records: journal.records };
}
