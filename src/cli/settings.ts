/** From flags, agent file and environment, in this order of precedence, to what `run` takes. Creates nothing. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { memoryJournal } from '../journal/memory.ts';
import { keysIn, modelSettings } from '../model/environment.ts';
import { DEFAULT_MODEL, outputCeiling } from '../model/models.ts';
import type { RunOptions } from '../options.ts';
import type { Mode } from '../permissions/mode.ts';
import { builtinTools } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { type Agent, agentAt } from './agent.ts';
import { newCheck } from './check-settings.ts';
import { choice, EFFORTS, OUTPUT_FORMATS, type OutputFormat } from './choices.ts';
import type { Conduct } from './conduct.ts';
import { DEFAULT_SYSTEM_PROMPT } from './default-prompt.ts';
import { readDotEnv } from './dot-env.ts';
import { hookSettings } from './hook-settings.ts';
import { inspectSettings } from './inspect-settings.ts';
import { isBudgeted, limitSettings } from './limit-settings.ts';
import { liveClient, scriptClient } from './model-choice.ts';
import { ON_ASK, type OnAsk } from './on-ask.ts';
import { checkOutputFile } from './output-file.ts';
import { permissionSettings, type RecordedPermissions } from './permission-settings.ts';
import { cannotEnter, closedFolder } from './read-file.ts';
import { type RecordedRequestSettings, refuseKnown, requestSettings } from './request-settings.ts';
import type { RunFlags } from './run-flags.ts';
import { type RecordedSandbox, sandboxing } from './sandbox-settings.ts';
import { isFromInput, taskFrom, taskOf } from './task.ts';
import { loadToolModule } from './tool-module.ts';
import { checkToolNames, joinTools, toolNames } from './tool-selection.ts';
import { UsageError } from './usage-error.ts';

/** Where the command was called. */
export interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: AsyncIterable<string | Uint8Array>;
  /** Of a run that has begun elsewhere. */
  readonly earlier?: RecordedPermissions | undefined;
}

export interface RunSettings {
  readonly options: RunOptions;
  readonly how: Conduct;
  /** What a person has to know before the run begins. */
  readonly notices: readonly string[];
}

/** What is kept of them in the journal, for whoever goes on with the run. Permissions are given anew. */
export interface RecordedSettings {
  /** Absolute paths. */
  readonly agent: string | null;
  readonly script: string | null;
  readonly tool_timeout_ms: number | null;
  readonly yes: boolean;
  readonly on_ask: OnAsk | null;
  readonly sandbox: RecordedSandbox | null;
  readonly permissions: RecordedPermissions;
  /** How many: a pattern may itself be what nobody should read. */
  readonly redact_patterns: number;
  readonly request: RecordedRequestSettings;
  /** What keeps the run, if not this machine. */
  readonly engine?: 'restate';
}

/** @throws UsageError for everything that cannot work. Standard input comes last: it may have to be waited for. */
export async function resolveSettings(
  words: readonly string[],
  flags: RunFlags,
  { folder, env, input, earlier }: Surroundings,
): Promise<RunSettings> {
  const given = isFromInput(words) ? undefined : taskOf(words);
  const format = choice('--output-format', flags.outputFormat, OUTPUT_FORMATS);
  const effort = flags.effort === undefined ? undefined : choice('--effort', flags.effort, EFFORTS);
  const onAsk = flags.onAsk === undefined ? undefined : choice('--on-ask', flags.onAsk, ON_ASK);
  if (onAsk === 'suspend' && flags.ephemeral)
    throw new UsageError('--on-ask suspend needs a journal to go on from. Leave out --ephemeral.');
  const agent = flags.agent === undefined ? undefined : await agentAt(path.resolve(folder, flags.agent));
  const isScripted = flags.script !== undefined;
  const service = await serviceSettings(folder, env, isScripted);
  const live = agent?.settings.model ?? service.model ?? DEFAULT_MODEL;
  const model = notBlank('--model', flags.model) ?? (isScripted ? 'scripted' : live);
  const fallbackModel = notBlank('--fallback-model', flags.fallbackModel);
  const ceiling = Math.min(...[model, fallbackModel ?? model].map(outputCeiling));
  const { limits, toolTimeoutMs } = limitSettings(flags, ceiling, agent?.settings.limits);
  const workspace = await workspaceFolder(path.resolve(folder, flags.cd ?? ''));
  const known = await allTools(agent, toolTimeoutMs);
  const permissions = await permissionSettings({ flags, agent, workspace, env, tools: known, earlier });
  const { policy, recorded } = permissions;
  const tools = selectTools(known, flags, agent, recorded.mode);
  const toolNames = tools.map(({ name }) => name);
  const inspect = inspectSettings(flags, toolNames);
  const transcript = await transcriptFile(flags.transcript, folder);
  const redact = (flags.redact ?? []).map(redactPattern);
  const check = newCheck(flags);
  const script = flags.script === undefined ? undefined : path.resolve(folder, flags.script);
  const request = await requestSettings(flags, folder, isBudgeted(limits));
  const confined = await sandboxing(flags, tools, workspace, folder, env);
  const asked = effort ?? agent?.settings.effort ?? null;
  if (!isScripted) refuseKnown([model, fallbackModel], asked, request.wire);
  const client = script === undefined ? liveClient(service, request.wire) : await scriptClient(script);
  const settings: RecordedSettings = {
    agent: agent?.file ?? null,
    script: script ?? null,
    tool_timeout_ms: toolTimeoutMs ?? null,
    on_ask: onAsk ?? null,
    sandbox: confined.recorded,
    yes: recorded.mode === 'bypass',
    permissions: recorded,
    redact_patterns: redact.length,
    request: request.recorded,
  };
  return {
    options: {
      task: given ?? (await taskFrom(input)),
      client,
      model,
      workspace,
      tools,
      system: systemPrompt(flags, agent),
      effort: asked,
      limits,
      ...(fallbackModel !== undefined && { fallbackModel }),
      ...(check && { check }),
      ...request.means,
      policy: confined.guarded(policy),
      ...confined.means,
      hooks: await hookSettings(env, agent),
      redact,
      secrets: keysIn(env, await readDotEnv(folder)),
      settings: { ...settings },
      ...(flags.ephemeral && { journal: memoryJournal() }),
    },
    how: {
      format,
      model,
      transcript,
      isScripted,
      isEphemeral: flags.ephemeral === true,
      asking: { flag: onAsk },
      isStreamed: isStreamed(flags, format),
      isVerbose: flags.verbose === true,
      howToAllow: confined.howToAllow,
      inspect,
      toolNames,
    },
    notices: [...permissions.notices, ...confined.notices],
  };
}

/** Each of the two flags belongs to one output format. */
export function isStreamed(
  { stream, includePartial }: Pick<RunFlags, 'stream' | 'includePartial'>,
  format: OutputFormat,
): boolean {
  if (stream && format !== 'text')
    throw new UsageError('--stream is for text. With --output-format stream-json, use --include-partial.');
  if (includePartial && format !== 'stream-json')
    throw new UsageError('--include-partial needs --output-format stream-json. For text, use --stream.');
  return stream === true || includePartial === true;
}

/** @returns an absolute path. @throws UsageError where nothing could be written */
export async function transcriptFile(flag: string | undefined, folder: string): Promise<string | undefined> {
  if (flag === undefined) return undefined;
  const file = path.resolve(folder, flag);
  await checkOutputFile('--transcript', file);
  return file;
}

export function redactPattern(text: string): RegExp {
  try {
    if (new RegExp(text, 'u').test(''))
      throw new UsageError(
        `--redact ${JSON.stringify(text)} fits nothing at all: it would be found between any two letters.`,
      );
    return new RegExp(text, 'u');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `--redact ${JSON.stringify(text)} is no regular expression: ${(error as Error).message}.`,
    );
  }
}

/** A script needs no way to the service, so whatever is wrong with that does not matter to it. */
export async function serviceSettings(folder: string, env: NodeJS.ProcessEnv, isScripted: boolean) {
  const { ANTHROPIC_MODEL, MODEL_ID } = env;
  const dotEnv = await readDotEnv(folder);
  try {
    return modelSettings(isScripted ? { ANTHROPIC_MODEL, MODEL_ID } : env, dotEnv);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}

/** Built-in tools and those of the agent. @throws UsageError for a module that cannot be loaded */
export async function allTools(
  agent: Agent | undefined,
  toolTimeoutMs: number | undefined,
): Promise<readonly Tool[]> {
  const builtin = builtinTools(toolTimeoutMs === undefined ? {} : { processTimeoutMs: toolTimeoutMs });
  return agent?.toolModule === undefined
    ? builtin
    : joinTools(builtin, await loadToolModule(agent.toolModule), agent.toolModule);
}

function selectTools(
  tools: readonly Tool[],
  flags: RunFlags,
  agent: Agent | undefined,
  mode: Mode,
): readonly Tool[] {
  checkToolNames(`${agent?.file}, limits.tools`, Object.keys(agent?.settings.limits?.tools ?? {}), tools);
  const [origin, names] =
    flags.tools === undefined
      ? [`${agent?.file}, tools`, agent?.settings.tools]
      : ['--tools', toolNames(flags.tools)];
  if (names !== undefined) checkToolNames(origin, names, tools);
  return tools.filter(
    ({ name, effect }) => (names?.includes(name) ?? true) && (mode !== 'plan' || effect === 'read'),
  );
}

export async function workspaceFolder(folder: string): Promise<string> {
  const found = await fs.stat(folder).catch(() => undefined);
  const closed = closedFolder(path.join(folder, 'any'));
  if (closed !== undefined)
    throw new UsageError(
      `The workspace ${folder} cannot be worked in: ${cannotEnter(closed)}, or name another workspace with --cd.`,
    );
  if (found?.isDirectory()) return fs.realpath(folder);
  throw new UsageError(
    `The workspace ${folder} ${found ? 'is no folder' : 'does not exist'}. Name an existing folder with --cd.`,
  );
}

function systemPrompt(flags: RunFlags, agent: Agent | undefined): string {
  const prompt = flags.systemPrompt ?? agent?.system ?? DEFAULT_SYSTEM_PROMPT;
  return [prompt, flags.appendSystemPrompt ?? ''].filter((part) => part.trim() !== '').join('\n\n');
}

function notBlank(name: string, text: string | undefined): string | undefined {
  if (text?.trim() === '') throw new UsageError(`${name} must not be empty.`);
  return text?.trim();
}
