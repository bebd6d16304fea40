/** What a call came to, in the form that records and the service take. */
import { type ContentBlock, type FileVersion, isText, type ToolContent } from '../../machines/protocol.ts';
import { isObject, kindOf } from '../checks/shape.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { Redact } from './redact.ts';

export interface Outcome {
  readonly content: ToolContent;
  readonly isError: boolean;
  readonly file?: FileVersion;
}

/**
 * The service refuses half characters and blank text blocks. Blocks are made plain here, where what JSON cannot hold
 * still is a failure of the call.
 * @throws Error for what is no output: tools may be plain JavaScript
 */
export function normalised(output: unknown): Outcome {
  if (typeof output === 'string') return { content: output.toWellFormed(), isError: false };
  if (!isOutput(output))
    throw new Error(
      `it returned neither a text nor { content, isError }, but ${isObject(output) ? 'another object' : kindOf(output)}. That is a defect of the tool and not of the call: it may have done its work, and would answer so again. Go on without it.`,
    );
  const { content, isError, file } = output;
  const rest = { isError, ...(file && { file }) };
  if (typeof content === 'string') return { content: content.toWellFormed(), ...rest };
  const json = JSON.stringify(content, (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  return { content: (JSON.parse(json) as ContentBlock[]).filter(isNotBlank), ...rest };
}

export function redacted({ content, ...rest }: Outcome, redact: Redact): Outcome {
  if (typeof content === 'string') return { content: redact(content), ...rest };
  return {
    content: content.map((block) => (isText(block) ? { ...block, text: redact(block.text) } : block)),
    ...rest,
  };
}

/** The same with a word behind it. */
export function withNote(content: ToolContent, note: string): ToolContent {
  if (typeof content !== 'string') return [...content, { type: 'text', text: note }];
  return `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${note}`;
}

const isOutput = (value: unknown): value is Exclude<ToolOutput, string> =>
  isObject(value) &&
  typeof value.isError === 'boolean' &&
  (typeof value.content === 'string' || (Array.isArray(value.content) && value.content.every(isBlock)));

const isBlock = (value: unknown): boolean => isObject(value) && typeof value.type === 'string';

const isNotBlank = (block: ContentBlock): boolean =>
  block.type !== 'text' || (typeof block.text === 'string' && block.text.trim() !== '');
