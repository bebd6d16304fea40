/**
 * The loop. What happens next is decided here: by a state, a guard or an event. Edges of several states are in parts.ts.
 *
 *     asking ──model.replied──▶ persisting.response ──record.saved──▶ validating ──▶ (awaitingApproval) ──▶ executing
 *       ▲  ▲                                                             │                                    │ calls.finished
 *       │  └── backingOff ◀── model.failed, worth another try            │ answered, refused, truncated …     ▼
 *       └──────────────── record.saved ◀─────────────────────────────────│──────────────────── persisting.results
 *                                                                        ▼
 *          a limit or a cancel ─▶ persisting.closing ─▶ finishing ─▶ persisting.summary ─▶ ending ─▶ terminal state
 *
 * The order, and why it is required:
 *  1. Save the reply, then look at it. A reply that was acted on but not saved is work that nobody can account for.
 *  2. Check it before anything runs. A reply that was cut, refused or contradicts itself leads away from `executing`;
 *     no other edge does the checking a second time.
 *  3. Save what was decided about each call, then act: a job writes a call's intent before its effect, its outcome after.
 *  4. Save the results of all calls as one message before asking again: the service takes no call without its result.
 *  5. Limits are looked at in `asking`, before a request, and in `validating.gate`, before a call: the turn limit only in
 *     the former, so that the summary has read the last round. The others keep the last round from running. A budget is
 *     looked at twice before a request: whether it is used up (`isOutOf…`), and whether the request would use it up
 *     (`measuring`), as is the context window; and twice behind a reply: whether it was cut because the budget gave it
 *     no more room (`isCutBy…`), and whether nobody could read the results of its calls any more (`isShortOf…`).
 *  6. A finished run stays what it is: an answer that is being saved when the person cancels, or when a limit passes, is an
 *     answer. What the records say is thereby enough to say how the run ended.
 *  7. A limit ends in one turn without tools (`finishing`), once. Calls that were not run are answered first.
 *
 * A state owns its job: it invokes it by name, and leaving the state aborts it. The one job that is not cut off is
 * `executeTools`: on a cancel it is asked to stop (`executing.stopping`), so that what had already run is recorded before
 * the remaining calls are closed.
 *
 * Deliberately absent: clocks, ids, chance, I/O; messages in the context (the transcript is a projection of the
 * records); `after` (a restored snapshot never fires it); flags that repeat a state.
 */
import { initialContext, jobInput } from './context.ts';
import { finishing } from './finishing.ts';
import {
  CANCEL,
  CLOSING,
  cut,
  EXPIRE,
  GIVE_UP,
  LIFT,
  LOOK_AGAIN,
  loop,
  RETRY,
  reach,
  terminalStates,
} from './parts.ts';
import { persisting } from './persisting.ts';
import { CLOSING_STATUSES } from './status.ts';

export const loopMachine = loop.createMachine({
  id: 'loop',
  context: ({ input }) => initialContext(input),
  options: { maxIterations: 100 },
  initial: 'asking',
  invoke: { src: 'watchClock', input: jobInput.watchClock },
  on: {
    'record.failed': { target: '.journal_error', description: 'What could not be saved is not acted on.' },
    'run.resumed': {
      actions: 'takeLimits',
      description: 'The state and its job begin anew; the fold tells.',
    },
  },
  states: {
    asking: {
      description: 'The next reply is wanted.',
      initial: 'checking',
      on: { 'run.resumed': LOOK_AGAIN },
      states: {
        checking: {
          description: 'No request is sent past a limit. The first in this order wins; the clock comes last.',
          always: [
            { guard: 'isCancelled', target: CLOSING },
            reach('isOutOfTurns', 'max_turns'),
            reach('isOutOfTokens', 'token_budget'),
            reach('isOutOfMoney', 'cost_budget'),
            reach('isStuck', 'stuck'),
            { guard: 'isStopping', target: CLOSING },
            { guard: 'needsMeasure', target: 'measuring' },
            { target: 'requesting', actions: 'forgetMeasure' },
          ],
        },
        measuring: {
          description:
            'How large the request is, is found out. It must fit the window, its worst case the budget, and a summary behind it.',
          invoke: { src: 'measurePrompt', input: jobInput.measurePrompt },
          on: {
            'prompt.measured': [
              { guard: 'isPastWindow', target: '#loop.context_exhausted', actions: 'takeMeasure' },
              reach('isTooLarge', 'token_budget'),
              reach('isTooDear', 'cost_budget'),
              { guard: 'isCurrent', target: 'requesting', actions: 'takeMeasure' },
            ],
            'run.cancelled': CANCEL,
            'time.expired': EXPIRE,
          },
        },
        requesting: {
          description: 'The model is being asked.',
          invoke: { src: 'askModel', input: jobInput.askModel },
          on: {
            'model.replied': {
              guard: 'isCurrent',
              target: '#loop.persisting.response',
              actions: 'receiveReply',
            },
            'model.failed': [
              RETRY,
              { guard: 'isOutOfContext', target: '#loop.context_exhausted', actions: 'noteFailure' },
              { guard: 'isCurrent', target: '#loop.model_error', actions: 'noteFailure' },
            ],
            'run.cancelled': GIVE_UP.cancel,
            'time.expired': GIVE_UP.expire,
            'run.resumed': GIVE_UP.lookAgain,
          },
        },
      },
    },

    backingOff: {
      description: 'A request failed and is worth another try after a wait.',
      invoke: { src: 'waitBeforeRetry', input: jobInput.waitBeforeRetry },
      on: {
        'wait.elapsed': [
          { guard: 'isConcluding', target: 'finishing' },
          { guard: 'isCurrent', target: 'asking' },
        ],
        'run.cancelled': CANCEL,
        'run.resumed': LIFT,
        'time.expired': { guard: 'isNotStopping', ...EXPIRE },
      },
    },

    persisting,

    validating: {
      description: 'The saved reply is judged.',
      initial: 'gate',
      states: {
        gate: {
          description: 'Only a complete reply without contradictions leads on to its calls.',
          always: [
            { guard: 'isContradiction', target: '#loop.protocol_error' },
            { guard: 'canFallBack', target: '#loop.asking', actions: 'fallBack' },
            { guard: 'isRefusal', target: '#loop.refused' },
            { guard: 'isContextExhausted', target: '#loop.context_exhausted' },
            cut('isCutByTokens', 'token_budget'),
            cut('isCutByMoney', 'cost_budget'),
            { guard: 'isCutByWindow', target: '#loop.context_exhausted' },
            { guard: 'canGrowOutput', target: '#loop.asking', actions: 'growOutput' },
            { guard: 'isTruncated', target: '#loop.truncated' },
            { guard: 'canResumePause', target: '#loop.asking', actions: 'resumePause' },
            { guard: 'isAnswer', target: '#loop.answered' },
            { guard: 'canNudge', target: '#loop.persisting.nudge' },
            { guard: 'hasNoCalls', target: '#loop.model_stopped' },
            { guard: 'isCancelled', target: CLOSING },
            reach('isOutOfTokens', 'token_budget'),
            reach('isOutOfMoney', 'cost_budget'),
            reach('isShortOfTokens', 'token_budget'),
            reach('isShortOfMoney', 'cost_budget'),
            reach('isOutOfToolCalls', 'max_tool_calls'),
            { guard: 'isStopping', target: CLOSING },
            { target: 'reviewing' },
          ],
        },
        reviewing: {
          description: 'Each call gets a verdict: run, ask a person, or refuse.',
          invoke: { src: 'reviewCalls', input: jobInput.reviewCalls },
          on: {
            'calls.reviewed': [
              { guard: 'needsApproval', target: '#loop.awaitingApproval', actions: 'noteVerdicts' },
              { guard: 'hasApproved', target: '#loop.executing', actions: 'noteVerdicts' },
              { guard: 'isCurrent', target: '#loop.persisting.results', actions: 'noteVerdicts' },
            ],
            'run.cancelled': CANCEL,
            'time.expired': EXPIRE,
          },
        },
      },
    },

    awaitingApproval: {
      description: 'A person decides, call by call. Nothing of the reply runs before all answers are there.',
      initial: 'asking',
      always: [
        { guard: 'isDecidedWithApproved', target: 'executing' },
        { guard: 'isDecided', target: 'persisting.results' },
      ],
      on: {
        'approval.granted': { guard: 'isBound', actions: 'noteApproval' },
        'approval.denied': { guard: 'isBound', actions: 'noteDenial' },
        'run.cancelled': CANCEL,
        'time.expired': EXPIRE,
      },
      states: {
        asking: {
          description: 'The person is asked about the calls that wait.',
          invoke: { src: 'awaitApproval', input: jobInput.awaitApproval },
          on: { 'approvals.postponed': { guard: 'isCurrent', target: 'suspended' } },
        },
        suspended: {
          description: 'Nobody answers now. The process may leave: what is decided later is in the records.',
        },
      },
    },

    executing: {
      description: 'Approved calls run: reads side by side, calls with effects one after the other.',
      invoke: { id: 'executeTools', src: 'executeTools', input: jobInput.executeTools },
      initial: 'running',
      on: {
        'tool.started': { guard: 'isCurrent', actions: 'noteStarted' },
        'tool.finished': { guard: 'isCurrent', actions: 'noteFinished' },
      },
      states: {
        running: {
          description: 'Calls are running.',
          on: {
            'calls.finished': { guard: 'isCurrent', target: '#loop.persisting.results' },
            'run.cancelled': { target: 'stopping', actions: 'cancel' },
            'time.expired': { target: 'stopping', actions: EXPIRE.actions },
          },
        },
        stopping: {
          description: 'What runs is being ended; its outcome is recorded before the rest is closed.',
          entry: 'stopCalls',
          on: {
            'calls.finished': { guard: 'isCurrent', target: CLOSING },
            'run.cancelled': { guard: 'isNotCancelled', actions: 'cancel' },
          },
        },
      },
    },

    finishing,

    ending: {
      description: 'The reason that was saved names the terminal state.',
      always: CLOSING_STATUSES.map((status) => ({
        guard: { type: 'isStoppedBy', params: { status } } as const,
        target: `#loop.${status}`,
      })),
    },

    ...terminalStates,
  },
});
