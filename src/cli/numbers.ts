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
export function raised(
  name: string,
  text: string,
  recorded: number | null,
  read: (name: string, text: string) => number = positiveWhole,
): number {
  if (!text.startsWith('+')) return read(name, text);
  const more = read(`${name} +`, text.slice(1));
  if (recorded === null)
    throw new UsageError(
      `${name} ${text}: the run has no such limit that could be raised. Give a number without "+".`,
    );
  return read(name, String(recorded + more));
}

/** Like positiveWhole, where none is a sensible number. */
export function whole(name: string, text: string): number {
  if (text === '0') return 0;
  if (!/^[1-9][0-9]*$/.test(text))
    throw new UsageError(`${name} must be a whole number, 0 or more, not ${JSON.stringify(text)}.`);
  return positiveWhole(name, text);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** "90s", "10m", "1.5h", "500ms"; a number alone is seconds. @returns milliseconds, at least 1 */
export function duration(name: string, text: string): number {
  const [, figure = '', unit = 's'] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const value = Math.round(Number(figure) * (UNIT_MS[unit] ?? 1));
  if (figure === '' || value < 1)
    throw new UsageError(`${name} must be a time such as 90s, 10m or 1h, not ${JSON.stringify(text)}.`);
  if (value > LONGEST_TIMEOUT_SECONDS * 1_000)
    throw new UsageError(`${name} must be at most ${LONGEST_TIMEOUT_SECONDS}s, not ${text}.`);
  return value;
}

/** "2", "0.50", with or without a dollar sign. @returns USD */
export function dollars(name: string, text: string): number {
  const [, figure = ''] = /^\$?([0-9]+(?:\.[0-9]+)?)$/.exec(text) ?? [];
  if (figure === '' || Number(figure) === 0)
    throw new UsageError(`${name} must be a sum above 0 in USD such as 2.50, not ${JSON.stringify(text)}.`);
  return Number(figure);
}
