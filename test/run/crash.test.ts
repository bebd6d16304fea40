import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { RunOptions } from '../../src/options.ts';
import { run } from '../../src/run.ts';
import { optionsFor } from './runs.ts';

const defect = new TypeError('a defect');
const crash = () => {
  throw defect;
};
const ROUND = { calls: [{ name: 'write', input: { word: 'please' } }] };

describe('a defect in a part that was handed in', () => {
  const rows: readonly [what: string, change: Partial<RunOptions>][] = [
    ['the model client', { client: { name: 'test', ask: () => Promise.reject(defect) } }],
    ['the policy', { policy: { decide: crash } }],
    ['the approver', { approver: { ask: () => Promise.reject(defect) } }],
    ['the gate', { gate: { cross: () => Promise.reject(defect) } }],
    ['the listener, at a record', { onEvent: ({ type }) => (type === 'record' ? crash() : undefined) }],
    ['the journal', { journal: { ...memoryJournal(), append: crash } }],
  ];
  it.each(rows)('%s: the run rejects with it, and everything is let go', async (_, change) => {
    const controller = new AbortController();
    let closed = 0;
    const journal = change.journal ?? memoryJournal();
    const started = run({
      ...optionsFor([ROUND]),
      ...change,
      signal: controller.signal,
      journal: {
        ...journal,
        close: async () => {
          closed += 1;
        },
      },
    });
    await expect(started).rejects.toMatchObject({ name: 'RunCrashed', cause: defect, message: 'a defect' });
    expect(closed).toBe(1);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

it('a defect leaves what was counted and saved until then', async () => {
  let asked = 0;
  const first = optionsFor([ROUND]).client;
  const ask: typeof first.ask = (request, options) => {
    asked += 1;
    return asked === 1 ? first.ask(request, options) : Promise.reject(defect);
  };
  const started = run({ ...optionsFor([ROUND]), client: { name: 'test', ask }, journal: memoryJournal() });
  await expect(started).rejects.toMatchObject({
    facts: {
      counters: { turns: 1 },
      usage: { output: expect.any(Number) },
      replies: [{ turn: 1 }],
      journal: 'memory',
    },
  });
});
