/** Settings files, of the person and of a project. Strict: a misspelt key must not silently do nothing. */
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { quoted } from './format.ts';
import { hooksSchema } from './hook-schema.ts';
import { cannotRead, closedFolder, readRegularFile, reasonOf } from './read-file.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_BYTES = 1_000_000;
const MOST_RULES = 1_000;

const rules = z
  .array(z.string('must be a text'), 'must be a list of rules')
  .max(MOST_RULES, `must have at most ${MOST_RULES} rules`);

export const permissionsSchema = z.strictObject(
  { allow: rules.optional(), ask: rules.optional(), deny: rules.optional() },
  'must have the lists "allow", "ask" and "deny"',
);

const projectSchema = z.strictObject({ permissions: permissionsSchema.optional() }, 'must be an object');

const userSchema = projectSchema.extend({
  // Not in a project: it may come with a clone, and cloning must not start programs.
  hooks: hooksSchema.optional(),
  trusted_folders: z
    .array(
      z.string('must be a path').regex(/^(\/|~\/)/, 'must be a path that begins with "/" or "~/"'),
      'must be a list of paths',
    )
    .optional(),
});

export type PermissionLists = z.output<typeof permissionsSchema>;
export type UserSettings = z.output<typeof userSchema>;

export const PROJECT_FILES = [path.join('.pawl', 'settings.json'), path.join('.pawl', 'settings.local.json')];

/** In $XDG_CONFIG_HOME, else ~/.config. A relative XDG path does not count, as its specification says. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  const xdg = env.XDG_CONFIG_HOME;
  const base = xdg && path.isAbsolute(xdg) ? xdg : path.join(homeOf(env), '.config');
  return path.join(base, 'pawl', 'settings.json');
}

export const homeOf = (env: NodeJS.ProcessEnv): string => env.HOME || os.userInfo().homedir;

export const readProjectSettings = (file: string) => read(file, projectSchema);
export const readUserSettings = (file: string): Promise<UserSettings> => read(file, userSchema);

/** @returns empty settings where there is no such file. @throws UsageError naming the file, and the key */
async function read<Settings>(file: string, schema: z.ZodType<Settings>): Promise<Settings> {
  const text = await readRegularFile(file, LARGEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}';
    throw closedFolder(file) === undefined
      ? invalid(file, `it cannot be read: ${reasonOf(error)}`)
      : cannotRead('settings file', file, error);
  });
  const checked = schema.safeParse(parse(file, text));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue?.path.join('.') || 'it';
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.map(quoted).join(', ') : undefined;
  throw invalid(file, keys ? `${place} has the unknown key ${keys}` : `${place} ${issue?.message}`);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(file, `it is no JSON: ${(error as Error).message}`);
  }
}

const invalid = (file: string, problem: string): UsageError =>
  new UsageError(`The settings file ${file} is not valid: ${problem}.`);
