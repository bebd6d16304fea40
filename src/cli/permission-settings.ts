/**
 * The permission rules of a run, from everywhere they may stand. A project's files come with whatever was cloned: they may
 * forbid as they like, but what they allow counts only where the person trusts the folder.
 */
import path from 'node:path';
import { policyOf, type RulesPolicy } from '../permissions/judge.ts';
import { MODES, type Mode } from '../permissions/mode.ts';
import { LISTS, parseRule, type Rule, RuleError } from '../permissions/rule.ts';
import { findPlace } from '../rules-policy.ts';
import type { Tool } from '../tools/tool.ts';
import type { Agent } from './agent.ts';
import { choice } from './choices.ts';
import { counted, quoted } from './format.ts';
import type { RunFlags } from './run-flags.ts';
import {
  homeOf,
  PROJECT_FILES,
  readProjectSettings,
  readUserSettings,
  userSettingsFile,
} from './settings-file.ts';
import { noSuchTool } from './tool-selection.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

export type PermissionFlags = Pick<
  RunFlags,
  'allow' | 'ask' | 'deny' | 'permissionMode' | 'trustProject' | 'yes'
>;

/** Where rules stand whose file or flag may be another one by now. */
const AT_THE_START = 'the start of the run';

/** What was forbidden, by whatever file or flag, when the run began. It goes on to hold; what was allowed is given anew. */
export interface RecordedPermissions {
  readonly mode: Mode;
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface Permissions {
  readonly policy: RulesPolicy;
  readonly recorded: RecordedPermissions;
  /** Rules of a project that is not trusted. They do not count. */
  readonly unused: readonly Rule[];
  readonly notices: readonly string[];
}

export interface PermissionSources {
  readonly flags: PermissionFlags;
  readonly agent: Agent | undefined;
  /** Absolute real path. */
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly tools: readonly Tool[];
  readonly earlier?: RecordedPermissions | undefined;
  /** The person is shown the rules, and need not be told how to see them. */
  readonly areListed?: boolean;
}

/** @throws UsageError naming the rule and where it stands */
export async function permissionSettings(sources: PermissionSources): Promise<Permissions> {
  const { flags, agent, workspace, env, earlier, areListed = false } = sources;
  const tools = sources.tools.map(({ name }) => name);
  const userFile = userSettingsFile(env);
  const user = await readUserSettings(userFile);
  const { allow = [], ask = [], deny = [] } = flags;
  const own = [
    ...rulesOf({ allow, ask, deny }, (list) => `--${list}`, tools, true),
    ...rulesOf(agent?.settings.permissions, () => agent?.file ?? '', tools, true),
    ...rulesOf(user.permissions, () => userFile, tools, false),
  ];
  const project: Rule[] = [];
  for (const name of PROJECT_FILES) {
    const { permissions } = await readProjectSettings(path.join(workspace, name));
    project.push(...rulesOf(permissions, () => name, tools, false));
  }
  const isTrusted =
    flags.trustProject === true || isWithin(workspace, user.trusted_folders ?? [], homeOf(env));
  const unused = isTrusted ? [] : project.filter(({ list }) => list === 'allow');
  const kept = rulesOf({ ask: earlier?.ask, deny: earlier?.deny }, () => AT_THE_START, tools, false);
  const rules = [...own, ...project.filter((rule) => !unused.includes(rule)), ...kept];
  const mode = modeOf(flags, earlier);
  const textsOf = (wanted: Rule['list']) => [
    ...new Set(rules.filter(({ list }) => list === wanted).map(({ text }) => text)),
  ];
  return {
    policy: policyOf(rules, mode, findPlace),
    recorded: { mode, ask: textsOf('ask'), deny: textsOf('deny') },
    unused,
    notices: unused.length === 0 ? [] : [untrusted(unused.length, workspace, userFile, areListed)],
  };
}

/** An earlier mode goes on to hold if it forbids more than the default does. */
function modeOf({ permissionMode, yes }: PermissionFlags, earlier: RecordedPermissions | undefined): Mode {
  if (permissionMode === undefined) {
    if (yes) return 'bypass';
    return earlier?.mode === 'plan' || earlier?.mode === 'deny' ? earlier.mode : 'ask';
  }
  const mode = choice('--permission-mode', permissionMode, MODES);
  if (yes && mode !== 'bypass')
    throw new UsageError(
      `--yes is --permission-mode bypass, and ${mode} was asked for too. Leave one of them out.`,
    );
  return mode;
}

/** @param isStrict a tool that the run does not have is an error; in a file for many runs it is none */
function rulesOf(
  lists: { readonly [List in Rule['list']]?: readonly string[] | undefined } | undefined,
  sourceOf: (list: Rule['list']) => string,
  tools: readonly string[],
  isStrict: boolean,
): Rule[] {
  return LISTS.flatMap((list) =>
    (lists?.[list] ?? []).map((text) => {
      const source = sourceOf(list);
      // Before its pattern: what that may be depends on the tool.
      const [, tool = ''] = /^\s*([a-zA-Z0-9_-]+)\s*(?:$|\()/.exec(text) ?? [];
      if (tool !== '' && !isKnown(tool, tools, isStrict || text.includes('(')))
        throw noSuchTool(source, tool, tools);
      return parse(list, text, source);
    }),
  );
}

function parse(list: Rule['list'], text: string, source: string): Rule {
  try {
    return parseRule(list, text, source);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    throw new UsageError(`${source}: the rule ${quoted(text)} cannot be used: ${error.message}.`);
  }
}

/** A name in other capitals is a slip everywhere: the rule would hold for nothing. */
const isKnown = (name: string, tools: readonly string[], isStrict: boolean): boolean =>
  tools.includes(name) ||
  name.startsWith('mcp__') ||
  !(isStrict || tools.some((tool) => tool.toLowerCase() === name.toLowerCase()));

function isWithin(workspace: string, folders: readonly string[], home: string): boolean {
  return folders.some((folder) => {
    const trusted = path.resolve(folder.replace(/^~(?=\/)/, home));
    return workspace === trusted || workspace.startsWith(trusted.endsWith('/') ? trusted : `${trusted}/`);
  });
}

function untrusted(count: number, workspace: string, userFile: string, areListed: boolean): string {
  const place = path.join(workspace, '.pawl');
  const [verb, them, they] = count === 1 ? ['does', 'it', 'it is'] : ['do', 'them', 'they are'];
  const read = areListed ? '' : ` Read ${them} (${typed('permissions list')}).`;
  return `${counted(count, 'allow rule')} in ${place} ${verb} not count, for anybody may have written ${them}.${read} If ${they} yours, use --trust-project, or name the folder under "trusted_folders" in ${userFile}.`;
}
