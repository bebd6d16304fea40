/** Journals to look at: made by real runs of the library on a scripted model. */

import { z } from 'zod';
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import { allowAll, defineTool, memoryJournal, run, scriptedModel } from '../../src/index.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';

type Replies = Parameters<typeof scriptedModel>[0];

export interface Played {
  readonly limits?: Partial<Limits>;
  readonly task?: string;
  /** What the tool answers, call by call. */
  readonly results?: readonly string[];
}

/** A run with one tool, `look`; a result that begins with "!" is an error. */
export async function recordsOf(replies: Replies, { limits = {}, task = 'look', results = [] }: Played = {}) {
  const records: JournalRecord[] = [];
  const queue = [...results];
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({ at: z.string().optional() }),
    effect: 'read',
    run: async () => {
      const text = queue.shift() ?? 'seen';
      if (text.startsWith('!')) throw new Error(text.slice(1));
      return text;
    },
  });
  await run({
    task,
    client: scriptedModel(replies),
    model: 'scripted',
    tools: [look],
    policy: allowAll,
    journal: memoryJournal(),
    limits: { ...DEFAULT_LIMITS, ...limits },
    onEvent: (event) => {
      if (event.type === 'record') records.push(event.record);
    },
  });
  return records;
}

const look = { name: 'look', input: {} };

/** Two turns: a call, an answer. */
export const shortRun = (played?: Played) =>
  recordsOf([{ text: 'I look.', calls: [look] }, { text: 'It is there.' }], played);

/** A journal of any length: the first rounds of a run, again and again under other numbers. */
export function longJournal(count: number): JournalRecord[] {
  const at = (seq: number) => new Date(Date.UTC(2026, 0, 1) + seq * 250).toISOString();
  const bodies: RecordBody[] = [header()];
  for (let turn = 1; bodies.length < count - 1; turn += 1) bodies.push(...round(turn));
  return bodies.slice(0, count).map((body, seq) => ({ ...body, seq, at: at(seq) }) as JournalRecord);
}

const header = (): RecordBody => ({
  type: 'run.started',
  version: 2,
  pawl: '0.1.0',
  runId: 'long',
  task: 'a long one',
  workspace: '/tmp',
  model: 'scripted',
  system: '',
  effort: null,
  fallbackModel: null,
  limits: { ...DEFAULT_LIMITS, maxTurns: 1_000_000, maxRepeats: null },
  tools: [],
});

function round(turn: number): RecordBody[] {
  const callId = `call_${turn}`;
  const usage = { input_tokens: 100 + turn, output_tokens: 20 };
  return [
    {
      type: 'reply.received',
      turn,
      attempt: 1,
      problems: [],
      costUsd: 0.001,
      message: {
        content: [
          { type: 'text', text: `Round ${turn}.` },
          { type: 'tool_use', id: callId, name: 'look', input: { at: `place ${turn}` } },
        ],
        stop_reason: 'tool_use',
        usage,
      },
    },
    {
      type: 'calls.reviewed',
      turn,
      verdicts: [{ callId, verdict: 'approve', effect: 'read', fingerprint: callId }],
    },
    { type: 'tool.started', turn, callId },
    {
      type: 'tool.finished',
      turn,
      callId,
      content: `line ${turn}\n`.repeat(8),
      isError: false,
      fingerprint: callId,
      durationMs: 3,
    },
    { type: 'results.recorded', turn, callIds: [callId], notice: null },
  ];
}
