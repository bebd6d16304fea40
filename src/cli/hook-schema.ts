/** What settings may say about hooks. Strict: a misspelt key would be a hook that is never asked. */
import * as z from 'zod';
import { END_STATUSES, OTHER_EXIT_CODES, type RunStatus } from '../../machines/status.ts';
import { text, time } from './schema-parts.ts';

const hook = z.strictObject(
  {
    command: text,
    name: text.optional(),
    tools: z.array(text, 'must be a list of names of tools').min(1, 'must name a tool').optional(),
    timeout: time.optional(),
  },
  { error: (issue) => strictly(issue, 'must have a command, and may have a name, tools and a timeout') },
);

const STATUSES = Object.keys({ ...END_STATUSES, suspended: OTHER_EXIT_CODES.suspended }) as RunStatus[];

const endHook = z.strictObject(
  {
    command: text,
    name: text.optional(),
    statuses: z
      .array(z.enum(STATUSES, `must be of ${STATUSES.join(', ')}`), 'must be a list of statuses')
      .min(1, 'must name a status')
      .optional(),
    timeout: time.optional(),
  },
  { error: (issue) => strictly(issue, 'must have a command, and may have a name, statuses and a timeout') },
);

const hooks = z.array(hook, 'must be a list of hooks').optional();

export const hooksSchema = z.strictObject(
  {
    beforeCall: hooks,
    afterCall: hooks,
    afterRun: z.array(endHook, 'must be a list of hooks').optional(),
  },
  { error: (issue) => strictly(issue, 'must have the lists "beforeCall", "afterCall" and "afterRun"') },
);

export type HookSettings = z.output<typeof hooksSchema>;

/** What is allowed is the answer to an unknown key as well. */
const strictly = ({ code, keys }: { code?: string; keys?: string[] }, allowed: string): string =>
  code === 'unrecognized_keys'
    ? `has the unknown key ${keys?.map((key) => JSON.stringify(key)).join(', ')}; it ${allowed}`
    : allowed;
