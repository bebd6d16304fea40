/** Replies that play the model: as in a script of the command line, in JSON. */
import type { AssistantMessage, ContentBlock } from '../../machines/protocol.ts';

export interface ScriptReply {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  readonly stop_reason?: string | null;
}

/** @throws Error that says what is wrong, for a person */
export function readScript(text: string): ScriptReply[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error('A script is a list of replies: [{ "text": "…" }]');
  found.forEach((reply: unknown, index) => {
    if (typeof reply !== 'object' || reply === null) throw new Error(`Reply ${index + 1} is no object.`);
    const { calls } = reply as ScriptReply;
    const isFine =
      calls === undefined || (Array.isArray(calls) && calls.every((call) => typeof call?.name === 'string'));
    if (!isFine) throw new Error(`Reply ${index + 1}: calls are a list of { "name", "input" }.`);
  });
  return found;
}

/** @param place what makes the ids of its calls different from those of all others */
export function messageOf(reply: ScriptReply, place: number): AssistantMessage {
  const { text, thinking, calls = [], stop_reason } = reply;
  const content: ContentBlock[] = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: 'demo' }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ name, input }, index) => ({
      type: 'tool_use',
      id: `toolu_${place}_${index + 1}`,
      name,
      input: input ?? {},
    })),
  ];
  return {
    content,
    stop_reason: stop_reason === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : stop_reason,
    usage: { input_tokens: 900 + place * 340, output_tokens: 40 + JSON.stringify(content).length },
  };
}
