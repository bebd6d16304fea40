import { DEFAULT_LIMITS, type Limits } from '../machines/limits.ts';
import type { Prices } from './budget/price-list.ts';
import { priceOf } from './budget/prices.ts';
import type { Check } from './journal/record.ts';
import type { Means, RunOptions } from './options.ts';

/** Options that cannot work. The message is one sentence; nothing was created. */
export class OptionsError extends TypeError {
  override readonly name: string = 'OptionsError';
}

/**
 * Options may come from plain JavaScript, and a limit that is misspelt or no number would be no limit at all.
 * @throws OptionsError of one sentence
 */
export function checkOptions(options: RunOptions): void {
  const { task, model, runId, limits = {} } = options;
  if (typeof task !== 'string' || task.trim() === '')
    throw new OptionsError('The task is empty: say what is to be done.');
  if (typeof model !== 'string' || model.trim() === '')
    throw new OptionsError('There is no model: give run() the id of one.');
  if (runId !== undefined && !/^\w[\w.-]*$/.test(runId))
    throw new OptionsError('The run id must be made of letters, digits, ".", "_" and "-": it names a file.');
  checkMeans(options);
  checkLimits(limits);
  checkPrices(limits, [model, options.fallbackModel], options.prices);
}

/** A budget that nobody can count is none. @throws OptionsError of one sentence */
export function checkPrices(
  { maxCostUsd = null }: Partial<Limits>,
  models: readonly (string | null | undefined)[],
  prices: Prices | undefined,
): void {
  if (maxCostUsd === null) return;
  const unknown = models.find(
    (model) => typeof model === 'string' && priceOf(model, 0, prices) === undefined,
  );
  if (unknown)
    throw new OptionsError(
      `There is a money budget, but no price is known for the model ${unknown}. Give its price (--prices FILE), or a token budget.`,
    );
}

/** @throws OptionsError of one sentence */
export function checkMeans({ client, policy, approver }: Means): void {
  if (typeof client?.ask !== 'function')
    throw new OptionsError('There is no client: take one from anthropicModel() or scriptedModel().');
  if (policy !== undefined && typeof policy.decide !== 'function')
    throw new OptionsError(
      'The policy must be an object with decide(call): take allowAll, askForEffects, or your own.',
    );
  if (approver !== undefined && typeof approver.ask !== 'function')
    throw new OptionsError('The approver must be an object with ask(request, signal).');
}

/** @throws OptionsError of one sentence */
export function checkLimits(limits: Partial<Limits>): void {
  for (const [name, value] of Object.entries(limits)) checkLimit(name, value);
}

/** The longest that a timer takes. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** @throws OptionsError of one sentence */
export function checkCheck({ command, timeoutMs, maxRepairs }: Check): void {
  if (typeof command !== 'string' || command.trim() === '' || command.includes('\0'))
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
  if (!Object.hasOwn(DEFAULT_LIMITS, name))
    throw new OptionsError(
      `There is no limit ${name}; the limits are ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
    );
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
