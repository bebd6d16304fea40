import type { ApprovalRequest } from '../permissions/approver.ts';
import { bar, callInFull } from './call-in-full.ts';
import { printable } from './printable.ts';
import type { Style } from './style.ts';

/** What a call would do, for the person who decides: an edit as removed and added lines, all else by its arguments. */
export function callToDecide({ tool, input }: Pick<ApprovalRequest, 'tool' | 'input'>, style: Style): string {
  if (tool !== 'edit_file' || !isEdit(input)) return callInFull(input);
  const { old_string, new_string, ...others } = input;
  return [
    callInFull(others),
    ...changed('-', old_string, style.red),
    ...changed('+', new_string, style.green),
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

/** Every line: who allows a call has seen the whole of it. */
function changed(mark: string, text: string, paint: (line: string) => string): string[] {
  const lines = text === '' ? [] : printable(text).split('\n');
  return lines.map((line) => bar(paint(`${mark} ${line}`)));
}
