/**
 * What the service refuses, as a pure function: one text for each violation, in the service's words where a program
 * has to know them. Stricter than the service in one point: results must stand in the order of their calls.
 */
import { cacheViolations } from './strict-cache.ts';
import { fieldViolations } from './strict-fields.ts';
import {
  type Block,
  type Fields,
  headOf,
  isEmptyText,
  isFields,
  listOf,
  signatureOf,
  stepKey,
  stepsOf,
  type Turn,
  turnsOf,
} from './strict-form.ts';

/** What went over the wire before: accepted requests, and complete replies as they were sent. */
export interface History {
  readonly requests: readonly Fields[];
  readonly sent: readonly SentReply[];
}

export interface SentReply {
  readonly content: readonly Block[];
  readonly stop_reason: string | null;
}

export function violations(body: unknown, history: History): string[] {
  if (!isFields(body)) return ['the body is not an object'];
  const turns = turnsOf(body);
  return [
    ...fieldViolations(body),
    ...cacheViolations(body),
    ...listOf(body.messages).flatMap(messageViolations),
    ...roleViolations(body, turns, history),
    ...turns.flatMap((turn, index) => pairingViolations(turn, turns[index - 1], turns[index + 1])),
    ...idViolations(turns),
    ...prefixViolations(body, history),
    ...signatureViolations(body),
  ];
}

const USER_BLOCKS = new Set(['text', 'image', 'document', 'search_result', 'tool_result']);
const isBlank = (block: unknown): boolean =>
  isFields(block) && block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === '');

function messageViolations(message: unknown, index: number): string[] {
  const at = `messages.${index}`;
  if (!isFields(message) || (message.role !== 'user' && message.role !== 'assistant'))
    return [`${at}: Unexpected role`];
  const { role } = message;
  const content =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  if (!Array.isArray(content)) return [`${at}.content: Field required`];
  if (content.length === 0)
    return role === 'user' ? [`${at}: user messages must have non-empty content`] : [];
  const found: string[] = [];
  content.forEach((block: unknown, position) => {
    const here = `${at}.content.${position}`;
    if (!isFields(block) || typeof block.type !== 'string') found.push(`${here}: not a block`);
    else if (isEmptyText(block as Block)) found.push('messages: text content blocks must be non-empty');
    else if (isBlank(block) && (role === 'user' || content.every(isBlank)))
      found.push('messages: text content blocks must contain non-whitespace text');
    else if (role === 'user' && !USER_BLOCKS.has(block.type))
      found.push(`${here}: ${block.type} in a user message`);
    else if (role === 'assistant' && block.type === 'tool_result')
      found.push(`${here}: tool_result in an assistant message`);
    else if (listOf(block.content).some((inner) => isFields(inner) && isEmptyText(inner as Block)))
      found.push(`${here}.content: text content blocks must be non-empty`);
  });
  return found;
}

function roleViolations(body: Fields, turns: readonly Turn[], history: History): string[] {
  const first = turns[0];
  const last = turns.at(-1);
  if (first === undefined || last === undefined) return ['messages: Field required'];
  const found: string[] = [];
  if (first.role !== 'user') found.push('messages: first message must use the "user" role');
  if (last.role === 'assistant' && !isPaused(last, history))
    found.push(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  if (callsOf(turns.flatMap(({ blocks }) => blocks)).length > 0 && listOf(body.tools).length === 0)
    found.push('Requests which include `tool_use` or `tool_result` blocks must define tools.');
  return found;
}

/** Only a paused turn may be sent back as the last message. A turn that another server sent is judged by its looks. */
function isPaused({ blocks }: Turn, { sent }: History): boolean {
  const keys = keysOf(blocks);
  const reply = sent.findLast(({ content }) => endsWith(keys, keysOf(content)));
  return reply?.stop_reason === 'pause_turn' || openServerCalls(blocks).length > 0;
}

const callsOf = (blocks: readonly Block[]): readonly Block[] =>
  blocks.filter(({ type }) => type === 'tool_use');
const resultsOf = (blocks: readonly Block[]): readonly Block[] =>
  blocks.filter(({ type }) => type === 'tool_result');
const openServerCalls = (blocks: readonly Block[]): readonly Block[] => {
  const answered = new Set(blocks.map(({ tool_use_id }) => tool_use_id));
  return blocks.filter(({ type, id }) => type === 'server_tool_use' && !answered.has(id));
};

/** Judges a user turn against the calls before it, and an assistant turn against the absence of an answer. */
function pairingViolations(turn: Turn, before: Turn | undefined, after: Turn | undefined): string[] {
  if (turn.role === 'assistant') {
    const ids = callsOf(turn.blocks).map(({ id }) => id);
    const answered = new Set(resultsOf(after?.messages[0] ?? []).map(({ tool_use_id }) => tool_use_id));
    const missing = ids.filter((id) => !answered.has(id));
    return missing.length === 0
      ? []
      : [
          `messages.${turn.start}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        ];
  }
  const found: string[] = [];
  const calls = callsOf(before?.blocks ?? []).map(({ id }) => id);
  const answers = resultsOf(turn.blocks).map(({ tool_use_id }) => tool_use_id);
  for (const id of answers.filter((id) => !calls.includes(id)))
    found.push(`messages.${turn.start}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`);
  for (const id of answers.filter((id, index) => answers.indexOf(id) !== index))
    found.push(`messages.${turn.start}: each tool_use must have a single result. Found multiple for: ${id}`);
  if (turn.blocks.slice(0, answers.length).some(({ type }) => type !== 'tool_result'))
    found.push(`messages.${turn.start}: results must come before everything else`);
  if (found.length === 0 && answers.join() !== calls.join() && answers.length === calls.length)
    found.push(`messages.${turn.start}: results must stand in the order of their calls`);
  const open = openServerCalls(before?.blocks ?? []);
  if (open.length > 0 && (calls.length === 0 || answers.length < turn.blocks.length))
    found.push(
      `messages.${turn.start - 1}: server tool use with id ${open[0]?.id} was found without a corresponding result block`,
    );
  return found;
}

function idViolations(turns: readonly Turn[]): string[] {
  const ids = callsOf(turns.flatMap(({ blocks }) => blocks)).map(({ id }) => id);
  return ids.flatMap((id, index) => {
    if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id))
      return [`tool_use: the id ${String(id)} is malformed`];
    return ids.indexOf(id) === index ? [] : [`messages: \`tool_use\` ids must be unique: ${id}`];
  });
}

/** A request repeats the one before it to the letter, then goes on with what the server sent. */
function prefixViolations(body: Fields, { requests, sent }: History): string[] {
  const before = requests.at(-1);
  if (before === undefined) return [];
  if (headOf(body) !== headOf(before))
    return ['system and tools must stay as they were in the request before'];
  const known = stepsOf(before).map(stepKey);
  const steps = stepsOf(body);
  const changed = known.findIndex(
    (key, index) => steps[index] === undefined || stepKey(steps[index]) !== key,
  );
  if (changed >= 0) return [`${steps[changed]?.at ?? 'messages'}: differs from the request before`];
  const news = steps.slice(known.length);
  const found: string[] = [];
  for (let start = 0; start < news.length; ) {
    const length = news.slice(start).findIndex(({ role }) => role !== news[start]?.role);
    const run = news.slice(start, length < 0 ? news.length : start + length);
    if (run[0]?.role === 'assistant' && !isSent(keysOf(run.map(({ block }) => block)), sent))
      found.push(`${run[0].at}: the assistant's content is not what was sent`);
    start += run.length;
  }
  return found;
}

const keysOf = (blocks: readonly Block[]): string[] =>
  blocks.filter((block) => !isEmptyText(block)).map((block) => stepKey({ role: 'assistant', block }));

const endsWith = (keys: readonly string[], end: readonly string[]): boolean =>
  end.length > 0 && keys.slice(-end.length).join('\n') === end.join('\n');

/** Whether the blocks are one reply, or several in a row. */
function isSent(keys: readonly string[], sent: readonly SentReply[]): boolean {
  if (keys.length === 0) return true;
  const last = sent.findLastIndex(({ content }) => endsWith(keys, keysOf(content)));
  const reply = sent[last];
  return reply !== undefined && isSent(keys.slice(0, -keysOf(reply.content).length), sent.slice(0, last));
}

function signatureViolations(body: Fields): string[] {
  const head = headOf(body);
  const before: string[] = [];
  const found: string[] = [];
  for (const step of stepsOf(body)) {
    const { block, at } = step;
    if (block.type === 'thinking' && block.signature !== signatureOf(head, before, block.thinking))
      found.push(
        `${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
      );
    before.push(stepKey(step));
  }
  return found;
}
