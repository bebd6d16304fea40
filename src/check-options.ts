/** Options may come from plain JavaScript, so all that the types say of them is looked at here. */
import { DEFAULT_LIMITS, type Limits } from '../machines/limits.ts';
import type { Prices } from './budget/price-list.ts';
import { priceOf } from './budget/prices.ts';
import { checkLimits } from './check-limits.ts';
import { OptionsError } from './checks/options-error.ts';
import {
  checkShape,
  FUNCTION,
  isObject,
  LIST,
  MILLISECONDS,
  OBJECT,
  objectWith,
  PATTERNS,
  type Shapes,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
} from './checks/shape.ts';
import { checkHooks } from './hooks/check-hooks.ts';
import type { Means, ResumeOptions, RunOptions } from './options.ts';

const MEANS = {
  client: objectWith(['ask'], ' such as anthropicModel() or scriptedModel() gives'),
  tools: LIST,
  policy: objectWith(['decide'], ' such as allowAll, askForEffects or one of rulesPolicy()'),
  approver: objectWith(['ask']),
  hooks: OBJECT,
  secrets: TEXTS,
  redact: PATTERNS,
  idleTimeoutMs: MILLISECONDS,
  maxRetryWaitMs: MILLISECONDS,
  prices: objectWith(['get'], ' such as LIST_PRICES or what parsePrices() gives'),
  signal: objectWith(['addEventListener', 'removeEventListener']),
  onEvent: FUNCTION,
  sandbox: objectWith(['run']),
  gate: objectWith(['cross']),
  inspect: FUNCTION,
  now: FUNCTION,
  random: FUNCTION,
} satisfies Shapes<Means>;

const RUN = {
  ...MEANS,
  task: TEXT,
  model: TEXT,
  workspace: TEXT,
  system: TEXT,
  effort: TEXT_OR_NULL,
  fallbackModel: TEXT,
  limits: OBJECT,
  journal: objectWith(['append', 'sync', 'close']),
  check: OBJECT,
  runId: TEXT,
  settings: OBJECT,
} satisfies Shapes<RunOptions>;

const RESUME = {
  ...MEANS,
  instruction: TEXT,
  limits: {
    words: 'an object or a function',
    fits: (value) => isObject(value) || typeof value === 'function',
  },
  check: OBJECT,
  workspace: TEXT,
  settings: OBJECT,
} satisfies Shapes<ResumeOptions>;

/** @throws OptionsError in one line; nothing was created then */
export function checkOptions(options: RunOptions): void {
  checkNoLimit(options);
  checkShape('run()', options, RUN, ['client', 'task', 'model']);
  const { task, model, runId, limits = {}, hooks = {} } = options;
  if (task.trim() === '') throw new OptionsError('The task is empty: say what is to be done.');
  if (model.trim() === '') throw new OptionsError('There is no model: give run() the id of one.');
  if (runId !== undefined && !/^\w[\w.-]*$/.test(runId))
    throw new OptionsError('The run id must be made of letters, digits, ".", "_" and "-": it names a file.');
  checkHooks(hooks);
  checkLimits(limits);
  checkPrices(limits, [model, options.fallbackModel], options.prices);
}

/** Limits are for whoever knows what is recorded. @throws OptionsError in one line */
export function checkResumeOptions(options: ResumeOptions): void {
  checkNoLimit(options);
  const recorded = keyOf(options, (key) => Object.hasOwn(RUN, key) && !Object.hasOwn(RESUME, key));
  if (recorded !== undefined)
    throw new OptionsError(`resume() takes no ${recorded}: a run keeps the one that it has on record.`);
  checkShape('resume()', options, RESUME, ['client']);
  checkHooks(options.hooks ?? {});
}

/** The likeliest slip of all: no other name would be near. */
function checkNoLimit(options: unknown): void {
  const name = keyOf(options, (key) => Object.hasOwn(DEFAULT_LIMITS, key));
  if (name !== undefined)
    throw new OptionsError(`${name} is one of the limits: write it as limits: { ${name}: … }.`);
}

const keyOf = (options: unknown, isMeant: (key: string) => boolean): string | undefined =>
  isObject(options) ? Object.keys(options).find(isMeant) : undefined;

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
      `There is a money budget, but no price is known for the model ${unknown}. Give its price in the option prices (--prices FILE), or a token budget.`,
    );
}
