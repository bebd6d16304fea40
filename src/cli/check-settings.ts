import type { Check } from '../journal/record.ts';
import { duration, raised, whole } from './numbers.ts';
import type { RunFlags } from './run-flags.ts';
import { UsageError } from './usage-error.ts';

type Flags = Pick<RunFlags, 'verify' | 'verifyTimeout' | 'maxRepairs'>;

/**
 * What the flags say of the check; empty: nothing.
 * @param recorded of a run that goes on
 */
export function checkSettings(
  { verify, verifyTimeout, maxRepairs }: Flags,
  recorded?: Check,
): Partial<Check> {
  if (verify?.trim() === '')
    throw new UsageError('--verify must not be empty. Name a command, such as --verify "npm test".');
  return {
    ...(verify !== undefined && { command: verify }),
    ...(verifyTimeout !== undefined && { timeoutMs: duration('--verify-timeout', verifyTimeout) }),
    ...(maxRepairs !== undefined && { maxRepairs: repairsOf(maxRepairs, recorded) }),
  };
}

const repairsOf = (text: string, recorded: Check | undefined): number =>
  raised('--max-repairs', text, recorded?.maxRepairs ?? null, whole);

/** The same for a run that begins. undefined: its answers are not checked. */
export function newCheck(flags: Flags): (Pick<Check, 'command'> & Partial<Check>) | undefined {
  const { command, ...rest } = checkSettings(flags);
  if (command !== undefined) return { command, ...rest };
  const [flag] = Object.keys(rest);
  if (flag === undefined) return undefined;
  const name = flag === 'maxRepairs' ? '--max-repairs' : '--verify-timeout';
  throw new UsageError(`${name} is about a check, and there is none. Add one: --verify "npm test".`);
}
