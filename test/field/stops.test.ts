import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, calls, goOn, messagesIn, place, play, resultsIn, says, text } from './support.ts';

const FORBIDDEN = { type: 'none' };

describe('a stop reason', () => {
  it('max_tokens runs no call of the cut reply: it is asked again with more room, twice, and ends as truncated', async () => {
    const cut = (id: string) => ({
      content: [text('Writing the report.'), call(id, 'write_file', {})],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 100, output_tokens: 4096 },
    });
    const { outcome, server, records } = await play([
      cut('toolu_l1'),
      cut('toolu_l2'),
      cut('toolu_l3'),
      cut('toolu_l4'),
    ]);
    expect(outcome).toMatchObject({
      status: 'truncated',
      exitCode: 21,
      counters: { truncations: 3, turns: 0 },
    });
    expect(outcome.errors.join()).toContain('truncation');
    expect(server.requests.map((request) => request.body.max_tokens)).toEqual([16_384, 32_768, 64_000]);
    expect(records.some((record) => record.type === 'tool.started')).toBe(false);
  });

  it('pause_turn sends the content back unchanged as the last message, and the turn goes on', async () => {
    const paused = [
      text('Searching.'),
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'pawl' } },
    ];
    const { outcome, server } = await play([
      { content: paused, stop_reason: 'pause_turn' },
      {
        content: [
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          text('Nothing found.'),
        ],
        stop_reason: 'end_turn',
      },
    ]);
    expect(outcome).toMatchObject({
      status: 'answered',
      result: 'Nothing found.',
      counters: { turns: 1, pauses: 1, attempts: 2 },
    });
    expect(messagesIn(server, 2).at(-1)).toEqual({ role: 'assistant', content: paused });
  });

  it('refusal ends the run after one request, with the explanation of the service', async () => {
    const refusal = {
      content: [],
      stop_reason: 'refusal',
      stop_details: { category: 'bio', explanation: 'Not this.' },
      usage: { input_tokens: 5000, output_tokens: 0 },
    };
    const { outcome, server } = await play([refusal, refusal]);
    expect(outcome).toMatchObject({ status: 'refused', exitCode: 20 });
    expect(outcome.errors.join()).toContain('Not this.');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['nothing', []],
    ['text alone', [text('Let me check.')]],
  ])('tool_use with %s is a contradiction: one request, and no success', async (_, content) => {
    const { outcome, server } = await play([
      { content, stop_reason: 'tool_use' },
      { content, stop_reason: 'tool_use' },
    ]);
    expect(outcome).toMatchObject({ status: 'protocol_error', exitCode: 24, result: null });
    expect(outcome.errors.join()).toContain('no call');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a limit', () => {
  const round = (n: number) => calls(call(`toolu_z${n}`, 'bash', { command: `echo fact-${n}` }));

  it('on turns runs the last round, then asks once without tools, and the answer has read it', async () => {
    const { outcome, server } = await play([round(1), round(2), round(3), says('facts 1, 2, 3')], {
      options: { limits: { maxTurns: 3 } },
    });
    expect(outcome).toMatchObject({
      status: 'max_turns',
      exitCode: 10,
      result: 'facts 1, 2, 3',
      counters: { turns: 3, summaries: 1 },
    });
    expect(server.requests).toHaveLength(4);
    expect(server.requests[3]?.raw).toContain('fact-3');
    expect(server.requests[3]?.body.tool_choice).toEqual(FORBIDDEN);
    for (const field of ['tools', 'system', 'model'])
      expect(server.requests[3]?.body[field]).toEqual(server.requests[0]?.body[field]);
  });

  it('whose closing request is answered with a call runs nothing, says that there is no summary, and leaves a usable history', async () => {
    const evasion = (id: string) =>
      calls(text("I'll check one more thing."), call(id, 'bash', { command: 'echo past >> past.txt' }));
    const { outcome, server, at } = await play([round(1), evasion('toolu_ac2'), evasion('toolu_ac3')], {
      options: { limits: { maxTurns: 1 } },
    });
    expect(outcome).toMatchObject({
      status: 'max_turns',
      result: null,
      counters: { turns: 1, summaries: 1 },
    });
    expect(outcome.errors.join()).toMatch(/No summary was given.*not run/);
    expect(existsSync(path.join(at.folder, 'past.txt'))).toBe(false);
    expect(server.requests).toHaveLength(2);
    expect(await goOn(server, outcome.messages, 'go on')).toMatchObject({ status: 200, violations: [] });
  });

  it('on repetition ends a run whose calls give the same result again and again, long before the turn limit', async () => {
    const at = place();
    at.write('a.txt', 'A');
    const same = Array.from({ length: 30 }, (_, n) =>
      calls(call(`toolu_v${n}`, 'read_file', { path: 'a.txt' })),
    );
    const { outcome, server } = await play([...same.slice(0, 6), says('it is A'), ...same], {
      at,
      options: { limits: { maxTurns: 50 } },
    });
    expect(outcome).toMatchObject({
      status: 'stuck',
      exitCode: 15,
      result: 'it is A',
      counters: { turns: 6, summaries: 1 },
    });
    expect(server.requests).toHaveLength(7);
    const told = server.requests.map(({ raw }) => raw.includes('Making them again will not help'));
    expect(told).toEqual([false, false, false, true, true, true, true]);
    expect(server.requests[6]?.raw).toContain('same results again and again');
  });

  it('on tokens keeps the call of the crossing reply from running, names the budget, and still gets an answer', async () => {
    const crossing = {
      content: [call('toolu_ai1', 'bash', { command: 'echo ran > ran.txt' })],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1100, output_tokens: 100 },
    };
    const { outcome, server, at } = await play([crossing, says('nothing done yet')], {
      options: { limits: { tokenBudget: 1000 } },
    });
    expect(outcome).toMatchObject({
      status: 'token_budget',
      exitCode: 11,
      result: 'nothing done yet',
      counters: { toolCalls: 0 },
    });
    expect(existsSync(path.join(at.folder, 'ran.txt'))).toBe(false);
    expect(resultsIn(server, 2)).toMatchObject([
      { tool_use_id: 'toolu_ai1', is_error: true, content: expect.stringContaining('token budget') },
    ]);
    expect(await goOn(server, outcome.messages, 'go on')).toMatchObject({ status: 200, violations: [] });
  });

  it('counts cached tokens too, and reports the four figures apart', async () => {
    const usage = {
      input_tokens: 5,
      output_tokens: 100,
      cache_read_input_tokens: 40_000,
      cache_creation_input_tokens: 3_000,
    };
    const dear = (n: number) => ({ ...round(n), usage });
    const { outcome } = await play([dear(1), dear(2), { ...says('so far'), usage }], {
      options: { limits: { tokenBudget: 100_000 } },
    });
    // With the results of the second call, there would be no room for a summary of that size.
    expect(outcome).toMatchObject({
      status: 'token_budget',
      result: 'so far',
      counters: { turns: 2, toolCalls: 1, summaries: 1 },
    });
    expect(outcome.usage).toEqual({ input: 15, cacheWrite: 9_000, cacheRead: 120_000, output: 300 });
  });
});

describe('usage and retries', () => {
  it('takes streamed totals over and does not add them up', async () => {
    const head = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    const { outcome } = await play([
      {
        fault: 'sse',
        events: [
          ['message_start', { message: { ...head, usage: { input_tokens: 25, output_tokens: 1 } } }],
          ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
          ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }],
          [
            'message_delta',
            { delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: 15 } },
          ],
          ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: ' there' } }],
          ['content_block_stop', { index: 0 }],
          [
            'message_delta',
            { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 40 } },
          ],
          ['message_stop', {}],
        ],
      },
    ]);
    expect(outcome).toMatchObject({ result: 'Hello there', usage: { input: 25, output: 40 } });
  });

  it('repeats a failed request to the byte, and never the calls before it', async () => {
    const { outcome, server, at } = await play([
      calls(call('toolu_as1', 'bash', { command: 'echo line >> log.txt' })),
      { fault: 'status', status: 500 },
      { fault: 'status', status: 500 },
      says('ok'),
    ]);
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: 2, attempts: 4 } });
    expect(at.read('log.txt')).toBe('line\n');
    const bodies = server.requests.slice(1).map((request) => request.raw);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies).toHaveLength(3);
  });
});
