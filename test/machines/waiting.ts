import type { LoopContext } from '../../machines/context.ts';
import { call, FAILURE, OUT_OF_TURNS, pending } from './given.ts';

export const NOW = { turn: 2, attempt: 2 };
const OPEN = { calls: [call('a', 'waiting'), call('b', 'approved')] };

/** Every state in which the machine waits for an event, in the second attempt of the second turn. */
export const WAITING = {
  'asking.measuring': NOW,
  'asking.requesting': NOW,
  backingOff: { ...NOW, failure: FAILURE, failures: 1 },
  'persisting.response': { ...NOW, pending: { ...pending.response, turn: 2 } },
  'persisting.results': { ...NOW, pending: { ...pending.results, turn: 2 } },
  'persisting.nudge': { ...NOW, pending: { ...pending.nudge, turn: 2 } },
  'persisting.closing': { ...NOW, pending: { ...pending.closing, turn: 2 }, stop: OUT_OF_TURNS },
  'persisting.summary': { ...NOW, pending: { ...pending.summary, turn: 2 }, stop: OUT_OF_TURNS },
  'validating.reviewing': { ...NOW, calls: [call('a', 'planned'), call('b', 'planned')] },
  'awaitingApproval.asking': { ...NOW, ...OPEN },
  'awaitingApproval.suspended': { ...NOW, ...OPEN },
  'executing.running': { ...NOW, ...OPEN },
  'executing.stopping': { ...NOW, ...OPEN, stop: OUT_OF_TURNS },
  'finishing.measuring': { ...NOW, stop: OUT_OF_TURNS },
  'finishing.requesting': { ...NOW, stop: OUT_OF_TURNS },
} satisfies Record<string, Partial<LoopContext>>;
