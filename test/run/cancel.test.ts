import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { stateName } from '../../machines/state-name.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { ModelClient } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import type { RunEvent } from '../../src/outcome.ts';
import type { Approver } from '../../src/permissions/approver.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import { unanswered } from '../helpers/history.ts';
import { runOf } from './runs.ts';

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

const cancelled = (controller: AbortController, more: Partial<RunOptions> = {}) =>
  runOf(REPLIES, { signal: controller.signal, ...more });

const short = (event: RunEvent): string => {
  if (event.type === 'record') return `record ${event.record.type}`;
  return event.type === 'transition' ? `to ${event.state}` : event.type;
};

describe('a cancelled run', () => {
  it.each([
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGINT', 'SIGINT', 130],
    [undefined, 'SIGINT', 130],
    [new Error('why not'), 'SIGINT', 130],
  ] as const)(
    'for the reason %s ends with the signal %s and exit code %i',
    async (reason, signal, exitCode) => {
      const controller = new AbortController();
      const onEvent = ({ type }: RunEvent) => {
        if (type === 'text') controller.abort(reason);
      };
      const { outcome, records } = await cancelled(controller, { onEvent });
      expect(outcome).toMatchObject({ status: 'cancelled', exitCode, signal, result: null, errors: [] });
      expect(records.at(-1)).toMatchObject({ type: 'run.ended', status: 'cancelled', signal });
    },
  );

  it('before it begins asks nobody for anything', async () => {
    let asked = 0;
    const client = {
      name: 'test',
      ask: async () => {
        asked += 1;
        throw new Error('asked');
      },
    };
    const controller = new AbortController();
    controller.abort('SIGTERM');
    const { outcome, records } = await cancelled(controller, { client });
    expect(outcome).toMatchObject({ status: 'cancelled', signal: 'SIGTERM', counters: { attempts: 0 } });
    expect(asked).toBe(0);
    expect(records.map(({ type }) => type)).toEqual(['run.started', 'run.closing', 'run.ended']);
  });

  it('during a request aborts it', async () => {
    const controller = new AbortController();
    let aborted = false;
    const client: ModelClient = {
      name: 'test',
      ask: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason);
          });
          controller.abort();
        }),
    };
    const { outcome } = await cancelled(controller, { client });
    expect(outcome).toMatchObject({ status: 'cancelled', messages: [{ role: 'user' }] });
    expect(aborted).toBe(true);
  });

  it('during a call tells the tool, waits for its outcome, and closes the calls that were not run', async () => {
    const controller = new AbortController();
    const slow = defineTool({
      name: 'slow',
      description: 'slow',
      input: z.strictObject({}),
      effect: 'effectful',
      run: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => setImmediate(() => resolve('half of it')));
          controller.abort();
        }),
    });
    const call = (id: string) => ({ name: 'slow', id, input: {} });
    const { outcome } = await runOf([{ calls: [call('a'), call('b')] }], {
      signal: controller.signal,
      tools: [slow as Tool],
    });
    expect(outcome).toMatchObject({ status: 'cancelled', counters: { toolCalls: 1 } });
    expect(outcome.messages.at(-1)?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'half of it' },
      {
        type: 'tool_result',
        tool_use_id: 'b',
        content: 'Not executed: the person cancelled the run.',
        is_error: true,
      },
    ]);
  });

  it('during a question ends the question, and nothing that waited runs', async () => {
    const controller = new AbortController();
    const asking: Approver = {
      ask: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort();
        }),
    };
    const { outcome, records } = await cancelled(controller, { approver: asking });
    expect(outcome.status).toBe('cancelled');
    expect(unanswered(outcome.messages)).toEqual([]);
    expect(records.map(({ type }) => type)).not.toContain('approval.granted');
  });

  it('during a wait does not wait on', async () => {
    const controller = new AbortController();
    const client = scriptedModel([{ fault: { status: 529, retry_after: 200 } }], 'the script');
    const onEvent = (event: RunEvent) => {
      if (event.type === 'transition' && event.state === 'backingOff') setImmediate(() => controller.abort());
    };
    const { outcome } = await cancelled(controller, { client, onEvent });
    expect(outcome).toMatchObject({ status: 'cancelled', counters: { attempts: 1 } });
  });
});

describe('a cancel out of an event', () => {
  it('at any of them leaves records that say the same as the outcome', async () => {
    const warn = vi.spyOn(console, 'warn');
    const events: string[] = [];
    await cancelled(new AbortController(), { onEvent: (event) => void events.push(short(event)) });
    for (const [index, event] of events.entries()) {
      let count = 0;
      const controller = new AbortController();
      const onEvent = () => {
        if (count === index) controller.abort();
        count += 1;
      };
      const { outcome, records } = await cancelled(controller, { onEvent });
      const { snapshot, transcript } = foldRecords(records);
      const { usage, counters } = snapshot.context;
      expect({ event, status: stateName(snapshot.value), usage, counters }).toEqual({
        event,
        status: outcome.status,
        usage: outcome.usage,
        counters: outcome.counters,
      });
      expect(transcript.messages).toEqual(outcome.messages);
      expect(unanswered(outcome.messages)).toEqual([]);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    }
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
