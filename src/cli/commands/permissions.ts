/** `pawl permissions`: what would become of a call, and the rules that say so. Nothing is run. */
import path from 'node:path';
import type { Effect } from '../../../machines/protocol.ts';
import type { Judgement, PartJudgement } from '../../permissions/judge.ts';
import type { Mode } from '../../permissions/mode.ts';
import type { Rule } from '../../permissions/rule.ts';
import { toolRegistry } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { agentAt } from '../agent.ts';
import { quoted } from '../format.ts';
import { type PermissionFlags, type Permissions, permissionSettings } from '../permission-settings.ts';
import { printableLine } from '../printable.ts';
import { allTools, workspaceFolder } from '../settings.ts';
import { hasColours, type Style, styleOf } from '../style.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage-error.ts';

export interface PermissionsFlags extends PermissionFlags {
  readonly cd?: string;
  readonly agent?: string;
  readonly json?: true;
}

interface Found extends Permissions {
  readonly workspace: string;
  readonly tools: readonly Tool[];
}

/** @returns 0, whatever the decision. @throws UsageError for a call that no run would come to judge */
export async function checkCommand(tool: string, json: string, flags: PermissionsFlags): Promise<number> {
  const { policy, workspace, tools, notices } = await find(flags);
  const input = parsed(json);
  const judged = await policy.judge({ tool, input, effect: effectOf(tool, input, tools), workspace });
  process.stdout.write(flags.json ? asJson(tool, judged) : asText(judged));
  for (const notice of notices) process.stderr.write(`${printableLine(notice)}\n`);
  return 0;
}

export async function listCommand(flags: PermissionsFlags): Promise<number> {
  const { policy, unused, notices } = await find(flags, true);
  const { mode, rules } = policy;
  const listed = [
    ...rules.map((rule) => ({ ...told(rule), counts: true })),
    ...unused.map((rule) => ({ ...told(rule), counts: false })),
  ];
  if (flags.json) process.stdout.write(`${JSON.stringify({ mode, rules: listed }, null, 2)}\n`);
  else {
    const { dim } = styleOf(hasColours(process.stdout, process.env));
    const width = Math.max(0, ...listed.map(({ rule }) => rule.length));
    const lines = listed.map(({ list, rule, source, counts }) => {
      const line = printableLine(
        `${list.padEnd(5)}  ${rule.padEnd(width)}  ${source}${counts ? '' : ' (does not count)'}`,
      );
      return counts ? line : dim(line);
    });
    process.stdout.write([`mode   ${mode}`, ...lines, ''].join('\n'));
    tell(
      `${listed.length === 0 ? `There are no rules. ${PLACES} ` : ''}What no rule is about: ${BY_MODE[mode]}.`,
    );
  }
  for (const notice of notices) process.stderr.write(`${printableLine(notice)}\n`);
  return 0;
}

/** What becomes of the calls that no rule is about. */
const BY_MODE: Readonly<Record<Mode, string>> = {
  ask: 'reads run, all else asks',
  'accept-edits': 'reads and edits in the workspace run, all else asks',
  plan: 'reads run, all else is denied',
  deny: 'reads run, all else is denied',
  bypass: 'all runs',
};
const PLACES =
  'They stand behind --allow, --ask and --deny, in agent files, in pawl/settings.json of your config folder, and in .pawl/settings.json here.';

async function find(flags: PermissionsFlags, areListed = false): Promise<Found> {
  const folder = process.cwd();
  const agent = flags.agent === undefined ? undefined : await agentAt(path.resolve(folder, flags.agent));
  const workspace = await workspaceFolder(path.resolve(folder, flags.cd ?? ''));
  const tools = await allTools(agent, undefined);
  const settings = await permissionSettings({ flags, agent, workspace, env: process.env, tools, areListed });
  return { ...settings, workspace, tools };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(
      `The input must be JSON, such as '{"command": "git status"}': ${(error as Error).message}.`,
    );
  }
}

/** Tools of servers are not known here: they are taken for ones with effects, as the protocol does by default. */
function effectOf(name: string, input: unknown, tools: readonly Tool[]): Effect {
  if (name.startsWith('mcp__')) return 'effectful';
  const checked = new Toolbox(toolRegistry(tools)).check(name, input);
  if (checked.ok) return checked.tool.effect;
  throw new UsageError(`A run would refuse this call of ${quoted(name)} before any rule: ${checked.reason}`);
}

const told = ({ list, text, source }: Rule) => ({ list, rule: text, source });

function asJson(tool: string, { decision, rule, parts, ...judged }: Judgement): string {
  const document = {
    tool,
    decision,
    why: rule,
    reason: 'reason' in judged ? judged.reason : null,
    parts: parts.map((one) => ({
      part: one.part,
      decision: one.decision,
      why: one.why,
      rule: one.rule ? told(one.rule) : null,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function asText({ decision, rule, parts }: Judgement): string {
  const style = styleOf(hasColours(process.stdout, process.env));
  const width = Math.min(60, Math.max(...parts.map(({ part }) => printableLine(part).length)));
  const line = ({ part, decision: its, why }: PartJudgement) =>
    `  ${coloured(its, style, 5)}  ${printableLine(part).padEnd(width)}  ${printableLine(why)}`;
  return [`${coloured(decision, style)}: ${printableLine(rule)}`, ...parts.map(line), ''].join('\n');
}

const coloured = (decision: Rule['list'], { green, yellow, red }: Style, width = 0): string =>
  ({ allow: green, ask: yellow, deny: red })[decision](decision.padEnd(width));
