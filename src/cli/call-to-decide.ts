import type { ApprovalRequest } from '../permissions/approver.ts';
import { bar, callInFull } from './call-in-full.ts';
import { counted } from './format.ts';
import { printable } from './printable.ts';
import type { Style } from './style.ts';

/** Of the removed lines, and of the added ones. */
const MOST_LINES = 40;

/** What a call would do, for the person who decides: an edit as removed and added lines, all else by its arguments. */
export function callToDecide({ tool, input }: Pick<ApprovalRequest, 'tool' | 'input'>, style: Style): string {
  if (tool !== 'edit_file' || !isEdit(input)) return callInFull(input);
  const { old_string, new_string, ...others } = input;
  return [
    callInFull(others),
    ...changed('-', 'removed', old_string, style.red),
    ...changed('+', 'added', new_string, style.green),
  ].join('\n');
}

interface Edit {
  readonly old_string: string;
  readonly new_string: string;
}

const isEdit = (input: unknown): input is Edit => {
  const { old_string, new_string } = (input ?? {}) as Partial<Record<keyof Edit, unknown>>;
  return typeof old_string === 'string' && typeof new_string === 'string';
};

/** The mark on each line keeps the text from passing for the count of what is left out. */
function changed(mark: string, what: string, text: string, paint: (line: string) => string): string[] {
  const lines = text === '' ? [] : printable(text).split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => bar(paint(`${mark} ${line}`)));
  const hidden = lines.length - shown.length;
  return hidden === 0 ? shown : [...shown, bar(`(${counted(hidden, `more ${what} line`)}, not shown)`)];
}
