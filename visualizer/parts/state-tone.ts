/** The colour of a state: that of the outermost one around it, and of how a run ended. */
import { CLOSING_STATUSES } from '../../machines/status.ts';
import { machine, ROOT } from '../film/machine.ts';

const WAYS = machine.states
  .filter(({ parent, type }) => parent === ROOT && type !== 'final')
  .map(({ name }) => name);
const ENDS: ReadonlySet<string> = new Set(
  machine.states.filter(({ type }) => type === 'final').map(({ name }) => name),
);
const GOOD = 'answered';
/** Ends that were asked for: by a limit, or by a person. */
const ASKED: ReadonlySet<string> = new Set(CLOSING_STATUSES);
/** There are so many colours; a machine with more states uses them again. */
const COLOURS = 8;

export const isEnd = (state: string): boolean => ENDS.has(state);

/** What a run may be in or end with beside the loop. */
const AROUND: Readonly<Record<string, string>> = {
  verifying: '--way-4',
  repairing: '--way-2',
  unverified: '--bad',
  damaged: '--bad',
  suspended: '--warn',
  waiting: '--warn',
  interrupted: '--warn',
  running: '--way-1',
};

const known = new Map<string, string>();

/** The name of a custom property of the style sheet. */
export function toneOf(state: string): string {
  const found = known.get(state) ?? toneFor(state);
  known.set(state, found);
  return found;
}

function toneFor(state: string): string {
  const top = state.split('.')[0] ?? '';
  if (ENDS.has(top)) return top === GOOD ? '--good' : ASKED.has(top) ? '--warn' : '--bad';
  return AROUND[top] ?? `--way-${(Math.max(0, WAYS.indexOf(top)) % COLOURS) + 1}`;
}
