import { existsSync } from 'node:fs';
import type { ApprovalRequest } from '../permissions/approver.ts';
import { fileOf } from '../tools/change-file.ts';
import { bar, callInFull } from './call-in-full.ts';
import { editDiff } from './edit-diff.ts';
import { printable, printableLine } from './printable.ts';
import type { Style } from './style.ts';

/**
 * What a call would do, for the person who decides: a change of a file as a diff, all else by its arguments.
 * @param columns of the terminal; Infinity: nothing breaks
 */
export async function callToDecide(
  call: Pick<ApprovalRequest, 'tool' | 'input' | 'workspace' | 'file'>,
  style: Style,
  columns: number,
): Promise<string> {
  const shown = await callAsChange(call, style, columns);
  return (await isOvertaken(call)) ? `${shown}\n${bar(OVERTAKEN, columns, style.yellow)}` : shown;
}

const OVERTAKEN =
  '(The file has changed since the call was made. A yes will not overwrite it: the model is told to look at it again.)';

async function isOvertaken({
  file,
  workspace,
}: Pick<ApprovalRequest, 'file' | 'workspace'>): Promise<boolean> {
  // The run may be at work on another machine.
  if (file === undefined || !existsSync(workspace)) return false;
  const now = await fileOf(file, workspace);
  return now?.path !== file.path || now.version !== file.version;
}

async function callAsChange(
  { tool, input, workspace }: Pick<ApprovalRequest, 'tool' | 'input' | 'workspace'>,
  style: Style,
  columns: number,
): Promise<string> {
  if (tool === 'write_file' && isWrite(input)) {
    const { content, ...others } = input;
    const diff = await editDiff(workspace, input.path, { content });
    return diff === undefined ? callInFull(input, columns) : inDiff(others, diff, style, columns);
  }
  if (tool === 'edit_file' && isEdit(input)) {
    const { old_string, new_string, ...others } = input;
    const diff = await editDiff(workspace, input.path, input);
    const texts = [...changed('-', old_string), ...changed('+', new_string)];
    return inDiff(others, diff ?? texts, style, columns);
  }
  return callInFull(input, columns);
}

/** The same change for the page, where its texts are shown beside it. undefined: no file is changed, or none can be read. */
export async function changeAsDiff({
  tool,
  input,
  workspace,
}: Pick<ApprovalRequest, 'tool' | 'input' | 'workspace'>): Promise<readonly string[] | undefined> {
  const isChange = (tool === 'write_file' && isWrite(input)) || (tool === 'edit_file' && isEdit(input));
  return isChange ? editDiff(workspace, input.path, input) : undefined;
}

interface Write {
  readonly path: string;
  readonly content: string;
}
interface Edit {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
}

const isWrite = (input: unknown): input is Write => hasTexts(input, 'path', 'content');
const isEdit = (input: unknown): input is Edit => hasTexts(input, 'path', 'old_string', 'new_string');
const hasTexts = (input: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (input as Record<string, unknown> | null)?.[name] === 'string');

function inDiff(others: object, lines: readonly string[], style: Style, columns: number): string {
  const shown = lines.map((line) => bar(printableLine(line), columns, paintOf(line, style)));
  const nothing = [bar('(nothing would change)', columns)];
  return [callInFull(others, columns), ...(shown.length === 0 ? nothing : shown)].join('\n');
}

function paintOf(line: string, { red, green, cyan, dim }: Style): (text: string) => string {
  if (line.startsWith('-')) return red;
  if (line.startsWith('+')) return green;
  return line.startsWith('@@') ? cyan : dim;
}

/** Every line: who allows a call has seen the whole of it. */
const changed = (mark: string, text: string): string[] =>
  text === ''
    ? []
    : printable(text)
        .split('\n')
        .map((line) => `${mark} ${line}`);
