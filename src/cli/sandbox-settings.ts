/** Whether commands are confined: what was asked for, what is to be had here, and what follows from it. */
import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { realIfThere, runsFolder } from '../journal/location.ts';
import { keysIn } from '../model/environment.ts';
import type { Policy } from '../permissions/policy.ts';
import { askForUnconfined } from '../permissions/unconfined.ts';
import { type Confinement, confine } from '../sandbox/confine.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { View } from '../sandbox/view.ts';
import type { Tool } from '../tools/tool.ts';
import { choice } from './choices.ts';
import { readDotEnv } from './dot-env.ts';
import type { RunFlags } from './run-flags.ts';
import { UsageError } from './usage-error.ts';

export const SANDBOX_MODES = ['auto', 'require', 'off'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** What is kept in the journal. `confined_by` is null where nothing confines. */
export interface RecordedSandbox {
  readonly mode: SandboxMode;
  readonly confined_by: 'bubblewrap' | 'sandbox-runtime' | null;
  readonly network: boolean;
}

export interface Sandboxing {
  readonly means: { readonly sandbox?: Sandbox };
  /** null: no tool runs commands. */
  readonly recorded: RecordedSandbox | null;
  readonly notices: readonly string[];
  /** Where nothing confines and that was not asked for, commands ask. */
  readonly guarded: (policy: Policy) => Policy;
  /** How calls can be allowed where nobody can be asked. */
  readonly howToAllow: string;
}

type Flags = Pick<RunFlags, 'sandbox' | 'allowNetwork' | 'yes'>;

/**
 * @param workspace absolute path. @param folder where `.env` is read. @param before the mode that is recorded
 * @param journal of the run that goes on
 * @throws UsageError for a mode that there is not, and where a sandbox is required and not to be had
 */
export async function sandboxing(
  flags: Flags,
  tools: readonly Tool[],
  workspace: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  before: SandboxMode = 'auto',
  journal?: string,
): Promise<Sandboxing> {
  const mode = flags.sandbox === undefined ? before : choice('--sandbox', flags.sandbox, SANDBOX_MODES);
  const network = flags.allowNetwork === true;
  const commandTools = new Set(tools.flatMap(({ name, runsCommands }) => (runsCommands ? [name] : [])));
  const recorded = (by: RecordedSandbox['confined_by']) =>
    commandTools.size === 0 ? null : { mode, confined_by: by, network };
  const unconfined: Sandboxing = {
    means: {},
    recorded: recorded(null),
    notices: [],
    guarded: (policy) => policy,
    howToAllow: 'with --yes',
  };
  // A folder that is gone is told of by whoever needs it.
  if (mode === 'off' || commandTools.size === 0 || !existsSync(workspace)) return unconfined;
  const found = await confine(await viewOf(workspace, network, folder, env, journal));
  if (found.by !== null)
    return { ...unconfined, means: { sandbox: found.sandbox }, recorded: recorded(found.by) };
  if (mode === 'require') throw new UsageError(`--sandbox require: ${withoutSandbox(found)}`);
  return {
    ...unconfined,
    notices: [
      `No sandbox: every command asks first, whatever allows it. ${withoutSandbox(found)} With --sandbox off, commands run unconfined, with all your rights.`,
    ],
    guarded: (policy) => askForUnconfined(policy, commandTools),
    howToAllow: flags.yes
      ? 'with --sandbox off, which runs commands unconfined: there is no sandbox here'
      : 'with --yes, and commands with --sandbox off as well: there is no sandbox here to confine them',
  };
}

const withoutSandbox = ({ reason, remedy }: Confinement & { readonly by: null }): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. ${remedy}`;

/** Hidden: what pawl records, what gives it rights, and a file that holds its key. */
export async function viewOf(
  workspace: string,
  network: boolean,
  folder: string,
  env: NodeJS.ProcessEnv,
  journal?: string,
): Promise<View> {
  const config = path.join(env.XDG_CONFIG_HOME || path.join(env.HOME || os.homedir(), '.config'), 'pawl');
  const holdsKey = keysIn({}, await readDotEnv(folder)).length > 0;
  const records = [runsFolder(env), ...(journal === undefined ? [] : [journal, `${journal}.files`])];
  const hidden = [...records, config, ...(holdsKey ? [path.join(folder, '.env')] : [])];
  return { workspace: realpathSync(workspace), network, hidden: hidden.map(realIfThere), environment: env };
}
