/** The written form of a scripted model: what a reply may say, and how a script that says something else is refused. */
import * as z from 'zod';
import type { ModelRequest } from './client.ts';
import { obstacleToJson } from './plain-json.ts';

const faultSchema = z.union([
  z.enum(['connection', 'cut', 'hang']),
  z.strictObject({
    status: z.int().min(300).max(599),
    message: z.string().optional(),
    /** Seconds, as in the header. */
    retry_after: z.number().nonnegative().optional(),
  }),
]);

const callSchema = z.strictObject({
  name: z.string(),
  input: z.unknown().optional(),
  id: z.string().optional(),
});

/** A regular expression, as its source, as `/source/flags`, or as itself. */
const patternSchema = z.union([z.string(), z.instanceof(RegExp)]).transform((pattern, context) => {
  const [, source = String(pattern), flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(String(pattern)) ?? [];
  try {
    // Without the flags that make an expression remember where it stopped.
    return new RegExp(source, flags.replace(/[gy]/g, ''));
  } catch (error) {
    context.addIssue({ code: 'custom', message: String(error) });
    return z.NEVER;
  }
});

const replySchema = z
  .strictObject({
    text: z.string().optional(),
    calls: z.array(callSchema).optional(),
    /** Blocks in the service's form, instead of `text` and `calls`. */
    content: z.array(z.looseObject({ type: z.string() })).optional(),
    stop_reason: z.string().nullable().optional(),
    usage: z.record(z.string(), z.unknown()).optional(),
    when: patternSchema.optional(),
    fault: faultSchema.optional(),
    delay_ms: z.number().min(0).max(2_147_483_647).optional(),
  })
  .superRefine(({ text, calls, content, fault }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const hasShort = text !== undefined || calls !== undefined;
    if (content !== undefined && hasShort)
      refuse('content stands for the whole reply: leave out text and calls');
    if (content === undefined && !hasShort && fault === undefined)
      refuse('says nothing: give it text, calls, content or fault');
    if (fault !== undefined && (content !== undefined || calls !== undefined))
      refuse('a fault comes with nothing, or with the text that arrives before it');
    if (text !== undefined && (fault === 'connection' || typeof fault === 'object'))
      refuse('text arrives only before the faults cut and hang');
  })
  .superRefine(({ text, calls, content, usage }, context) => {
    for (const [field, value] of Object.entries({ text, calls, content, usage })) {
      const obstacle = obstacleToJson(value);
      if (obstacle !== undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `cannot be written as JSON: ${obstacle}`,
        });
    }
  });

/** A reply as a person writes it, and as it is after the check. */
export type ScriptReply = z.input<typeof replySchema>;
export type CheckedReply = z.output<typeof replySchema>;

/** Replies in order, or a function that is asked for each; `n` counts the requests from 1. */
export type Script =
  | readonly ScriptReply[]
  | { readonly replies: readonly ScriptReply[] }
  | ((request: ModelRequest, n: number) => ScriptReply | Promise<ScriptReply>);

/** Throws an Error of one line that names the script, the reply (from 1) and the field. */
export function checkReply(reply: unknown, position: number, name: string): CheckedReply {
  const { data, error } = replySchema.safeParse(reply);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const field = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw new Error(`${name}, reply ${position}: ${field}${issue?.message}`);
}

/** The replies of a written script, checked. Throws like checkReply. */
export function checkScript(script: unknown, name: string): CheckedReply[] {
  const replies = Array.isArray(script) ? script : repliesIn(script);
  if (replies === undefined) throw new Error(`${name}: a script is a list of replies, or {replies: [...]}`);
  return replies.map((reply, index) => checkReply(reply, index + 1, name));
}

function repliesIn(script: unknown): unknown[] | undefined {
  return z.strictObject({ replies: z.array(z.unknown()) }).safeParse(script).data?.replies;
}
