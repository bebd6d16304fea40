import type { Parked } from '../inspector/protocol.ts';
import { printableLine } from './printable.ts';

const NAMES = {
  request: 'the request',
  wait: 'the wait',
  review: 'the review of the calls',
  hook: 'a hook',
  check: 'the check',
  approval: 'the question',
} as const;

/** What waits at the gate, in words. */
export const effectName = ({ kind, tool, turn }: Parked): string =>
  `${kind === 'tool' ? `the call of ${printableLine(tool ?? '')}` : NAMES[kind]} (turn ${turn})`;
