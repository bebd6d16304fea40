/** What the service refuses in a conversation, as far as it can be seen in the requests of a run alone. */
import { isDeepStrictEqual } from 'node:util';
import { type ContentBlock, isText, isToolUse, type Message } from '../../machines/protocol.ts';
import type { ModelRequest } from './client.ts';

/**
 * @param before the request before this one, which it has to repeat to the letter and may add to
 * @returns a sentence for each thing that is wrong
 */
export function historyProblems(request: ModelRequest, before?: ModelRequest): string[] {
  const { messages } = request;
  return [
    ...messages.flatMap(formProblems),
    ...messages.flatMap((message, at) => orderProblems(message, messages[at - 1], at)),
    ...messages.flatMap((message, at) => pairingProblems(message, messages[at - 1], at)),
    ...repeatedIds(messages),
    ...openCalls(messages.at(-1)),
    ...(before === undefined ? [] : prefixProblems(request, before)),
  ];
}

const blocksOf = ({ content }: Message): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const callIds = (message: Message | undefined): string[] =>
  message?.role === 'assistant'
    ? blocksOf(message)
        .filter(isToolUse)
        .map(({ id }) => id)
    : [];

function formProblems(message: Message, at: number): string[] {
  const blocks = blocksOf(message);
  return [
    ...(blocks.length === 0 ? [`message ${at} is empty`] : []),
    ...(blocks.some((block) => isText(block) && block.text === '')
      ? [`message ${at} has an empty text`]
      : []),
  ];
}

/** The user speaks first, and in one message. Replies follow on each other where a turn was paused. */
function orderProblems({ role }: Message, previous: Message | undefined, at: number): string[] {
  const isDue = role === 'user' ? previous?.role !== 'user' : previous !== undefined;
  return isDue
    ? openCalls(role === 'user' ? undefined : previous)
    : [`message ${at} is not the ${role}'s turn`];
}

/** The results of all calls, in call order, before anything else, right behind the calls. */
function pairingProblems(message: Message, previous: Message | undefined, at: number): string[] {
  if (message.role === 'assistant') return [];
  const blocks = blocksOf(message);
  const calls = callIds(previous);
  const answered = blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id] : []));
  if (!isDeepStrictEqual(answered, calls))
    return [`message ${at} has the results [${answered.join(', ')}] for the calls [${calls.join(', ')}]`];
  const isFirst = blocks.slice(0, answered.length).every(({ type }) => type === 'tool_result');
  return isFirst ? [] : [`message ${at} has something before its results`];
}

function repeatedIds(messages: readonly Message[]): string[] {
  const ids = messages.flatMap(callIds);
  const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
  return repeated.map((id) => `the id ${id} stands for two calls`);
}

const openCalls = (last: Message | undefined): string[] =>
  callIds(last).map((id) => `the call ${id} has no result`);

function prefixProblems(request: ModelRequest, before: ModelRequest): string[] {
  const head = ({ model, system, tools }: ModelRequest) => ({ model, system, tools });
  if (!isDeepStrictEqual(head(request), head(before)))
    return ['the model, the system prompt or the tools are not those of the request before'];
  const steps = stepsOf(request.messages);
  const changed = stepsOf(before.messages).findIndex((step, at) => !isDeepStrictEqual(step, steps[at]));
  return changed === -1 ? [] : [`block ${changed} is not as it was in the request before`];
}

const stepsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => blocksOf(message).map((block) => ({ role: message.role, block })));
