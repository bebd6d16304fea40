import { expect, it } from 'vitest';
import { NOTHING_UNSETTLED } from '../../machines/budget.ts';
import { NO_COUNTERS } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { jsonReporter } from '../../src/cli/json-reporter.ts';
import type { RunFacts } from '../../src/outcome.ts';

const FACTS: RunFacts = {
  runId: 'r',
  journal: '/j.jsonl',
  stopReason: 'tool_use',
  usage: { ...NO_USAGE, input: 1_000, output: 50 },
  costUsd: 0,
  unsettled: NOTHING_UNSETTLED,
  counters: { ...NO_COUNTERS, turns: 1, attempts: 1, toolCalls: 1 },
  verified: null,
  checks: 0,
  repairs: 0,
  denials: [],
  durationMs: 12,
  messages: [],
  replies: [],
};

it('a run that broke on a defect is told with the figures that it had, and with its journal', () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) > 0 };
  jsonReporter(output, output).broken('internal_error', 1, 'internal error: oh', FACTS);
  expect(JSON.parse(written.join(''))).toMatchObject({
    status: 'internal_error',
    exit_code: 1,
    run_id: 'r',
    num_turns: 1,
    tool_calls: 1,
    usage: { input_tokens: 1_000, output_tokens: 50 },
    counters: { attempts: 1 },
    duration_ms: 12,
    journal: '/j.jsonl',
    errors: ['internal error: oh'],
  });
});
