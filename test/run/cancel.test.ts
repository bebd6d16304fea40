import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { stateName } from '../../machines/state-name.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import type { RunEvent } from '../../src/outcome.ts';
import { run } from '../../src/run.ts';
import { unanswered } from '../helpers/history.ts';
import { approver, policy, tools } from '../helpers/props.ts';

const word = (word: string) => ({ word });
const REPLIES: readonly ScriptReply[] = [
  {
    text: 'I begin.',
    calls: [
      { name: 'look', input: word('a') },
      { name: 'secret', input: word('b') },
    ],
  },
  { fault: { status: 529, retry_after: 0.001 } },
  {
    calls: [
      { name: 'write', input: word('please') },
      { name: 'write', input: word('now') },
    ],
  },
  { calls: [{ name: 'set', input: word('c') }] },
  { text: 'done' },
];

async function cancelled(options: Partial<RunOptions>, controller = new AbortController()) {
  const journal = memoryJournal(() => 0);
  const outcome = await run({
    task: 'the task',
    model: 'a-model',
    workspace: '/',
    client: scriptedModel(REPLIES, 'the script'),
    tools,
    policy,
    approver,
    ...options,
    journal,
    signal: controller.signal,
    random: () => 0.5,
  });
  return { outcome, records: journal.records, controller };
}

const short = (event: RunEvent): string =>
  event.type === 'record'
    ? `record ${event.record.type}`
    : event.type === 'transition'
      ? `to ${event.state}`
      : event.type;

describe('a cancel out of an event', () => {
  it('at any of them leaves records that say the same as the outcome', async () => {
    const events: string[] = [];
    await cancelled({ onEvent: (event) => void events.push(short(event)) });
    for (const [index, event] of events.entries()) {
      let count = 0;
      const controller = new AbortController();
      const onEvent = () => {
        if (count === index) controller.abort();
        count += 1;
      };
      const { outcome, records } = await cancelled({ onEvent }, controller);
      const { snapshot, transcript } = foldRecords(records);
      const { usage, counters, costUsd } = snapshot.context;
      expect({ event, status: stateName(snapshot.value), usage, counters, costUsd }).toEqual({
        event,
        status: outcome.status,
        usage: outcome.usage,
        counters: outcome.counters,
        costUsd: outcome.costUsd,
      });
      expect(transcript.messages).toEqual(outcome.messages);
      expect(unanswered(outcome.messages)).toEqual([]);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    }
  });
});
