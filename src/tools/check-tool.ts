/** Tools come from modules and from plain JavaScript: what is wrong with one is told before anything starts. */
import { unknownKey } from '../checks/shape.ts';
import type { Tool } from './tool.ts';

const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'effectful'];

const KEYS = Object.keys({
  name: true,
  description: true,
  input: true,
  effect: true,
  runsCommands: true,
  polls: true,
  fileOf: true,
  precondition: true,
  probe: true,
  run: true,
} satisfies Record<keyof Tool, true>);

/**
 * What keeps the value from having the form of a tool, as words behind "tool 2"; the registry judges the rest. The schema is looked
 * at by its parts: it may come from another copy of Zod. A key that is not known may be a rule that would never be asked.
 */
export function toolProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'is no object';
  const tool = value as Partial<Record<keyof Tool, unknown>>;
  const { name, description, input, effect, run } = tool;
  if (typeof name !== 'string' || name === '') return 'needs a "name"';
  if (typeof description !== 'string' || description.trim() === '')
    return `(${name}) needs a "description" for the model`;
  if (typeof input !== 'object' || input === null || !('_zod' in input))
    return `(${name}) needs an "input" that is a Zod 4 object schema`;
  if (!EFFECTS.includes(effect)) return `(${name}) needs an "effect": read, idempotent or effectful`;
  if (typeof run !== 'function') return `(${name}) needs a function "run"`;
  for (const rule of ['precondition', 'probe', 'fileOf'] as const)
    if (tool[rule] !== undefined && typeof tool[rule] !== 'function')
      return `(${name}) has a "${rule}" that is no function`;
  const unknown = unknownKey(value, KEYS);
  if (unknown === undefined) return undefined;
  const { key, near } = unknown;
  const meant = near === undefined ? `; known are ${KEYS.join(', ')}` : `, where "${near}" may be meant`;
  return `(${name}) has an unknown key ${JSON.stringify(key)}${meant}`;
}
