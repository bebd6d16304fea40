import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowAll, anthropicModel, builtinTools, memoryJournal, run } from '../../src/index.ts';
import { place } from './support.ts';

/** A Messages API that somebody else wrote, so that pawl is not only tested against its own idea of the service. */
const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.addFixture({
    match: { userMessage: 'count the lines', hasToolResult: false },
    response: {
      content: 'I will count them.',
      toolCalls: [{ name: 'bash', arguments: JSON.stringify({ command: 'wc -l < poem.txt' }) }],
    },
  });
  mock.addFixture({ match: { hasToolResult: true }, response: { content: 'The poem has 3 lines.' } });
  await mock.start();
});
afterAll(() => mock.stop());

describe('against a server that is not its own', () => {
  it('a run asks, calls a tool and answers, streaming', async () => {
    const at = place();
    at.write('poem.txt', 'one\ntwo\nthree\n');
    const texts: string[] = [];
    const outcome = await run({
      task: 'count the lines',
      client: anthropicModel({ apiKey: 'any-key', baseUrl: mock.url }),
      model: 'claude-sonnet-5-5',
      workspace: at.folder,
      tools: builtinTools().filter(({ name }) => name === 'bash'),
      policy: allowAll,
      journal: memoryJournal(),
      onEvent: (event) => {
        if (event.type === 'text') texts.push(event.text);
      },
    });
    expect(outcome).toMatchObject({
      status: 'answered',
      result: 'The poem has 3 lines.',
      errors: [],
      counters: { turns: 2, toolCalls: 1, attempts: 2 },
    });
    expect(texts.join('')).toContain('The poem has 3 lines.');
    expect(JSON.stringify(outcome.messages)).toContain('exit_code=0\\n3');
  });
});
