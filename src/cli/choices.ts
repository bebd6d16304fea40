import { quoted } from './format.ts';
import { UsageError } from './usage-error.ts';

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export const THINKING_DISPLAYS = ['summarized', 'omitted'] as const;
export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;

export type Effort = (typeof EFFORTS)[number];
export type ThinkingDisplay = (typeof THINKING_DISPLAYS)[number];
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** @param name how the person wrote it, such as "--effort" */
export function choice<Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new UsageError(`${name} must be one of ${values.join(', ')}, not ${quoted(text)}.`);
  return found;
}
