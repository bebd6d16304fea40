import { anthropicModel } from '../../src/model/anthropic.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { type StrictReply, startStrictServer } from '../helpers/strict-server.ts';
import { modelClientSuite } from './model-clients.ts';

modelClientSuite('the Messages API over HTTP', async (script) => {
  const server = await startStrictServer(script.map(overTheWire));
  return {
    client: anthropicModel({ apiKey: 'a-key', baseUrl: server.url }),
    sent: (index) => server.history.sent[index]?.content ?? [],
    close: server.close,
  };
});

modelClientSuite('a script', async (script) => ({
  client: scriptedModel(script, 'test script'),
  sent: (index) => script[index]?.content ?? [],
  close: async () => {},
}));

/** The same reply as a server gives it. */
function overTheWire({ text, content, stop_reason, usage, fault }: ScriptReply): StrictReply {
  if (fault === 'connection') return { fault: 'reset' };
  if (fault === 'cut' || fault === 'hang')
    return {
      fault: 'sse',
      events: [
        [
          'message_start',
          { message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} } },
        ],
        ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
        ['content_block_delta', { index: 0, delta: { type: 'text_delta', text } }],
      ],
      end: fault === 'cut' ? 'close' : 'hang',
    };
  if (fault !== undefined)
    return {
      fault: 'status',
      status: fault.status,
      headers: fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) },
      body: { type: 'error', error: { type: 'some_error', message: fault.message } },
    };
  const blocks = content ?? [{ type: 'text', text }];
  const isCall = blocks.some(({ type }) => type === 'tool_use');
  return {
    content: blocks,
    stop_reason: stop_reason === undefined ? (isCall ? 'tool_use' : 'end_turn') : stop_reason,
    ...(usage && { usage }),
  };
}
