/**
 * What the loop machine is made of: its jobs, guards and actions under the names that its states use, and the edges that
 * several states share. The jobs are stubs that throw; `provide` puts real ones in their place.
 */
import { assign, fromCallback, sendTo, setup } from 'xstate';
import type { Budget } from './budget.ts';
import type { JobInputs, JobName, LoopContext, LoopInput } from './context.ts';
import type { LoopEvent, StopCalls } from './events.ts';
import { guards } from './guards.ts';
import { type ClosingStatus, STOP_STATUSES, type StopStatus } from './status.ts';
import { updates } from './updates.ts';

const job = <Name extends JobName>(name: Name) =>
  fromCallback<StopCalls, JobInputs[Name]>(() => {
    throw new Error(
      `${name}: not provided. Give the loop machine its jobs with loopMachine.provide({ actors }).`,
    );
  });

export const loop = setup({
  types: {} as {
    context: LoopContext;
    events: LoopEvent;
    input: LoopInput;
    children: { executeTools: 'executeTools' };
  },
  actors: {
    askModel: job('askModel'),
    measurePrompt: job('measurePrompt'),
    watchClock: job('watchClock'),
    waitBeforeRetry: job('waitBeforeRetry'),
    appendJournal: job('appendJournal'),
    reviewCalls: job('reviewCalls'),
    awaitApproval: job('awaitApproval'),
    executeTools: job('executeTools'),
  },
  guards,
  actions: {
    receiveReply: assign(updates.receiveReply),
    receiveSummary: assign(updates.receiveSummary),
    noteFailure: assign(updates.noteFailure),
    leaveUnsettled: assign(updates.leaveUnsettled),
    takeMeasure: assign(updates.takeMeasure),
    takeSummaryMeasure: assign(updates.takeSummaryMeasure),
    forgetMeasure: assign(updates.forgetMeasure),
    askAgain: assign(updates.askAgain),
    fallBack: assign(updates.fallBack),
    resumePause: assign(updates.resumePause),
    growOutput: assign(updates.growOutput),
    noteVerdicts: assign(updates.noteVerdicts),
    noteApproval: assign(updates.noteApproval),
    noteDenial: assign(updates.noteDenial),
    noteStarted: assign(updates.noteStarted),
    noteFinished: assign(updates.noteFinished),
    draftResults: assign(updates.draftResults),
    draftNudge: assign(updates.draftNudge),
    draftClosing: assign(updates.draftClosing),
    nextTurn: assign(updates.nextTurn),
    closeTurn: assign(updates.closeTurn),
    forgetCalls: assign(updates.forgetCalls),
    forgetPending: assign(updates.forgetPending),
    takeLimits: assign(updates.takeLimits),
    forgetStop: assign(updates.forgetStop),
    stopFor: assign(updates.stopFor),
    cancel: assign(updates.cancel),
    stopCalls: sendTo(
      'executeTools',
      ({ context }): StopCalls => ({ type: 'calls.stop', stop: context.stop }),
    ),
  },
});

/** One final state for each stop status, named like it. */
export const terminalStates = Object.fromEntries(
  Object.entries(STOP_STATUSES).map(([status, { meaning }]) => [
    status,
    { type: 'final', description: meaning },
  ]),
) as Record<StopStatus, { type: 'final'; description: string }>;

/** Where a limit or a person ends the run: the reason is noted, then saved together with an answer for every open call. */
export const CLOSING = '#loop.persisting.closing';
export const reach = (
  guard:
    | 'isOutOfTurns'
    | 'isOutOfTokens'
    | 'isOutOfMoney'
    | 'isTooLarge'
    | 'isTooDear'
    | 'isShortOfTokens'
    | 'isShortOfMoney'
    | 'isOutOfToolCalls'
    | 'isStuck',
  status: ClosingStatus,
) => ({ guard, target: CLOSING, actions: { type: 'stopFor', params: { status } } }) as const;
/** Of what a budget cut, the next try would get even less. It counts as made, in case that another budget allows one. */
export const cut = (guard: 'isCutByTokens' | 'isCutByMoney', status: Budget) =>
  ({ guard, target: CLOSING, actions: ['askAgain', { type: 'stopFor', params: { status } }] }) as const;
export const CANCEL = { target: CLOSING, actions: 'cancel' } as const;
export const EXPIRE = {
  target: CLOSING,
  actions: { type: 'stopFor', params: { status: 'time_limit' } },
} as const;

/** What is being saved is saved first. */
export const NOTED = {
  'run.cancelled': { guard: 'isNotCancelled', actions: 'cancel' },
  'time.expired': { guard: 'isNotStopping', actions: EXPIRE.actions },
} as const;

/** The run goes on under limits that no longer end it. */
export const LIFT = {
  guard: 'isLifted',
  target: '#loop.asking',
  actions: ['takeLimits', 'forgetStop'],
} as const;
/** Measured again, under the limits of now: what was asked for with an older measure may not fit any more. */
export const LOOK_AGAIN = { target: '.checking', actions: 'takeLimits' } as const;
export const LIFTS = [{ ...LIFT, guard: 'isLiftedBeforeCalls', target: '#loop.validating' }, LIFT] as const;

/** What a request came to that is left before its end is not known, and may be all that it was allowed. */
export const GIVE_UP = {
  cancel: { target: CLOSING, actions: ['leaveUnsettled', 'cancel'] },
  expire: { target: CLOSING, actions: ['leaveUnsettled', EXPIRE.actions] },
  lift: { ...LIFT, actions: ['leaveUnsettled', 'takeLimits', 'forgetStop'] },
  lookAgain: { target: 'checking', actions: ['leaveUnsettled', 'takeLimits'] },
} as const;

/** The same request is sent again, after a wait. */
export const RETRY = {
  guard: 'isWorthAnotherTry',
  target: '#loop.backingOff',
  actions: ['noteFailure', 'askAgain'],
} as const;
