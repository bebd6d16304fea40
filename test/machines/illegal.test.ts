import { describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { describeMachine } from '../../machines/describe.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { STOP_STATUSES } from '../../machines/status.ts';
import {
  ANSWER,
  at,
  CANCEL,
  EXPIRE,
  failed,
  LIMITS,
  measured,
  replied,
  SMALL,
  saved,
  UNSAVED,
  verdict,
} from './given.ts';
import { step } from './step.ts';
import { NOW, WAITING } from './waiting.ts';

/** One event of each type, as it would come in answer to a turn and an attempt. */
const eventsOf = ({ turn, attempt }: typeof NOW): { [Type in LoopEvent['type']]: LoopEvent } => ({
  'model.replied': replied({ turn, attempt }, ANSWER),
  'model.failed': failed({ turn, attempt }),
  'prompt.measured': measured({ turn, attempt }, SMALL),
  'wait.elapsed': { type: 'wait.elapsed', turn, attempt },
  'record.saved': saved('reply.received', turn),
  'record.failed': UNSAVED,
  'calls.reviewed': {
    type: 'calls.reviewed',
    turn,
    verdicts: [verdict('a', 'ask'), verdict('b', 'approve')],
  },
  'approval.granted': { type: 'approval.granted', turn, callId: 'a' },
  'approval.denied': { type: 'approval.denied', turn, callId: 'a' },
  'approvals.postponed': { type: 'approvals.postponed', turn },
  'tool.started': { type: 'tool.started', turn, callId: 'b' },
  'tool.finished': { type: 'tool.finished', turn, callId: 'b', fingerprint: 'b done' },
  'calls.finished': { type: 'calls.finished', turn },
  'run.cancelled': CANCEL,
  'time.expired': EXPIRE,
  'run.resumed': { type: 'run.resumed', limits: LIMITS },
});
type State = keyof typeof WAITING;
const STATES = Object.keys(WAITING) as State[];
const TYPES = Object.keys(eventsOf(NOW)) as LoopEvent['type'][];

const machine = describeMachine(loopMachine);
const isHandled = (state: string, type: string) =>
  machine.edges.some(
    ({ source, event }) =>
      event === type && (source === machine.id || source === state || state.startsWith(`${source}.`)),
  );

function expectNothing(state: State, event: LoopEvent) {
  const snapshot = at(state, WAITING[state]);
  const { next, actions } = step(snapshot, event);
  expect(next).toBe(snapshot);
  expect(actions).toEqual([]);
}

describe('an event that a state does not handle leaves the very same snapshot, and nothing is done', () => {
  const pairs = STATES.flatMap((state) =>
    TYPES.filter((type) => !isHandled(state, type)).map((type) => [state, type] as const),
  );
  it.each(pairs)('%s: %s', (state, type) => expectNothing(state, eventsOf(NOW)[type]));
});

describe('an answer to an earlier turn or attempt leaves the very same snapshot, and nothing is done', () => {
  const earlier = [
    ['turn', { turn: 1, attempt: 2 }],
    ['attempt', { turn: 2, attempt: 1 }],
  ] as const;
  const stale = STATES.flatMap((state) =>
    earlier.flatMap(([what, when]) =>
      TYPES.filter((type) => isHandled(state, type) && what in eventsOf(when)[type]).map(
        (type) => [state, type, what, eventsOf(when)[type]] as const,
      ),
    ),
  );
  it.each(stale)('%s: %s of an earlier %s', (state, _type, _what, event) => expectNothing(state, event));
});

describe('a run that has ended takes no event any more', () => {
  it.each(Object.keys(STOP_STATUSES))('%s', (status) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const snapshot = loopMachine.getPersistedSnapshot(at(status));
    const actor = createActor(loopMachine, { input: { limits: LIMITS }, snapshot }).start();
    const ended = actor.getSnapshot();
    expect(ended.status).toBe('done');
    for (const type of TYPES) actor.send(eventsOf(NOW)[type]);
    expect(actor.getSnapshot()).toBe(ended);
    expect(warned).toHaveBeenCalledTimes(TYPES.length);
    warned.mockRestore();
  });
});
