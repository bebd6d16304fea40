import { describe, expect, it } from 'vitest';
import { requestBody } from '../../src/model/wire.ts';
import { modelRequest, userSays } from '../helpers/model-request.ts';

describe('the body of a request', () => {
  it('holds what is needed and nothing else', () => {
    expect(requestBody(modelRequest())).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 1024,
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
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'system', 'messages']);
  });

  it('asks for the effort that is wanted', () => {
    expect(requestBody(modelRequest({ effort: 'xhigh' })).output_config).toEqual({ effort: 'xhigh' });
  });
});
