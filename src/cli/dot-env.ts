import fs from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from './usage-error.ts';

/** All that pawl ever takes from a `.env` file. Nothing else of it is looked at, and none of it reaches a child process. */
export const SERVICE_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
  'MODEL_ID',
] as const;

export type ServiceEnvironment = { readonly [Name in (typeof SERVICE_VARIABLES)[number]]?: string };

/** The five variables, from the environment, else from `.env` in the folder. One that is set to nothing counts as absent. */
export async function serviceEnvironment(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<ServiceEnvironment> {
  const file = await dotEnv(path.join(folder, '.env'));
  const found = SERVICE_VARIABLES.map((name) => [name, (env[name] ?? file[name] ?? '').trim()]);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

async function dotEnv(file: string): Promise<Readonly<Record<string, string | undefined>>> {
  try {
    return parseEnv(await fs.readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new UsageError(`${file} cannot be read (${code}). Correct or remove it.`);
  }
}
