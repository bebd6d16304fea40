// The loop that one writes by hand on the SDK, streaming.
import fs from 'node:fs/promises';
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ apiKey: 'none', maxRetries: 0 });
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];
const messages = [{ role: 'user', content: 'read the notes' }];

async function ask() {
  const message = { content: [], stop_reason: null };
  const texts = [];
  const stream = await client.messages.create({
    model: 'bench',
    max_tokens: 1024,
    messages,
    tools,
    stream: true,
  });
  for await (const event of stream) {
    if (event.type === 'content_block_start') {
      message.content[event.index] = event.content_block;
      texts[event.index] = '';
    } else if (event.type === 'content_block_delta') {
      texts[event.index] += event.delta.text ?? event.delta.partial_json ?? '';
    } else if (event.type === 'content_block_stop') {
      const block = message.content[event.index];
      if (block.type === 'text') block.text = texts[event.index];
      else block.input = JSON.parse(texts[event.index] || '{}');
    } else if (event.type === 'message_delta') {
      message.stop_reason = event.delta.stop_reason;
    }
  }
  return message;
}

/** @param onStep is given all messages after each of them */
export async function loop(onStep = () => {}) {
  for (;;) {
    const reply = await ask();
    messages.push({ role: 'assistant', content: reply.content });
    onStep(messages);
    if (reply.stop_reason !== 'tool_use') break;
    const calls = reply.content.filter((block) => block.type === 'tool_use');
    const results = await Promise.all(
      calls.map(async ({ id, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: await fs.readFile(input.path, 'utf8'),
      })),
    );
    messages.push({ role: 'user', content: results });
    onStep(messages);
  }
  console.log(JSON.stringify({ maxRssKb: process.resourceUsage().maxRSS }));
}
