/** Records as the jobs and the machine write them, short to say. */
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import type { AssistantMessage, ContentBlock } from '../../machines/protocol.ts';
import { RECORD_VERSION, type RecordBody, type RunStarted } from '../../src/journal/record.ts';

export const header = (changes: Partial<RunStarted> = {}): RunStarted => ({
  type: 'run.started',
  version: RECORD_VERSION,
  pawl: '0.0.0',
  runId: 'a-run',
  task: 'the task',
  workspace: '/somewhere',
  model: 'a-model',
  system: '',
  effort: null,
  fallbackModel: null,
  limits: DEFAULT_LIMITS,
  tools: [],
  ...changes,
});

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
export const toolUse = (id: string, name = 'look', input: unknown = {}): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export const message = (
  stop_reason: string | null,
  ...content: readonly ContentBlock[]
): AssistantMessage => ({
  stop_reason,
  content,
  usage: { input_tokens: 3, output_tokens: 2 },
});

export const reply = (turn: number, message: AssistantMessage, attempt = 1): RecordBody => ({
  type: 'reply.received',
  turn,
  attempt,
  message,
  problems: [],
  costUsd: 0,
});

export const summary = (turn: number, message: AssistantMessage): RecordBody =>
  ({
    ...reply(turn, message),
    type: 'summary.received',
  }) as RecordBody;

export const finished = (
  turn: number,
  callId: string,
  content: string | readonly ContentBlock[],
  isError = false,
): RecordBody => ({
  type: 'tool.finished',
  turn,
  callId,
  content,
  isError,
  fingerprint: callId,
  durationMs: 1,
});

export const recorded = (turn: number, ...callIds: readonly string[]): RecordBody => ({
  type: 'results.recorded',
  turn,
  callIds,
  notice: null,
});

export const refused = (turn: number, callId: string, reason: string, denied?: boolean): RecordBody => ({
  type: 'calls.reviewed',
  turn,
  verdicts: [
    {
      callId,
      verdict: 'refuse',
      reason,
      fingerprint: `refused ${callId}`,
      ...(denied === undefined ? {} : { denied }),
    },
  ],
});

/** A tool_result block. */
export const result = (id: string, content: unknown, is_error?: true) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(is_error && { is_error }),
});
