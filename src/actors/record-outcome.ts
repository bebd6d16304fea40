/** What a call is run with, and how its outcome gets on record. */
import type { LoopEvent } from '../../machines/events.ts';
import type { Call } from '../../machines/turn.ts';
import { MOST_RESULT_BYTES } from '../../machines/window.ts';
import type { RunLog } from '../journal/run-log.ts';
import { keepResult } from '../tools/kept-results.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { AfterCall } from './after-call.ts';
import { fingerprint } from './fingerprint.ts';
import { fitResult } from './fit-result.ts';
import type { Gate } from './gate.ts';
import type { Outcome } from './outcome.ts';
import type { Redact } from './redact.ts';

export interface CallParts {
  readonly toolbox: Toolbox;
  readonly context: Omit<ToolContext, 'signal' | 'keepFile' | 'asked' | 'maxResultBytes'>;
  readonly log: RunLog;
  readonly gate: Gate;
  readonly now: () => number;
  /** For results: a program can find the key in the environment of this process. */
  readonly redact: Redact;
  readonly afterCall: AfterCall;
}

export interface OneCall {
  readonly turn: number;
  readonly call: Extract<Call, { effect: unknown }>;
  /** null: as much as every result may have. */
  readonly maxResultBytes: number | null;
}

export const mostBytes = ({ maxResultBytes }: OneCall): number =>
  Math.min(maxResultBytes ?? MOST_RESULT_BYTES, MOST_RESULT_BYTES);

export type Send = (event: LoopEvent) => void;

/** @returns puts an outcome on record; a call takes the time from here to there */
export function recorder({ toolbox, context, log, now }: CallParts, one: OneCall, send: Send) {
  const { turn, call } = one;
  const { id: callId, name, effect } = call;
  const startedAt = now();
  return async ({ content, ...rest }: Outcome): Promise<undefined> => {
    const keep = (text: string) => kept(context.workspace, callId, text);
    const outcome = { content: fitResult(content, mostBytes(one), keep), ...rest };
    // What is asked again and again because it changes is no repetition.
    const isPolling = toolbox.find(name)?.polls === true;
    const input = log.transcript.openCall(callId)?.input;
    const digest = isPolling ? fingerprint(callId) : fingerprint(name, input, outcome.content);
    const body = {
      type: 'tool.finished',
      turn,
      callId,
      ...outcome,
      fingerprint: digest,
      durationMs: now() - startedAt,
    } as const;
    if (effect === 'read') log.note(body);
    else await log.save(body);
    send({ type: 'tool.finished', turn, callId, fingerprint: digest });
  };
}

/** Where it cannot be kept, the result says so: it has been cut all the same. */
function kept(workspace: string, callId: string, text: string): string | undefined {
  try {
    return keepResult(workspace, callId, text);
  } catch {
    return undefined;
  }
}
