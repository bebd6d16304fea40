import { NO_COUNTERS } from '../../../machines/limits.ts';
import { CLOSING_STATUSES } from '../../../machines/status.ts';
import { CANCEL, CANCELLED, call, EXPIRE, OUT_OF_TIME } from '../given.ts';
import { type Refusal, type Row, refusal, row } from './row.ts';

const RUNNING = 'executing.running';
const STOPPING = 'executing.stopping';
const APPROVED = { calls: [call('a', 'approved'), call('b', 'approved')] };
const HALF = { calls: [call('a', 'started'), call('b', 'approved')] };
const COUNTED = { ...NO_COUNTERS, toolCalls: 1 };

const started = (callId: string, turn = 1) => ({ type: 'tool.started', turn, callId }) as const;
const finished = (callId: string, turn = 1) =>
  ({ type: 'tool.finished', turn, callId, fingerprint: `${callId} done` }) as const;
const allFinished = (turn = 1) => ({ type: 'calls.finished', turn }) as const;
const done = (id: string) => ({ ...call(id, 'finished'), fingerprint: `${id} done` });

export const executingRows: Row[] = [
  row(RUNNING, APPROVED, started('b'), 'isCurrent', RUNNING, {
    calls: [call('a', 'approved'), call('b', 'started')],
    counters: { toolCalls: 1 },
  }),
  row(RUNNING, { ...HALF, counters: COUNTED }, finished('a'), 'isCurrent', RUNNING, {
    calls: [done('a'), call('b', 'approved')],
    counters: { toolCalls: 1 },
  }),
  row(
    RUNNING,
    { calls: [done('a'), call('b', 'refused')], rounds: ['before'], nudges: 1 },
    allFinished(),
    'isCurrent',
    'persisting.results',
    {
      pending: { type: 'results.recorded', turn: 1, callIds: ['a', 'b'], notice: null },
      rounds: ['before', 'a done b asked'],
      nudges: 0,
    },
  ),
  row(RUNNING, HALF, CANCEL, null, STOPPING, { stop: CANCELLED, ...HALF }),
  row(RUNNING, HALF, EXPIRE, null, STOPPING, { stop: OUT_OF_TIME, ...HALF }),

  row(
    STOPPING,
    { calls: [done('a'), call('b', 'approved')], stop: CANCELLED },
    allFinished(),
    'isCurrent',
    'persisting.closing',
    {
      pending: {
        stop: CANCELLED,
        results: [{ callId: 'b', content: 'Not executed: the person cancelled the run.' }],
      },
    },
  ),
  row(STOPPING, { ...HALF, stop: OUT_OF_TIME }, CANCEL, 'isNotCancelled', STOPPING, { stop: CANCELLED }),

  ...CLOSING_STATUSES.map((status) =>
    row('ending', { stop: { status } }, null, `isStoppedBy(${status})`, status, { stop: { status } }),
  ),
];

export const executingRefusals: Refusal[] = [
  refusal('the end of the calls of another turn', RUNNING, { calls: [done('a')] }, allFinished(2)),
  refusal('the end of the calls of another turn', STOPPING, { ...HALF, stop: CANCELLED }, allFinished(2)),
  refusal('a start in another turn', RUNNING, APPROVED, started('a', 2)),
  refusal('an outcome of another turn', RUNNING, HALF, finished('a', 2)),
  refusal('a second cancel', STOPPING, { ...HALF, stop: CANCELLED }, CANCEL),
];
