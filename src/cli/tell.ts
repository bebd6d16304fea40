import { wrapped } from './format.ts';
import { hasColours, styleOf } from './style.ts';

/** A sentence on standard error, broken between words where a terminal would break it within one. @param text printable */
export function tell(text: string): void {
  process.stderr.write(`${wrapped(text.split(' '), process.stderr.columns || Number.POSITIVE_INFINITY)}\n`);
}

/** The same, marked as an error. */
export function tellError(text: string): void {
  tell(`${styleOf(hasColours(process.stderr, process.env)).red('error:')} ${text}`);
}
