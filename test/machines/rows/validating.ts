import type { Budget } from '../../../machines/budget.ts';
import { NO_COUNTERS } from '../../../machines/limits.ts';
import type { AssistantMessage } from '../../../machines/protocol.ts';
import { NO_USAGE } from '../../../machines/reply.ts';
import { NUDGE, planCalls } from '../../../machines/turn.ts';
import {
  ANSWER,
  BUDGETS,
  CALLS,
  CANCEL,
  CANCELLED,
  call,
  digestOf,
  EXPIRE,
  message,
  OUT_OF_TIME,
  SMALL,
  text,
  toolUse,
  verdict,
} from '../given.ts';
import { type Refusal, type Row, refusal, row } from './row.ts';

const GATE = 'validating.gate';
const REVIEWING = 'validating.reviewing';
const CLOSING = 'persisting.closing';
const RESULTS = 'persisting.results';

const judged = (reply: AssistantMessage) => ({
  reply: digestOf(reply),
  calls: planCalls(digestOf(reply)),
  stop: OUT_OF_TIME,
});
const CUT = message('max_tokens', [toolUse('a')]);
const PAUSE = message('pause_turn', [text('searching')]);
const EMPTY = message('end_turn', []);
const SPENT = { usage: { ...NO_USAGE, output: 10_000 }, costUsd: 1 };
const WATCHED = { ...BUDGETS, maxToolCalls: 1, maxFallbacks: 1 };
const FELL_BACK = { ...NO_COUNTERS, fallbacks: 1 };
const CLOSED = (why: string) => [
  { callId: 'a', content: `Not executed: ${why}.` },
  { callId: 'b', content: `Not executed: ${why}.` },
];

const allowed = (by: Budget | 'context_window') => ({ tokens: 50, by });

const PLANNED = { calls: [call('a', 'planned'), call('b', 'planned')] };
const HALF_PLANNED = { calls: [call('a', 'planned'), call('b', 'waiting')] };
const WAITING = { calls: [call('a', 'waiting'), call('b', 'waiting')] };
const reviewed = (a: 'approve' | 'ask' | 'refuse', b: 'approve' | 'ask' | 'refuse', turn = 1) =>
  ({ type: 'calls.reviewed', turn, verdicts: [verdict('b', b), verdict('a', a)] }) as const;
const ASKING = 'awaitingApproval.asking';
const decision =
  (type: 'approval.granted' | 'approval.denied') =>
  (callId: string, turn = 1, fingerprint?: string) =>
    ({ type, turn, callId, ...(fingerprint !== undefined && { fingerprint }) }) as const;
const granted = decision('approval.granted');
const denied = decision('approval.denied');

export const validatingRows: Row[] = [
  row(GATE, judged(message('end_turn', [toolUse('a')])), null, 'isContradiction', 'protocol_error', {
    calls: [],
  }),
  row(GATE, { ...judged(message('refusal', [])), limits: WATCHED }, null, 'canFallBack', 'asking.checking', {
    attempt: 2,
    counters: FELL_BACK,
    stop: OUT_OF_TIME,
  }),
  row(
    GATE,
    { ...judged(message('refusal', [])), limits: WATCHED, counters: FELL_BACK },
    null,
    'isRefusal',
    'refused',
    { attempt: 1, counters: FELL_BACK },
  ),
  row(
    GATE,
    judged(message('model_context_window_exceeded', [toolUse('a')])),
    null,
    'isContextExhausted',
    'context_exhausted',
    { calls: [] },
  ),
  row(GATE, { ...judged(CUT), allowance: allowed('token_budget') }, null, 'isCutByTokens', CLOSING, {
    attempt: 2,
    pending: { stop: { status: 'token_budget' }, results: [] },
  }),
  row(GATE, { ...judged(CUT), allowance: allowed('cost_budget') }, null, 'isCutByMoney', CLOSING, {
    attempt: 2,
    pending: { stop: { status: 'cost_budget' }, results: [] },
  }),
  row(
    GATE,
    { ...judged(CUT), allowance: allowed('context_window') },
    null,
    'isCutByWindow',
    'context_exhausted',
    {
      stop: OUT_OF_TIME,
    },
  ),
  row(GATE, judged(CUT), null, 'canGrowOutput', 'asking.checking', {
    attempt: 2,
    maxOutputTokens: 200,
    calls: [],
    pauses: 0,
  }),
  row(GATE, { ...judged(CUT), maxOutputTokens: 200 }, null, 'isTruncated', 'truncated', {
    attempt: 1,
    calls: [],
  }),
  row(GATE, judged(PAUSE), null, 'canResumePause', 'asking.checking', { attempt: 2, pauses: 1, calls: [] }),
  row(GATE, { ...judged(ANSWER), ...SPENT, limits: BUDGETS }, null, 'isAnswer', 'answered', {}),
  row(GATE, judged(EMPTY), null, 'canNudge', 'persisting.nudge', {
    nudges: 1,
    pending: { type: 'nudge.recorded', turn: 1, text: NUDGE },
  }),
  row(GATE, { ...judged(PAUSE), pauses: 1 }, null, 'hasNoCalls', 'model_stopped', { pauses: 1 }),
  row(GATE, { ...judged(CALLS), ...SPENT, limits: BUDGETS, stop: CANCELLED }, null, 'isCancelled', CLOSING, {
    stop: CANCELLED,
    pending: { results: CLOSED('the person cancelled the run'), notice: null },
  }),
  row(GATE, { ...judged(CALLS), ...SPENT, limits: BUDGETS }, null, 'isOutOfTokens', CLOSING, {
    pending: {
      stop: { status: 'token_budget' },
      results: CLOSED('the token budget of this run is used up'),
    },
  }),
  row(GATE, { ...judged(CALLS), costUsd: 1, limits: BUDGETS }, null, 'isOutOfMoney', CLOSING, {
    pending: {
      stop: { status: 'cost_budget' },
      results: CLOSED('the money budget of this run is used up'),
    },
  }),
  row(
    GATE,
    { ...judged(CALLS), limits: BUDGETS, forecast: SMALL, usage: { ...NO_USAGE, output: 7_500 } },
    null,
    'isShortOfTokens',
    CLOSING,
    {
      pending: {
        stop: { status: 'token_budget' },
        results: CLOSED('the token budget of this run is used up'),
      },
    },
  ),
  row(
    GATE,
    { ...judged(CALLS), limits: BUDGETS, forecast: SMALL, costUsd: 0.935 },
    null,
    'isShortOfMoney',
    CLOSING,
    {
      pending: {
        stop: { status: 'cost_budget' },
        results: CLOSED('the money budget of this run is used up'),
      },
    },
  ),
  row(GATE, { ...judged(CALLS), limits: WATCHED, forecast: SMALL }, null, 'isOutOfToolCalls', CLOSING, {
    pending: {
      stop: { status: 'max_tool_calls' },
      results: CLOSED('the limit on tool calls of this run is reached'),
    },
  }),
  row(GATE, judged(CALLS), null, 'isStopping', CLOSING, {
    pending: { stop: OUT_OF_TIME, results: CLOSED('the time limit of this run is reached') },
  }),
  row(GATE, { ...judged(CALLS), stop: null }, null, null, REVIEWING, PLANNED),

  row(REVIEWING, PLANNED, reviewed('approve', 'ask'), 'needsApproval', ASKING, {
    calls: [call('a', 'approved'), call('b', 'waiting')],
  }),
  row(REVIEWING, PLANNED, reviewed('refuse', 'approve'), 'hasApproved', 'executing.running', {
    calls: [call('a', 'refused'), call('b', 'approved')],
  }),
  row(REVIEWING, PLANNED, reviewed('refuse', 'refuse'), 'isCurrent', RESULTS, {
    calls: [call('a', 'refused'), call('b', 'refused')],
    pending: { type: 'results.recorded', turn: 1, callIds: ['a', 'b'] },
    rounds: ['a asked b asked'],
  }),
  row(REVIEWING, PLANNED, CANCEL, null, CLOSING, {
    stop: CANCELLED,
    pending: { results: CLOSED('the person cancelled the run') },
  }),
  row(REVIEWING, PLANNED, EXPIRE, null, CLOSING, {
    stop: OUT_OF_TIME,
    pending: { results: CLOSED('the time limit of this run is reached') },
  }),

  row(ASKING, WAITING, granted('b'), 'isBound', ASKING, {
    calls: [call('a', 'waiting'), call('b', 'approved')],
  }),
  row(ASKING, WAITING, denied('b', 1, 'b asked'), 'isBound', ASKING, {
    calls: [call('a', 'waiting'), call('b', 'refused')],
  }),
  row(ASKING, WAITING, CANCEL, null, CLOSING, { pending: { stop: CANCELLED, notice: null } }),
  row(ASKING, WAITING, EXPIRE, null, CLOSING, { pending: { stop: OUT_OF_TIME } }),
  row(
    ASKING,
    WAITING,
    { type: 'approvals.postponed', turn: 1 },
    'isCurrent',
    'awaitingApproval.suspended',
    WAITING,
  ),
  row(
    ASKING,
    { calls: [call('a', 'refused'), call('b', 'approved')] },
    null,
    'isDecidedWithApproved',
    'executing.running',
    { calls: [call('a', 'refused'), call('b', 'approved')] },
  ),
  row(ASKING, { calls: [call('a', 'refused'), call('b', 'refused')] }, null, 'isDecided', RESULTS, {
    pending: { callIds: ['a', 'b'] },
  }),
];

export const validatingRefusals: Refusal[] = [
  refusal('a review of another turn', REVIEWING, PLANNED, reviewed('ask', 'approve', 2)),
  refusal('an approval of another turn', ASKING, WAITING, granted('a', 2)),
  refusal('a denial of another turn', ASKING, WAITING, denied('a', 2)),
  refusal('an approval of a call that has another input', ASKING, WAITING, granted('a', 1, 'b asked')),
  refusal('a denial of a call that has another input', ASKING, WAITING, denied('a', 1, 'b asked')),
  refusal('an approval of a call that nobody made', ASKING, WAITING, granted('c')),
  refusal('an approval of a call that was not judged', ASKING, HALF_PLANNED, granted('a')),
  refusal('the end of the questions of another turn', ASKING, WAITING, {
    type: 'approvals.postponed',
    turn: 2,
  }),
];
