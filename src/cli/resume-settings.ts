/** From the recorded settings and the flags to what `resume` takes. Flags win. */
import path from 'node:path';
import type { Limits } from '../../machines/limits.ts';
import type { Check, JournalRecord, RunStarted } from '../journal/record.ts';
import { keysIn } from '../model/environment.ts';
import type { ResumeOptions } from '../options.ts';
import { type Agent, agentAt } from './agent.ts';
import { answeredRequests } from './answered-requests.ts';
import { checkSettings } from './check-settings.ts';
import { choice, OUTPUT_FORMATS } from './choices.ts';
import type { Conduct } from './conduct.ts';
import { readDotEnv } from './dot-env.ts';
import { refuseCopy } from './engine-copy.ts';
import { hookSettings } from './hook-settings.ts';
import { inspectSettings } from './inspect-settings.ts';
import { isBudgeted } from './limit-settings.ts';
import { liveClient, scriptClient } from './model-choice.ts';
import { dollars, duration, raised, whole } from './numbers.ts';
import { ON_ASK } from './on-ask.ts';
import { permissionSettings } from './permission-settings.ts';
import { type RequestSettings, refuseKnown, requestSettings } from './request-settings.ts';
import type { ResumeFlags } from './run-flags.ts';
import { type SandboxMode, sandboxing } from './sandbox-settings.ts';
import {
  allTools,
  isStreamed,
  type RecordedSettings,
  redactPattern,
  serviceSettings,
  transcriptFile,
  workspaceFolder,
} from './settings.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

export interface ResumeSettings {
  readonly options: ResumeOptions;
  readonly how: Conduct;
  /** What the flags say otherwise than the record. */
  readonly notices: readonly string[];
}

/** @throws UsageError for everything that cannot work */
export async function resumeSettings(
  records: readonly JournalRecord[],
  header: RunStarted,
  flags: ResumeFlags,
  folder: string,
  env: NodeJS.ProcessEnv,
  journal?: string,
): Promise<ResumeSettings> {
  const recorded = (header.settings ?? {}) as Partial<RecordedSettings>;
  refuseCopy(
    records,
    header.runId,
    `Once it has ended, pull it again; or go on with one of its own: ${typed('resume')} $(${typed('fork')} ${header.runId}).`,
  );
  const agentFile = flags.agent === undefined ? recorded.agent : path.resolve(folder, flags.agent);
  const agent = agentFile ? await agentAt(agentFile) : undefined;
  const timeoutMs =
    flags.toolTimeout === undefined
      ? (recorded.tool_timeout_ms ?? undefined)
      : duration('--tool-timeout', flags.toolTimeout);
  const check = checkSettings(flags, checkNow(records, header));
  const format = choice('--output-format', flags.outputFormat, OUTPUT_FORMATS);
  const toolNames = header.tools.map(({ name }) => name);
  const inspect = inspectSettings(flags, toolNames);
  const limits = records.findLast((record) => record.type === 'run.resumed')?.limits ?? header.limits;
  const budgeted = isBudgeted({ ...limits, ...raisedLimits(limits, flags) });
  const request = await requestSettings(flags, folder, budgeted, recorded.request);
  const known = await allTools(agent, timeoutMs);
  const tools = known.filter(({ name }) => toolNames.includes(name));
  const moved = flags.cd === undefined ? undefined : await workspaceFolder(path.resolve(folder, flags.cd));
  const workspace = moved ?? workspaceIn(records) ?? header.workspace;
  const { policy, notices } = await permissionSettings({
    flags,
    agent,
    workspace,
    env,
    tools: known,
    earlier: recorded.permissions,
  });
  const confined = await sandboxing(flags, tools, workspace, folder, env, lastingMode(recorded), journal);
  const { client, isScripted } = await clientOf(records, recorded, flags, folder, env, request.wire);
  if (!isScripted) refuseKnown([header.model, header.fallbackModel], header.effort, request.wire);
  return {
    options: {
      client,
      ...request.means,
      tools,
      policy: confined.guarded(policy),
      ...confined.means,
      hooks: await hookSettings(env, agent),
      settings: { sandbox: confined.recorded },
      redact: (flags.redact ?? []).map(redactPattern),
      secrets: keysIn(env, await readDotEnv(folder)),
      limits: (limits) => raisedLimits(limits, flags),
      ...(moved !== undefined && { workspace: moved }),
      ...(Object.keys(check).length > 0 && { check }),
    },
    how: {
      format,
      model: header.model,
      transcript: await transcriptFile(flags.transcript, folder),
      isScripted,
      resumedRun: { runId: header.runId, records },
      isEphemeral: false,
      asking: {
        flag: flags.onAsk === undefined ? undefined : choice('--on-ask', flags.onAsk, ON_ASK),
        recorded: recorded.on_ask ?? undefined,
      },
      isStreamed: isStreamed(flags, format),
      isVerbose: flags.verbose === true,
      howToAllow: confined.howToAllow,
      inspect,
      toolNames,
    },
    notices: [...noticesOf(header, recorded, agent, flags), ...notices, ...confined.notices],
  };
}

const checkNow = (records: readonly JournalRecord[], header: RunStarted): Check | undefined =>
  records.flatMap((record) => (record.type === 'run.resumed' && record.check ? [record.check] : [])).at(-1) ??
  header.check;

/** Where the run has worked last, if it was taken up before. */
function workspaceIn(records: readonly JournalRecord[]): string | undefined {
  const last = records.findLast(({ type }) => type === 'run.resumed');
  return last?.type === 'run.resumed' ? last.workspace : undefined;
}

/** What was demanded goes on to be; what was given up has to be given up anew. */
const lastingMode = ({ sandbox }: Partial<RecordedSettings>): SandboxMode =>
  sandbox?.mode === 'require' ? 'require' : 'auto';

/** A recorded script goes on where it was; one that is named now begins at its first reply. */
async function clientOf(
  records: readonly JournalRecord[],
  recorded: Partial<RecordedSettings>,
  flags: ResumeFlags,
  folder: string,
  env: NodeJS.ProcessEnv,
  wire: RequestSettings['wire'],
) {
  if (flags.script !== undefined)
    return { client: await scriptClient(path.resolve(folder, flags.script)), isScripted: true };
  if (recorded.script) return { client: await recordedScript(recorded.script, records), isScripted: true };
  return { client: liveClient(await serviceSettings(folder, env, false), wire), isScripted: false };
}

async function recordedScript(file: string, records: readonly JournalRecord[]) {
  return scriptClient(file, answeredRequests(records)).catch((error: Error) => {
    throw new UsageError(
      `The run plays the script ${file}. ${error.message} Where it has moved, name it with --script FILE; it then begins at its first reply.`,
    );
  });
}

function raisedLimits(recorded: Limits, flags: ResumeFlags): Partial<Limits> {
  const { maxTurns, tokenBudget, maxToolCalls, maxOutputTokens, maxBudgetUsd, timeout, maxRetries } = flags;
  const outputTokens =
    maxOutputTokens === undefined
      ? undefined
      : raised('--max-output-tokens', maxOutputTokens, recorded.maxOutputTokens);
  return {
    ...(timeout !== undefined && { timeoutMs: duration('--timeout', timeout) }),
    ...(maxRetries !== undefined && { maxRetries: whole('--max-retries', maxRetries) }),
    ...(maxBudgetUsd !== undefined && {
      maxCostUsd: raised('--max-budget-usd', maxBudgetUsd, recorded.maxCostUsd, dollars),
    }),
    ...(maxTurns !== undefined && { maxTurns: raised('--max-turns', maxTurns, recorded.maxTurns) }),
    ...(tokenBudget !== undefined && {
      tokenBudget: raised('--token-budget', tokenBudget, recorded.tokenBudget),
    }),
    ...(maxToolCalls !== undefined && {
      maxToolCalls: raised('--max-tool-calls', maxToolCalls, recorded.maxToolCalls),
    }),
    ...(outputTokens !== undefined && {
      maxOutputTokens: outputTokens,
      outputCeiling: Math.max(recorded.outputCeiling, outputTokens),
    }),
  };
}

function noticesOf(
  header: RunStarted,
  recorded: Partial<RecordedSettings>,
  agent: Agent | undefined,
  flags: ResumeFlags,
): string[] {
  return [
    ...(recorded.yes && !flags.yes && flags.permissionMode === undefined
      ? [
          'The run was started with --yes. A permission is given to one process: without --yes, calls with effects ask again.',
        ]
      : []),
    ...(recorded.sandbox?.mode === 'off' && flags.sandbox === undefined
      ? ['The run was started with --sandbox off. Commands are confined now, unless it is given again.']
      : []),
    ...(recorded.sandbox?.network && !flags.allowNetwork
      ? ['The run was started with --allow-network. Without it, confined commands have no network.']
      : []),
    ...(recorded.redact_patterns && !flags.redact
      ? [
          'The run was started with --redact, and its patterns are not recorded. Give them again to go on redacting.',
        ]
      : []),
    ...(agent?.system !== undefined && !header.system.includes(agent.system)
      ? [`The system prompt in ${agent.file} has changed since; the model keeps the recorded one.`]
      : []),
  ];
}
