/** Limits, and the check of the answer: a limit that is misspelt or no number would be none at all. */
import { DEFAULT_LIMITS, type Limits } from '../machines/limits.ts';
import { OptionsError } from './checks/options-error.ts';
import { checkKeys, checkShape, isObject, NUMBER, type Shapes, TEXT } from './checks/shape.ts';
import type { Check } from './journal/record.ts';

/** @throws OptionsError of one sentence */
export function checkLimits(limits: Partial<Limits>): void {
  if (!isObject(limits)) throw new OptionsError('The limits must be an object such as { maxTurns: 20 }.');
  checkKeys('limits', limits, Object.keys(DEFAULT_LIMITS));
  for (const [name, value] of Object.entries(limits)) checkLimit(name, value);
}

/** The longest that a timer takes. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

const CHECK = { command: TEXT, timeoutMs: NUMBER, maxRepairs: NUMBER } satisfies Shapes<Check>;

/** @throws OptionsError in one line */
export function checkCheck(check: Check): void {
  checkShape('check', check, CHECK, ['command']);
  const { command, timeoutMs, maxRepairs } = check;
  if (command.trim() === '' || command.includes('\0'))
    throw new OptionsError('The check must be a command such as "npm test".');
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS)
    throw new OptionsError(
      `The timeoutMs of the check must be a whole number from 1 to ${LONGEST_TIMEOUT_MS}, and not ${timeoutMs}.`,
    );
  if (!Number.isSafeInteger(maxRepairs) || maxRepairs < 0)
    throw new OptionsError(
      `The maxRepairs of the check must be a whole number from 0 on, and not ${maxRepairs}.`,
    );
}

/** These may be left out by null: there is no such limit then. */
const OPTIONAL = new Set<string>([
  'tokenBudget',
  'maxToolCalls',
  'timeoutMs',
  'maxRepeats',
  'contextWindow',
  'fallbackWindow',
] satisfies (keyof Limits)[]);
/** Of these, none is a sensible number. */
const MAY_BE_ZERO = new Set<string>([
  'maxRetries',
  'maxPauses',
  'maxFallbacks',
  'maxTruncations',
] satisfies (keyof Limits)[]);

function checkLimit(name: string, value: unknown): void {
  if (name === 'maxCostUsd') {
    if (value !== null && !(typeof value === 'number' && value > 0 && Number.isFinite(value)))
      throw new OptionsError(`The limit maxCostUsd must be a sum above 0 in USD, and not ${String(value)}.`);
  } else if (name === 'maxCallsByTool') {
    if (typeof value !== 'object' || value === null)
      throw new OptionsError('The limit maxCallsByTool must be an object such as { bash: 20 }.');
    for (const [tool, most] of Object.entries(value)) checkWhole(`${name}.${tool}`, most, 0);
  } else if (name === 'summary') {
    if (typeof value !== 'boolean') throw new OptionsError('The limit summary must be true or false.');
  } else if (!(value === null && OPTIONAL.has(name))) {
    checkWhole(name, value, MAY_BE_ZERO.has(name) ? 0 : 1);
  }
}

function checkWhole(name: string, value: unknown, least: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least)
    throw new OptionsError(
      `The limit ${name} must be a whole number from ${least} on, and not ${String(value)}.`,
    );
}
