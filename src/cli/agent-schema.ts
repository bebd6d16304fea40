/** What the front matter of an agent file may say. Strict: a misspelt key must not silently do nothing. */
import * as z from 'zod';
import { EFFORTS } from './choices.ts';
import { hooksSchema } from './hook-schema.ts';
import { positiveWhole, text, time } from './schema-parts.ts';
import { permissionsSchema } from './settings-file.ts';

const names = z.array(z.string('must be the name of a tool'), 'must be a list of tool names');
export const agentSchema = z.strictObject(
  {
    name: text.optional(),
    description: text.optional(),
    model: text.optional(),
    effort: z.enum(EFFORTS, `must be one of ${EFFORTS.join(', ')}`).optional(),
    tools: names.optional(),
    tool_module: text.optional(),
    limits: z
      .strictObject(
        {
          max_turns: positiveWhole.optional(),
          token_budget: positiveWhole.optional(),
          max_output_tokens: positiveWhole.optional(),
          max_tool_calls: positiveWhole.optional(),
          max_budget_usd: z.number('must be a sum in USD').positive('must be a sum above 0').optional(),
          timeout: time.optional(),
          max_retries: z.int('must be a whole number').min(0, 'must be 0 or more').optional(),
          tool_timeout: time.optional(),
          summary: z.boolean('must be true or false').optional(),
          tools: z
            .record(
              z.string(),
              z.int('must be a whole number').min(0, 'must be 0 or more'),
              'must say how many calls of a tool there may be, such as "bash: 20"',
            )
            .optional(),
        },
        'must be a list of limits, such as "max_turns: 20"',
      )
      .optional(),
    permissions: permissionsSchema.optional(),
    hooks: hooksSchema.optional(),
  },
  'must be settings, one "key: value" a line',
);

export type AgentSettings = z.output<typeof agentSchema>;

/** The first problem as one sentence: where it is, what is wrong, what is allowed. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  if (issue?.code !== 'unrecognized_keys' || keysAt(place).length === 0)
    return `${place === '' ? 'the front matter' : place} ${issue?.message}`;
  const unknown = issue.keys.map((key) => JSON.stringify(place === '' ? key : `${place}.${key}`)).join(', ');
  return `unknown key ${unknown}. Allowed${place === '' ? '' : ` in ${place}`}: ${keysAt(place).join(', ')}`;
}

function keysAt(place: string): string[] {
  const { limits, permissions } = agentSchema.shape;
  const shapes: Readonly<Record<string, object>> = {
    '': agentSchema.shape,
    limits: limits.unwrap().shape,
    permissions: permissions.unwrap().shape,
  };
  return Object.keys(shapes[place] ?? {});
}
