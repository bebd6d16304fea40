import { UsageError } from './usage-error.ts';

/** Node's timers take no longer delay than this; a longer one fires at once. */
export const LONGEST_TIMEOUT_SECONDS = 2_147_483;

/**
 * Reads a limit from the command line. Only plain decimal digits count: what looks like another number ("1e3", "0x10",
 * "1.5") is more likely a slip than a wish. @param name how the person wrote it, such as "--max-turns"
 */
export function positiveWhole(name: string, text: string, largest = Number.MAX_SAFE_INTEGER): number {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new UsageError(`${name} must be a positive whole number such as 20, not ${JSON.stringify(text)}.`);
  const value = Number(text);
  if (value > largest) throw new UsageError(`${name} must be at most ${largest}, not ${text}.`);
  return value;
}

/**
 * A limit of a run that is taken up again: a number, or "+10" for so much more than what is recorded.
 * @param recorded null: there was no such limit
 */
export function raised(name: string, text: string | undefined, recorded: number | null): number | undefined {
  if (text === undefined) return undefined;
  if (!text.startsWith('+')) return positiveWhole(name, text);
  if (!/^\+[1-9][0-9]*$/.test(text))
    throw new UsageError(
      `${name} must be a positive whole number such as 20, or +20 for so much more, not ${JSON.stringify(text)}.`,
    );
  const more = positiveWhole(name, text.slice(1));
  if (recorded === null)
    throw new UsageError(
      `${name} ${text}: the run has no such limit that could be raised. Give a number without "+".`,
    );
  return positiveWhole(name, String(recorded + more));
}
