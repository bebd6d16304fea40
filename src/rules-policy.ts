/** Permission rules for the calls of a run, with real paths: the policy as the command line and users of the library make it. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { OptionsError } from './checks/options-error.ts';
import { checkShape, type Shapes, TEXT, TEXTS } from './checks/shape.ts';
import { policyOf, type RulesPolicy } from './permissions/judge.ts';
import { MODES, type Mode } from './permissions/mode.ts';
import { parseRule, type RuleList } from './permissions/rule.ts';
import type { FindPlace } from './permissions/subject.ts';
import { resolveInside } from './tools/paths.ts';
import { assertNoSecrets } from './tools/secret-files.ts';
import { ToolFailure } from './tools/tool.ts';

export interface RulesPolicyOptions {
  /** Rules such as "bash(git status)", "write_file(docs/**)", "mcp__server__tool", or the name of a tool. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** What becomes of the rest. Default: ask (reads run, effects ask). */
  readonly mode?: Mode;
}

const OPTIONS = { allow: TEXTS, ask: TEXTS, deny: TEXTS, mode: TEXT } satisfies Shapes<RulesPolicyOptions>;

/**
 * Deny beats ask, ask beats allow; the mode decides the rest.
 * @throws RuleError for a rule that cannot be read, OptionsError for other options
 */
export function rulesPolicy(options: RulesPolicyOptions = {}): RulesPolicy {
  checkShape('rulesPolicy()', options, OPTIONS);
  const { mode = 'ask', ...lists } = options;
  if (!MODES.includes(mode))
    throw new OptionsError(`There is no mode ${mode}; the modes are ${MODES.join(', ')}.`);
  const rules = (['deny', 'ask', 'allow'] as const satisfies readonly RuleList[]).flatMap((list) =>
    (lists[list] ?? []).map((text) => parseRule(list, text, 'the options')),
  );
  return policyOf(rules, mode, findPlace);
}

/** As the file tools find it, links followed. What they would refuse is refused here already, in their words. */
export const findPlace: FindPlace = async (workspace, given) => {
  const found = await asked(() => resolveInside({ workspace }, given));
  if ('problem' in found) return found;
  const real = found.value;
  const written = path.relative(workspace, path.resolve(workspace, given));
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;
  // A folder of such a name is none that holds secrets: it may be an environment of Python's.
  const secrets = isFolder ? undefined : await asked(() => assertNoSecrets(given, real));
  return {
    written: written.startsWith('..') ? path.relative(workspace, real) : written,
    real: path.relative(workspace, real),
    isFolder,
    ...(secrets && 'problem' in secrets && { closed: secrets.problem }),
  };
};

async function asked<Value>(
  ask: () => Value | Promise<Value>,
): Promise<{ readonly value: Value } | { readonly problem: string }> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (error instanceof ToolFailure) return { problem: error.message };
    throw error;
  }
}
