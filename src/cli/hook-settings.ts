/**
 * Hooks from the settings of the person and from the agent file. A file that lies in a project is not asked: it may come with
 * a clone, and cloning must not start programs.
 */
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { commandHook, type HookCommand } from '../hooks/command-hook.ts';
import type { Hooks } from '../hooks/hook.ts';
import type { Agent } from './agent-file.ts';
import { type HookSettings, hooksSchema } from './hook-schema.ts';
import { cannotRead, readRegularFile } from './read-file.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_BYTES = 1_000_000;
/** Of a command that has no name of its own. */
const LONGEST_NAME = 60;

/** Other keys of the file belong to others. */
const userSettings = z.object({ hooks: hooksSchema.optional() }, 'must be an object');

/** Those of the person are asked first. @throws UsageError for a file that cannot be read or says something else */
export async function hookSettings(env: NodeJS.ProcessEnv, agent: Agent | undefined): Promise<Hooks> {
  const file = userSettingsFile(env);
  const both = [await readUserHooks(file), agent?.settings.hooks ?? {}];
  const named = (kind: 'beforeCall' | 'afterCall') =>
    both.flatMap((hooks) => hooks[kind] ?? []).map((hook) => commandOf(hook));
  return {
    beforeCall: named('beforeCall').map((hook) => commandHook(hook)),
    afterCall: named('afterCall').map((hook) => commandHook(hook)),
  };
}

/** As its specification says, a relative XDG path does not count. */
export function userSettingsFile({ XDG_CONFIG_HOME: xdg, HOME }: NodeJS.ProcessEnv): string {
  const base = xdg && path.isAbsolute(xdg) ? xdg : path.join(HOME || os.userInfo().homedir, '.config');
  return path.join(base, 'pawl', 'settings.json');
}

async function readUserHooks(file: string): Promise<HookSettings> {
  const text = await readRegularFile(file, LARGEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw cannotRead('settings file', file, error);
  });
  if (text === undefined) return {};
  const checked = userSettings.safeParse(parsed(file, text));
  if (checked.success) return checked.data.hooks ?? {};
  const [issue] = checked.error.issues;
  const place = issue?.path.join('.') || 'the file';
  throw new UsageError(`The settings file ${file} is not valid: ${place} ${issue?.message}.`);
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The settings file ${file} is no JSON: ${(error as Error).message}.`);
  }
}

const commandOf = ({
  name,
  command,
  tools,
  timeout,
}: NonNullable<HookSettings['beforeCall']>[number]): HookCommand => ({
  name: name ?? command.slice(0, LONGEST_NAME),
  command,
  ...(tools && { tools }),
  ...(timeout !== undefined && { timeoutMs: timeout }),
});
