import type { Difference } from '../journal/compare.ts';
import { fitted } from './fitted.ts';
import { counted, jsonLine } from './format.ts';
import { printableLine } from './printable.ts';
import type { Style } from './style.ts';

/** More of them say no more to a person. */
const MOST_SHOWN = 20;
/** How much of what two texts have in common is shown in front of where they part. */
const COMMON_SHOWN = 20;

/** Three lines for each field: its path, and what the two sides have there. @param width columns that no line exceeds */
export function differenceLines(all: readonly Difference[], width: number, style: Style): string[] {
  const more = all.length - MOST_SHOWN;
  return [
    ...all.slice(0, MOST_SHOWN).flatMap((one) => fieldLines(one, width - 4, style)),
    ...(more > 0 ? [`… and ${counted(more, 'more difference')}: --json shows all`] : []),
  ];
}

function fieldLines({ path, left, right }: Difference, width: number, style: Style): string[] {
  const [before, after] = shownValues(left, right);
  return [
    `  ${style.bold(fitted(printableLine(path), width))}`,
    `  ${style.red(`- ${fitted(before, width)}`)}`,
    `  ${style.green(`+ ${fitted(after, width)}`)}`,
  ];
}

/** Two long texts may part far behind their beginning, and that place is what is to be seen. */
function shownValues(left: unknown, right: unknown): [string, string] {
  if (typeof left !== 'string' || typeof right !== 'string') return [shown(left), shown(right)];
  const shortest = Math.min(left.length, right.length);
  let parting = 0;
  while (parting < shortest && left[parting] === right[parting]) parting += 1;
  const start = parting > 2 * COMMON_SHOWN ? parting - COMMON_SHOWN : 0;
  const from = (text: string) => `${start > 0 ? '…' : ''}${jsonLine(text.slice(start))}`;
  return [from(left), from(right)];
}

const shown = (value: unknown): string => (value === undefined ? '(absent)' : jsonLine(value));

/** An absent field is null. */
export const differenceRecord = ({ path, left = null, right = null }: Difference) => ({ path, left, right });
