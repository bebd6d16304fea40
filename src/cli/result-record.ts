/** What scripts get of a run: names in snake case, as in the service's own messages. Fields are added, never renamed. */
import { NOTHING_UNSETTLED } from '../../machines/budget.ts';
import { NO_COUNTERS } from '../../machines/limits.ts';
import type { Usage } from '../../machines/protocol.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { RunFacts, RunOutcome } from '../outcome.ts';
import type { WaitingCall } from '../waiting.ts';
import type { Ended } from './reporter.ts';

/** A run that was left or broke down has a status that is no stop status, and no id before its first record. */
interface Named {
  readonly status: string;
  readonly runId: string | null;
}

export const usageRecord = (usage: Usage) => ({
  input_tokens: usage.input,
  cache_write_tokens: usage.cacheWrite,
  cache_read_tokens: usage.cacheRead,
  output_tokens: usage.output,
});

/** Of a sum on record. null: the price of the model is not known, or nothing was spent. */
export const costRecord = (usd: number): number | null => (usd === 0 ? null : usd);

/** A call that waits for an approval. */
export const waitingRecord = ({ callId, tool, input, effect, fingerprint }: WaitingCall) => ({
  call_id: callId,
  tool,
  input,
  effect,
  /** Of tool name and input: `--hash` of `pawl approve` and `pawl deny`. */
  hash: fingerprint,
});

/** The one document of `--output-format json` and the last line of `stream-json`. */
export function resultRecord(outcome: Omit<RunOutcome, 'status' | 'runId'> & Named) {
  const { counters } = outcome;
  return {
    type: 'result',
    status: outcome.status,
    exit_code: outcome.exitCode,
    result: outcome.result,
    run_id: outcome.runId,
    num_turns: counters.turns,
    stop_reason: outcome.stopReason,
    /** null: no check was asked for, none has been run, or work was done since it passed. */
    verified: outcome.verified,
    usage: usageRecord(outcome.usage),
    cost_usd: outcome.costUsd,
    /** What replies that broke off may have taken beyond that, at worst; known only where there was a budget. */
    unsettled: { tokens: outcome.unsettled.tokens, cost_usd: costRecord(outcome.unsettled.costUsd) },
    counters: {
      attempts: counters.attempts,
      pauses: counters.pauses,
      truncations: counters.truncations,
      fallbacks: counters.fallbacks,
      summary: counters.summaries,
      checks: outcome.checks,
      repairs: outcome.repairs,
    },
    tool_calls: counters.toolCalls,
    errors: outcome.errors,
    waiting: outcome.waiting.map(waitingRecord),
    denials: outcome.denials.map(({ callId, tool, reason }) => ({ call_id: callId, tool, reason })),
    duration_ms: outcome.durationMs,
    journal: outcome.journal,
  };
}

/** The same document for a run that came to no outcome. Where its figures are not known, they stand at nothing. */
export function brokenRecord(
  ending: Named & Partial<Omit<RunFacts, 'runId'>>,
  exitCode: number,
  error: string,
) {
  return resultRecord({
    exitCode,
    errors: [error],
    result: null,
    journal: null,
    stopReason: null,
    signal: null,
    usage: NO_USAGE,
    costUsd: null,
    unsettled: NOTHING_UNSETTLED,
    counters: NO_COUNTERS,
    verified: null,
    checks: 0,
    repairs: 0,
    denials: [],
    waiting: [],
    durationMs: 0,
    messages: [],
    replies: [],
    ...ending,
  });
}

/**
 * A record as `stream-json` gives it: as it is in the journal, but for the system prompt and the schemas of the tools, which are
 * long, and costs that are not known.
 */
export function streamedRecord(record: JournalRecord): object {
  if (record.type === 'run.started') {
    const { system: _, tools, ...rest } = record;
    return { ...rest, tools: tools.map(({ name }) => name) };
  }
  return 'costUsd' in record ? { ...record, costUsd: costRecord(record.costUsd) } : record;
}

/** What `--transcript` writes. */
export function transcriptRecord(outcome: Ended, model: string) {
  const { runId, status, messages, replies } = outcome;
  return {
    run_id: runId,
    status,
    model,
    messages,
    replies: replies.map(({ turn, attempt, stopReason, usage }) => ({
      turn,
      attempt,
      stop_reason: stopReason,
      usage: usageRecord(usage),
    })),
  };
}
