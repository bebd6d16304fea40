import { NO_COUNTERS } from '../../../machines/limits.ts';
import {
  CALLS,
  CANCEL,
  CANCELLED,
  call,
  digestOf,
  EXPIRE,
  FAILURE,
  OUT_OF_TIME,
  OUT_OF_TURNS,
  pending,
  resumed,
  saved,
} from '../given.ts';
import { type Refusal, type Row, refusal, row } from './row.ts';

const RESPONSE = { pending: pending.response };
const RESULTS = { pending: pending.results };
const NUDGED = { pending: pending.nudge };
const CLOSING = { pending: pending.closing, stop: OUT_OF_TURNS };
const SUMMARY = { pending: pending.summary, stop: OUT_OF_TURNS };
const TURN_USED = { ...NO_COUNTERS, turns: 2 };
const SUMMED_UP = { ...NO_COUNTERS, turns: 1, summaries: 1 };
const TURN_LEFTOVERS = {
  counters: { ...NO_COUNTERS, turns: 1 },
  attempt: 3,
  maxOutputTokens: 200,
  pauses: 1,
  failures: 1,
  failure: FAILURE,
  calls: [call('a', 'finished')],
};
const NEXT_TURN = {
  turn: 2,
  attempt: 1,
  maxOutputTokens: 100,
  pauses: 0,
  failures: 0,
  failure: null,
  reply: null,
  calls: [],
  pending: null,
};
/** What the turn ended in, a pause or not, was said by the draft. */
const CLOSED_TURN = { ...NEXT_TURN, pauses: TURN_LEFTOVERS.pauses };

export const persistingRows: Row[] = [
  row('persisting.response', RESPONSE, saved('reply.received'), 'isSaved', 'validating.gate', {
    pending: null,
  }),
  row('persisting.response', RESPONSE, CANCEL, 'isNotCancelled', 'persisting.response', {
    stop: CANCELLED,
    ...RESPONSE,
  }),
  row('persisting.response', RESPONSE, EXPIRE, 'isNotStopping', 'persisting.response', {
    stop: OUT_OF_TIME,
    ...RESPONSE,
  }),

  row(
    'persisting.results',
    { ...RESULTS, ...TURN_LEFTOVERS },
    saved('results.recorded'),
    'isSaved',
    'asking.checking',
    NEXT_TURN,
  ),
  row(
    'persisting.results',
    { ...RESULTS, stop: OUT_OF_TIME },
    CANCEL,
    'isNotCancelled',
    'persisting.results',
    {
      stop: CANCELLED,
    },
  ),
  row('persisting.results', RESULTS, EXPIRE, 'isNotStopping', 'persisting.results', { stop: OUT_OF_TIME }),

  row(
    'persisting.nudge',
    { ...NUDGED, ...TURN_LEFTOVERS, nudges: 1 },
    saved('nudge.recorded'),
    'isSaved',
    'asking.checking',
    { ...NEXT_TURN, nudges: 1 },
  ),
  row('persisting.nudge', { ...NUDGED, stop: OUT_OF_TIME }, CANCEL, 'isNotCancelled', 'persisting.nudge', {
    stop: CANCELLED,
    ...NUDGED,
  }),
  row('persisting.nudge', NUDGED, EXPIRE, 'isNotStopping', 'persisting.nudge', { stop: OUT_OF_TIME }),

  row(
    'persisting.closing',
    { ...CLOSING, stop: CANCELLED, calls: [call('a', 'planned')] },
    saved('run.closing'),
    'isCancelledMeanwhile',
    'persisting.closing',
    { turn: 1, calls: [], pending: { type: 'run.closing', stop: CANCELLED, results: [], notice: null } },
  ),
  row(
    'persisting.closing',
    { ...CLOSING, ...TURN_LEFTOVERS },
    saved('run.closing'),
    'owesSummary',
    'finishing.checking',
    CLOSED_TURN,
  ),
  row(
    'persisting.closing',
    { ...CLOSING, ...TURN_LEFTOVERS, counters: SUMMED_UP },
    saved('run.closing'),
    'isSaved',
    'ending',
    CLOSED_TURN,
  ),
  row(
    'persisting.closing',
    { ...CLOSING, counters: TURN_USED, calls: [call('a', 'planned')], reply: digestOf(CALLS) },
    resumed({ maxTurns: 3 }),
    'isLiftedBeforeCalls',
    'validating.gate',
    { stop: null, pending: null, limits: { maxTurns: 3 }, calls: [{ id: 'a' }] },
  ),
  row(
    'persisting.closing',
    { ...CLOSING, counters: TURN_USED },
    resumed({ maxTurns: 3 }),
    'isLifted',
    'asking.checking',
    {
      stop: null,
      pending: null,
      limits: { maxTurns: 3 },
    },
  ),
  row('persisting.closing', CLOSING, CANCEL, 'isNotCancelled', 'persisting.closing', {
    stop: CANCELLED,
    pending: { stop: OUT_OF_TURNS },
  }),

  row(
    'persisting.summary',
    { ...SUMMARY, calls: [call('a', 'planned')], counters: SUMMED_UP },
    saved('summary.received'),
    'hasOpenCalls',
    'persisting.closing',
    {
      pending: {
        type: 'run.closing',
        stop: OUT_OF_TURNS,
        results: [{ callId: 'a', content: 'Not executed: the turn limit of this run is reached.' }],
        notice: null,
      },
    },
  ),
  row('persisting.summary', SUMMARY, saved('summary.received'), 'isSaved', 'ending', { pending: null }),
];

export const persistingRefusals: Refusal[] = [
  refusal('a second cancel', 'persisting.response', { ...RESPONSE, stop: CANCELLED }, CANCEL),
  refusal('a second cancel', 'persisting.results', { ...RESULTS, stop: CANCELLED }, CANCEL),
  refusal('the clock after a cancel', 'persisting.response', { ...RESPONSE, stop: CANCELLED }, EXPIRE),
  refusal('the clock after a cancel', 'persisting.results', { ...RESULTS, stop: CANCELLED }, EXPIRE),
  refusal('a second cancel', 'persisting.nudge', { ...NUDGED, stop: CANCELLED }, CANCEL),
  refusal('the clock after a cancel', 'persisting.nudge', { ...NUDGED, stop: CANCELLED }, EXPIRE),
  refusal('another record', 'persisting.nudge', NUDGED, saved('results.recorded')),
  refusal('a record of another turn', 'persisting.nudge', NUDGED, saved('nudge.recorded', 2)),
  refusal('another record', 'persisting.response', RESPONSE, saved('results.recorded')),
  refusal('a record of another turn', 'persisting.results', RESULTS, saved('results.recorded', 2)),
  refusal('another record', 'persisting.closing', CLOSING, saved('results.recorded')),
  refusal('another record', 'persisting.summary', SUMMARY, saved('run.closing')),
  refusal('a second cancel', 'persisting.closing', { ...CLOSING, stop: CANCELLED }, CANCEL),
  refusal('a cancel of a run whose answer is there', 'persisting.summary', SUMMARY, CANCEL),
];
