import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../../machines/protocol.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { countBytes, requestBytes, type WireOptions } from '../../src/model/wire.ts';
import { modelRequest, userSays } from '../helpers/model-request.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const requestBody = (request: ModelRequest, options: WireOptions = { cache: false }) =>
  JSON.parse(requestBytes(request, options).toString('utf8'));

describe('the body of a request', () => {
  it('holds what is needed and nothing else', () => {
    expect(requestBody(modelRequest())).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 1024,
      stream: true,
      system: 'Answer briefly.',
      messages: [userSays('What is in a.txt?')],
      tools: [
        { name: 'read_file', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } },
        { name: 'bash', description: 'Runs a command.', input_schema: { type: 'object', properties: {} } },
      ],
    });
  });

  it.each(['', '  \n'])('has no system prompt where that is blank: %j', (system) => {
    expect(requestBody(modelRequest({ system }))).not.toHaveProperty('system');
  });

  it('keeps the tools where they may not be used, and says so', () => {
    const { tools, tool_choice } = requestBody(modelRequest({ toolsOff: true }));
    expect(tool_choice).toEqual({ type: 'none' });
    expect(tools).toEqual(requestBody(modelRequest()).tools);
  });

  it('has neither tools nor a choice of them where there are none', () => {
    const body = requestBody(modelRequest({ tools: [], toolsOff: true }));
    expect(Object.keys(body)).toEqual(['messages', 'model', 'max_tokens', 'stream', 'system']);
  });

  it('asks for the effort that is wanted', () => {
    expect(requestBody(modelRequest({ effort: 'xhigh' })).output_config).toEqual({ effort: 'xhigh' });
  });

  it('asks for thinking to be shown or left out only where that is wanted', () => {
    expect(requestBody(modelRequest(), { thinkingDisplay: 'summarized' }).thinking).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
    expect(requestBody(modelRequest(), {})).not.toHaveProperty('thinking');
  });

  it('is the same without limit and stream where only its tokens are counted', () => {
    const request = modelRequest({ effort: 'low', toolsOff: true });
    const { max_tokens, stream, ...rest } = requestBody(request, {});
    expect([max_tokens, stream]).toEqual([1024, true]);
    expect(JSON.parse(countBytes(request).toString('utf8'))).toEqual(rest);
  });

  it('has each message as it is, also where it was sent before and a newer one took its place', () => {
    const first = user(text('one'));
    expect(requestBody(modelRequest({ messages: [first] })).messages).toEqual([first]);
    const longer = user(text('one'), text('"two" \ud83d\ude00'));
    expect(requestBody(modelRequest({ messages: [longer, first] })).messages).toEqual([longer, first]);
  });

  it('has the messages of this request and no others, whatever was sent before under the same beginning', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((value) => user(text(value))) as [
      Message,
      Message,
      Message,
      Message,
    ];
    const histories = [[a], [a, b], [a, b, c], [a, d, c], [a, d], [a], [a, b], [a, b], [b, a], []];
    for (const messages of histories)
      expect(requestBody(modelRequest({ messages })).messages).toEqual(messages);
  });
});
