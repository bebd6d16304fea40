/**
 * What a reply amounts to: the one place that knows the service's stop reasons. Pure; the gate of the loop machine decides
 * on the kind that is found here.
 */
import {
  type AssistantMessage,
  type ContentBlock,
  isText,
  isToolUse,
  type Reply,
  type ReplyKind,
  textOf,
  type Usage,
} from './protocol.ts';

export const NO_USAGE: Usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };

type Figures = NonNullable<AssistantMessage['usage']>;

/** All that a reply has taken, in pawl's words. */
export const usageOf = (message: AssistantMessage): Usage =>
  figuresIn(message).map(usageIn).reduce(addUsage, NO_USAGE);

/**
 * The figures of the reply, and of each summary that the service has made of the history for it. These are billed as well,
 * and are in none of the sums.
 */
export function figuresIn({ usage }: AssistantMessage): readonly Figures[] {
  const iterations: readonly unknown[] = Array.isArray(usage?.iterations) ? usage.iterations : [];
  return [usage ?? {}, ...iterations.filter(isCompaction)];
}

const isCompaction = (iteration: unknown): iteration is Figures =>
  typeof iteration === 'object' &&
  iteration !== null &&
  'type' in iteration &&
  iteration.type === 'compaction';

/**
 * What is missing, null, negative or no number counts as 0; what is larger than any true count as the largest whole number,
 * so that sums stay numbers and a budget is reached.
 */
export function usageIn(figures: Figures): Usage {
  const count = (field: string) => {
    const value = figures[field];
    return typeof value === 'number' && value > 0 ? Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER) : 0;
  };
  return {
    input: count('input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    output: count('output_tokens'),
  };
}

/** A sum that is no exact number any more stays at the largest that is one. */
const sum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: sum(a.input, b.input),
    cacheWrite: sum(a.cacheWrite, b.cacheWrite),
    cacheRead: sum(a.cacheRead, b.cacheRead),
    output: sum(a.output, b.output),
  };
}

/** Everything that was processed: what a token budget counts. */
export const totalTokens = (usage: Usage): number =>
  usage.input + usage.cacheWrite + usage.cacheRead + usage.output;

/**
 * The digest on which the gate decides.
 * @param usedIds ids of all calls of earlier replies: the service takes each id once in a conversation.
 */
export function digestReply(
  message: AssistantMessage,
  usedIds: ReadonlySet<string> = new Set(),
  costUsd = 0,
): Reply {
  const calls = message.content.filter(isToolUse);
  const problems = contradictions(message, calls, usedIds);
  return {
    kind: kindOf(message, calls.length, problems),
    stopReason: message.stop_reason,
    calls: calls.map(({ id, name }) => ({ id: String(id), name: String(name) })),
    problems,
    usage: usageOf(message),
    costUsd,
  };
}

/** Order matters: a refused or cut reply is judged by that alone, whatever else is odd about it. */
function kindOf(message: AssistantMessage, calls: number, problems: readonly string[]): ReplyKind {
  switch (message.stop_reason) {
    case 'refusal':
      return 'refused';
    case 'model_context_window_exceeded':
      return 'exhausted';
    case 'max_tokens':
      return 'truncated';
    case 'pause_turn':
      if (problems.length > 0) return 'contradiction';
      return isBlank(message.content) ? 'empty' : 'paused';
    case 'tool_use':
      if (problems.length > 0) return 'contradiction';
      return calls > 0 ? 'calls' : 'paused';
    case 'end_turn':
    case 'stop_sequence':
      if (problems.length > 0) return 'contradiction';
      return textOf(message.content).trim() === '' ? 'empty' : 'answer';
    case null:
      return 'contradiction';
    default:
      return 'unknown';
  }
}

/** Far beyond what an output limit leaves room for. The machine's work on a call grows with the calls beside it. */
const MOST_CALLS = 1_000;

/** The public service takes letters, digits, "_" and "-"; others have dots and colons in theirs. */
const USABLE_ID = /^[\x21-\x7e]{1,256}$/;

function contradictions(
  message: AssistantMessage,
  calls: readonly ContentBlock[],
  usedIds: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  if (calls.length > MOST_CALLS)
    return [`the reply has ${calls.length} calls, and nobody means more than ${MOST_CALLS}`];
  const seen = new Set<string>();
  calls.forEach((call, index) => {
    const { id, name } = call;
    if (typeof name !== 'string' || name === '') problems.push(`call ${index + 1} has no name`);
    if (typeof id !== 'string' || id === '') {
      problems.push(`call ${index + 1} has no id`);
    } else if (!USABLE_ID.test(id)) {
      problems.push(`the id of call ${index + 1} is one that no service takes back`);
    } else if (seen.has(id)) {
      problems.push(`the id ${id} is used by two calls of the reply`);
    } else if (usedIds.has(id)) {
      problems.push(`the id ${id} was used by an earlier call of the run`);
    } else {
      seen.add(id);
    }
  });
  const stop = message.stop_reason;
  if (stop === null) problems.push('the reply has no stop reason');
  if (stop === 'tool_use' && calls.length === 0 && !hasOpenServerCall(message.content))
    problems.push('the stop reason is tool_use, but the reply has no call');
  if (calls.length > 0 && (stop === 'end_turn' || stop === 'stop_sequence' || stop === 'pause_turn'))
    problems.push(`the reply has calls, but the stop reason is ${stop}`);
  return problems;
}

/** The service may stop for a tool of its own that has no result yet; such a reply is sent back as it is. */
function hasOpenServerCall(content: readonly ContentBlock[]): boolean {
  const answered = new Set(content.map((block) => block.tool_use_id));
  return content.some((block) => block.type === 'server_tool_use' && !answered.has(block.id));
}

/** Nothing that could be sent back: there are no blocks, or only texts without a word. */
const isBlank = (content: readonly ContentBlock[]): boolean =>
  content.every((block) => isText(block) && block.text.trim() === '');

/** Whether later requests carry this reply. What is left out could not be sent back, or must be asked again. */
export const entersHistory = (kind: ReplyKind): boolean =>
  kind === 'answer' || kind === 'calls' || kind === 'paused';
