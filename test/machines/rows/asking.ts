import { expect } from 'vitest';
import { addUsd, NOTHING_UNSETTLED } from '../../../machines/budget.ts';
import { NO_COUNTERS } from '../../../machines/limits.ts';
import { NO_USAGE } from '../../../machines/reply.ts';
import {
  ANSWER,
  BUDGETS,
  CALLS,
  CANCEL,
  CANCELLED,
  DEAR,
  EXPIRE,
  FAILURE,
  FULL,
  failed,
  LARGE,
  LIMITS,
  measured,
  message,
  OUT_OF_TIME,
  OUT_OF_TURNS,
  replied,
  resumed,
  SMALL,
  text,
  UNSAVED,
  WINDOW,
} from '../given.ts';
import { type Refusal, type Row, refusal, row } from './row.ts';

const FIRST = { turn: 1, attempt: 1 };
const SPENT = { ...NO_USAGE, output: 10_000 };
const BEGUN = { ...NO_USAGE, output: 1 };
const WATCHED = { ...BUDGETS, maxRepeats: 2 };
const MEASURE = { forecast: LARGE, allowance: { tokens: 50, by: 'token_budget' } } as const;
/** All that the request in hand was allowed. */
const WORST = {
  tokens: LARGE.inputTokens + 50,
  costUsd: addUsd(LARGE.inputTokens * LARGE.inputUsd, 50 * LARGE.outputUsd),
};
const NO_MEASURE = { forecast: null, allowance: null };
const CHECKING = 'asking.checking';
const MEASURING = 'asking.measuring';
const REQUESTING = 'asking.requesting';
const FINISHING = 'finishing.requesting';
const CLOSING = 'persisting.closing';
const USED = { ...NO_COUNTERS, turns: 1, attempts: 4, pauses: 1, truncations: 1 };
const RETRIED = { attempt: 2, failures: 1, failure: FAILURE };
const TURN_USED = { ...NO_COUNTERS, turns: 2 };
const TURNED_OUT = { stop: OUT_OF_TURNS, counters: TURN_USED };

export const askingRows: Row[] = [
  row(CHECKING, { stop: CANCELLED, counters: TURN_USED }, null, 'isCancelled', CLOSING, { stop: CANCELLED }),
  row(CHECKING, { stop: OUT_OF_TIME, counters: TURN_USED }, null, 'isOutOfTurns', CLOSING, {
    stop: OUT_OF_TURNS,
    pending: { stop: OUT_OF_TURNS, notice: expect.stringContaining('The turn limit') },
  }),
  row(CHECKING, { limits: WATCHED, usage: SPENT, costUsd: 1 }, null, 'isOutOfTokens', CLOSING, {
    stop: { status: 'token_budget' },
  }),
  row(CHECKING, { limits: WATCHED, costUsd: 1, rounds: ['x', 'x'] }, null, 'isOutOfMoney', CLOSING, {
    stop: { status: 'cost_budget' },
  }),
  row(CHECKING, { limits: WATCHED, rounds: ['x', 'x'], stop: OUT_OF_TIME }, null, 'isStuck', CLOSING, {
    stop: { status: 'stuck' },
  }),
  row(CHECKING, { limits: WATCHED, stop: OUT_OF_TIME }, null, 'isStopping', CLOSING, {
    stop: OUT_OF_TIME,
    pending: { type: 'run.closing', turn: 1, stop: OUT_OF_TIME, results: [] },
  }),
  row(CHECKING, { limits: WATCHED, rounds: ['x', 'y'] }, null, 'needsMeasure', MEASURING, { stop: null }),
  row(CHECKING, { limits: LIMITS, ...MEASURE }, null, null, REQUESTING, { stop: null, ...NO_MEASURE }),

  row(MEASURING, { limits: WINDOW }, measured(FIRST, FULL), 'isPastWindow', 'context_exhausted', {
    stop: null,
    pending: null,
    forecast: FULL,
  }),
  row(MEASURING, { limits: BUDGETS, usage: BEGUN }, measured(FIRST, LARGE), 'isTooLarge', CLOSING, {
    stop: { status: 'token_budget' },
    pending: { stop: { status: 'token_budget' }, notice: expect.stringContaining('The token budget') },
    ...NO_MEASURE,
  }),
  row(MEASURING, { limits: BUDGETS }, measured(FIRST, DEAR), 'isTooDear', CLOSING, {
    stop: { status: 'cost_budget' },
    pending: { stop: { status: 'cost_budget' }, notice: expect.stringContaining('The money budget') },
    ...NO_MEASURE,
  }),
  row(MEASURING, { limits: BUDGETS, ...MEASURE }, measured(FIRST, SMALL), 'isCurrent', REQUESTING, {
    stop: null,
    forecast: SMALL,
    allowance: { tokens: 100, by: null },
  }),
  row(MEASURING, { limits: BUDGETS }, CANCEL, null, CLOSING, { stop: CANCELLED, pending: { notice: null } }),
  row(MEASURING, { limits: BUDGETS }, EXPIRE, null, CLOSING, { stop: OUT_OF_TIME }),

  row(
    REQUESTING,
    { counters: USED, failures: 1, failure: FAILURE, usage: SPENT, costUsd: 0.5 },
    replied(FIRST, message('tool_use', CALLS.content, 7), 0.25),
    'isCurrent',
    'persisting.response',
    {
      counters: { turns: 2, attempts: 5, pauses: 1, truncations: 1, summaries: 0 },
      usage: { output: 10_007 },
      costUsd: 0.75,
      failures: 0,
      failure: null,
      reply: { kind: 'calls' },
      calls: [
        { id: 'a', name: 'read_file', progress: 'planned' },
        { id: 'b', name: 'read_file', progress: 'planned' },
      ],
      pending: { type: 'reply.received', turn: 1, attempt: 1, costUsd: 0.25, problems: [] },
    },
  ),
  row(REQUESTING, {}, failed(FIRST), 'isWorthAnotherTry', 'backingOff', {
    ...RETRIED,
    counters: { attempts: 1, turns: 0 },
  }),
  row(
    REQUESTING,
    {},
    failed(FIRST, { kind: 'context', retryable: false }),
    'isOutOfContext',
    'context_exhausted',
    { failure: { kind: 'context' }, failures: 1, counters: { attempts: 1 } },
  ),
  row(REQUESTING, { ...RETRIED }, failed({ turn: 1, attempt: 2 }), 'isCurrent', 'model_error', {
    failures: 2,
    counters: { attempts: 1 },
  }),
  row(REQUESTING, MEASURE, CANCEL, null, CLOSING, {
    stop: CANCELLED,
    pending: { stop: CANCELLED, notice: null },
    unsettled: WORST,
  }),
  row(REQUESTING, MEASURE, EXPIRE, null, CLOSING, {
    stop: OUT_OF_TIME,
    unsettled: WORST,
    pending: { stop: OUT_OF_TIME, notice: expect.stringContaining('The time limit') },
  }),
  row(REQUESTING, {}, UNSAVED, null, 'journal_error', { stop: null }),

  row(
    REQUESTING,
    { limits: BUDGETS, maxOutputTokens: 200, ...MEASURE },
    resumed({ maxTurns: 3 }),
    null,
    CHECKING,
    { limits: { maxTurns: 3, tokenBudget: null }, maxOutputTokens: 200, unsettled: WORST },
  ),
  row(MEASURING, { limits: BUDGETS, ...MEASURE }, resumed({ maxTurns: 3 }), null, CHECKING, {
    limits: { maxTurns: 3, tokenBudget: null },
    unsettled: NOTHING_UNSETTLED,
  }),

  row(
    'backingOff',
    { ...RETRIED, stop: OUT_OF_TURNS },
    elapsed(2),
    'isConcluding',
    'finishing.checking',
    RETRIED,
  ),
  row('backingOff', RETRIED, elapsed(2), 'isCurrent', CHECKING, RETRIED),
  row('backingOff', { ...RETRIED, stop: OUT_OF_TURNS }, CANCEL, null, CLOSING, { stop: CANCELLED }),
  row('backingOff', RETRIED, EXPIRE, 'isNotStopping', CLOSING, { stop: OUT_OF_TIME }),
  row('backingOff', { ...RETRIED, ...TURNED_OUT }, resumed({ maxTurns: 3 }), 'isLifted', CHECKING, {
    ...RETRIED,
    stop: null,
    limits: { maxTurns: 3 },
  }),
  row('backingOff', { ...RETRIED, ...TURNED_OUT }, resumed({ maxRetries: 9 }), null, 'backingOff', {
    ...RETRIED,
    stop: OUT_OF_TURNS,
    limits: { maxTurns: 2, maxRetries: 9 },
  }),

  row(
    'finishing.checking',
    { stop: OUT_OF_TURNS, limits: BUDGETS },
    null,
    'needsMeasure',
    'finishing.measuring',
    { stop: OUT_OF_TURNS },
  ),
  row('finishing.checking', { stop: OUT_OF_TURNS, ...MEASURE }, null, null, FINISHING, NO_MEASURE),
  row(
    'finishing.measuring',
    { stop: OUT_OF_TURNS, limits: WINDOW },
    measured(FIRST, FULL),
    'isPastWindow',
    'ending',
    { stop: OUT_OF_TURNS, counters: { summaries: 0 }, ...NO_MEASURE },
  ),
  row(
    'finishing.measuring',
    { stop: OUT_OF_TURNS, limits: BUDGETS },
    measured(FIRST, { ...DEAR, inputTokens: 1_000 }),
    'isSummaryTooDear',
    'ending',
    { stop: OUT_OF_TURNS, counters: { summaries: 0 }, ...NO_MEASURE },
  ),
  row(
    'finishing.measuring',
    { stop: { status: 'token_budget' }, limits: BUDGETS, usage: SPENT },
    measured(FIRST, SMALL),
    'isCurrent',
    FINISHING,
    { forecast: SMALL, allowance: { tokens: 100, by: null } },
  ),
  row(
    FINISHING,
    { stop: OUT_OF_TURNS, counters: USED },
    replied(FIRST, message('tool_use', CALLS.content, 7)),
    'isCurrent',
    'persisting.summary',
    {
      counters: { turns: 1, attempts: 5, summaries: 1 },
      usage: { output: 7 },
      calls: [{ id: 'a' }, { id: 'b' }],
      pending: { type: 'summary.received', turn: 1, attempt: 1 },
    },
  ),
  row(FINISHING, { stop: OUT_OF_TURNS }, failed(FIRST), 'isWorthAnotherSummary', 'backingOff', RETRIED),
  row(FINISHING, { stop: OUT_OF_TURNS }, failed(FIRST, { retryable: false }), 'isCurrent', 'ending', {
    stop: OUT_OF_TURNS,
    failures: 1,
    counters: { attempts: 1, summaries: 0 },
  }),
  ...(
    [
      [FINISHING, WORST],
      ['finishing.measuring', NOTHING_UNSETTLED],
    ] as const
  ).flatMap(([from, unsettled]) => [
    row(from, { stop: OUT_OF_TURNS, ...MEASURE }, CANCEL, null, CLOSING, {
      stop: CANCELLED,
      pending: { stop: CANCELLED, notice: null },
      unsettled,
    }),
    row(
      from,
      { ...TURNED_OUT, ...MEASURE },
      resumed({ maxTurns: 3, maxOutputTokens: 150 }),
      'isLifted',
      CHECKING,
      { stop: null, limits: { maxTurns: 3 }, maxOutputTokens: 150, unsettled },
    ),
    row(
      from,
      { ...TURNED_OUT, maxOutputTokens: 200, ...MEASURE },
      resumed({ maxRetries: 9 }),
      null,
      'finishing.checking',
      { stop: OUT_OF_TURNS, limits: { maxTurns: 2, maxRetries: 9 }, maxOutputTokens: 200, unsettled },
    ),
  ]),
];

export const askingRefusals: Refusal[] = [
  refusal(
    'while concluding, the clock changes nothing',
    'backingOff',
    { ...RETRIED, stop: OUT_OF_TURNS },
    EXPIRE,
  ),
  refusal('a wait for another try', 'backingOff', { ...RETRIED, stop: OUT_OF_TURNS }, elapsed(1)),
  refusal('a summary of another turn', FINISHING, { stop: OUT_OF_TURNS, turn: 2 }, replied(FIRST, ANSWER)),
  refusal(
    'a measure of an earlier attempt',
    MEASURING,
    { limits: BUDGETS, attempt: 2 },
    measured(FIRST, LARGE),
  ),
  refusal(
    'a measure of another turn',
    'finishing.measuring',
    { limits: BUDGETS, stop: OUT_OF_TURNS, turn: 2 },
    measured(FIRST, SMALL),
  ),
  refusal(
    'text of an earlier attempt',
    REQUESTING,
    { attempt: 2 },
    replied(FIRST, message('end_turn', [text('x')])),
  ),
];

function elapsed(attempt: number) {
  return { type: 'wait.elapsed', turn: 1, attempt } as const;
}
