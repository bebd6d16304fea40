/** The summary turn. Part of the loop; see loop.machine.ts for the order. */
import { jobInput } from './context.ts';
import { CANCEL, GIVE_UP, LIFT, LOOK_AGAIN, loop, RETRY } from './parts.ts';

export const finishing = loop.createStateConfig({
  description: 'One last turn, without tools, so that a limit still leaves an answer.',
  initial: 'checking',
  states: {
    checking: {
      description: 'Where there is a budget, or the window is near, the summary is measured first.',
      always: [
        { guard: 'needsMeasure', target: 'measuring' },
        { target: 'requesting', actions: 'forgetMeasure' },
      ],
    },
    measuring: {
      description:
        'A summary is asked for once whatever the token budget; further requests must fit it. Money must suffice.',
      invoke: { src: 'measurePrompt', input: jobInput.measureSummary },
      on: {
        'prompt.measured': [
          { guard: 'isPastWindow', target: '#loop.ending' },
          { guard: 'isSummaryTooDear', target: '#loop.ending' },
          { guard: 'isCurrent', target: 'requesting', actions: 'takeSummaryMeasure' },
        ],
      },
    },
    requesting: {
      description: 'The model is being asked for the summary.',
      invoke: { src: 'askModel', input: jobInput.askForSummary },
      on: {
        'model.replied': {
          guard: 'isCurrent',
          target: '#loop.persisting.summary',
          actions: 'receiveSummary',
        },
        'model.failed': [
          { ...RETRY, guard: 'isWorthAnotherSummary' },
          { guard: 'isCurrent', target: '#loop.ending', actions: 'noteFailure' },
        ],
        'run.cancelled': GIVE_UP.cancel,
        'run.resumed': [GIVE_UP.lift, GIVE_UP.lookAgain],
      },
    },
  },
  on: { 'run.cancelled': CANCEL, 'run.resumed': [LIFT, LOOK_AGAIN] },
});
