import type * as z from 'zod';
import { inputSchemaOf, keysOf } from './input-schema.ts';
import { cut, spell } from './names.ts';
import type { Tool } from './tool.ts';

export type CheckedInput =
  | { readonly ok: true; readonly input: unknown }
  /** For the model: what is wrong, and which keys there are. */
  | { readonly ok: false; readonly reason: string };

const MOST_PROBLEMS = 10;
const LONGEST_PROBLEM = 500;
const LONGEST_KEY = 100;

/** Proves what the model sent against the tool's schema. Never throws for an input, however odd. */
export function checkInput(tool: Tool, input: unknown): CheckedInput {
  if (!isPlainObject(input)) return refuse(tool, [`it must be an object, and ${kindOf(input)} came`]);
  const { known, isOpen } = keysOf(tool);
  const unknown = isOpen ? [] : Object.keys(input).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    return refuse(
      tool,
      unknown.slice(0, MOST_PROBLEMS).map((key) => `there is no key ${quote(key)}`),
    );
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return { ok: true, input: parsed.data };
  const problems = parsed.error.issues.slice(0, MOST_PROBLEMS).map((issue) => describe(issue, input));
  return refuse(tool, problems);
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;

const quote = (key: string): string => `"${spell(cut(key, LONGEST_KEY))}"`;

function describe({ path, message, code }: z.core.$ZodIssue, input: unknown): string {
  const place = path.map(String).join('.');
  if (code === 'invalid_type' && path.length === 1 && !Object.hasOwn(input as object, place))
    return `the key ${quote(place)} is missing`;
  const problem = message.slice(0, LONGEST_PROBLEM);
  return path.length === 0 ? problem : `${quote(place)}: ${problem}`;
}

function refuse(tool: Tool, problems: readonly string[]): CheckedInput {
  const { known } = keysOf(tool);
  const required = inputSchemaOf(tool).required as readonly string[] | undefined;
  const keys = known.map((key) => `${key} (${required?.includes(key) ? 'required' : 'optional'})`);
  const allowed = keys.length === 0 ? 'It takes no keys: send {}.' : `Its keys: ${keys.join(', ')}.`;
  return { ok: false, reason: `Wrong input for ${tool.name}: ${problems.join('; ')}. ${allowed}` };
}
