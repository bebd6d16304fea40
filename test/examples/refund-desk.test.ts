/** The example refund-desk: what a reader asks of such a loop, each question answered by a test. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadToolModule } from '../../src/cli/tool-module.ts';
import type { FinishedCall, ToolContext } from '../../src/tools/tool.ts';
import { call, calls, says } from '../field/support.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { playAll, playLive, violationsOf } from './played.ts';

describe('refund-desk, offline', () => {
  const played = playAll('refund-desk');
  const stops = (scenario: string) =>
    played(scenario).transcript.replies.map(({ stop_reason }) => stop_reason);
  const kinds = (scenario: string) =>
    played(scenario).transcript.messages.map(
      ({ role, content }) => `${role}: ${content.map(({ type }) => type).join(' ')}`,
    );

  it('what are the steps, and what does each stop reason ask for? tool_use: run and ask again; end_turn: it is over', () => {
    expect(stops('refund')).toEqual(['tool_use', 'tool_use', 'end_turn']);
    expect(kinds('refund')).toEqual([
      ...['user: text', 'assistant: text tool_use', 'user: tool_result', 'assistant: text tool_use'],
      ...['user: tool_result', 'assistant: text'],
    ]);
    expect(stops('no-tool')).toEqual(['end_turn']);
  });

  it('how do three calls of one reply come back? as three results in one message, in their order, in front of all else', () => {
    const [asked, answered] = played('three-orders').transcript.messages.slice(1, 3);
    const ids = asked?.content.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(answered?.content.slice(0, 3).map(({ tool_use_id }) => tool_use_id)).toEqual(ids);
  });

  it('why is a text no end? here one stands beside each call, the first of them says "complete", and the loop goes on', () => {
    const [first] = played('refund').transcript.messages.flatMap(({ role, content }) =>
      role === 'assistant' ? content : [],
    );
    expect(first?.text).toMatch(/^Task complete/);
    expect(played('refund').num_turns).toBe(3);
  });

  it('what does a model do that a decision tree does not? it goes by the result, also by one that nobody planned for', () => {
    const names = (scenario: string) =>
      played(scenario).transcript.messages.flatMap(({ content }) =>
        content.flatMap(({ name }) => (name ? [name] : [])),
      );
    expect(names('refund')).toEqual(['lookup_order', 'process_refund']);
    expect(names('shipped')).toEqual(['lookup_order']);
    expect(names('unknown-order')).toEqual(['lookup_order']);
  });

  it('what is the turn limit for? it is a net, whose use is on record for a person: run, task, status, what is known', () => {
    const { workspace, run_id, exit_code } = played('limit');
    expect(exit_code).toBe(10);
    const [line = '', ...rest] = readFileSync(path.join(workspace, 'escalations.jsonl'), 'utf8').split('\n');
    expect(rest).toEqual(['']);
    expect(JSON.parse(line)).toMatchObject({
      ...{ hook: 'afterRun', run_id, status: 'max_turns', num_turns: 2 },
      task: expect.stringContaining('A-1001'),
      result: expect.stringContaining('A person will go on'),
    });
  });

  it('what does pause_turn ask for? the same reply as the last message, nothing added, and another request', () => {
    expect(stops('pause')).toEqual(['pause_turn', 'end_turn']);
    expect(kinds('pause').slice(0, 2)).toEqual(['user: text', 'assistant: text server_tool_use']);
  });

  it('what becomes of a tool that fails? an error result that says what can be done, and never the end of the loop', () => {
    expect(played('unknown-order').results).toMatchObject([
      { is_error: true, content: 'There is no order Z-9999. Ask the customer for the number again.' },
    ]);
  });

  it('where do rules stand that must hold? in code: what they refuse did not happen, and the model is told why', () => {
    expect(played('not-looked-up').results.map(({ content }) => content)).toEqual([
      expect.stringContaining('has not been looked up'),
      ...[expect.anything(), expect.anything(), expect.stringContaining('refunded already')],
    ]);
    const [, , over, more] = played('cap').results;
    expect([over?.content, more?.content]).toEqual([
      expect.stringMatching(/above 500 a person decides/),
      expect.stringMatching(/120 was paid/),
    ]);
  });
});

const tools = await loadToolModule(path.resolve('examples/refund-desk/tools.mjs'));

describe('the rules of process_refund', () => {
  const refund = tools.find(({ name }) => name === 'process_refund');
  const context = (order_id?: string): ToolContext => {
    const workspace = scratchFolder();
    writeFileSync(
      path.join(workspace, 'orders.json'),
      readFileSync('examples/refund-desk/workspace/orders.json'),
    );
    const looked: FinishedCall = { name: 'lookup_order', input: { order_id }, isError: false };
    return { workspace, finishedCalls: () => (order_id ? [looked] : []) } as unknown as ToolContext;
  };

  it('let an order pass that was looked up, and only that one', () => {
    expect(refund?.precondition?.({ order_id: 'A-1001', amount: 120 }, context('A-1001'))).toBeUndefined();
    expect(refund?.precondition?.({ order_id: 'A-1001', amount: 120 }, context('A-1002'))).toContain(
      'looked up',
    );
    expect(refund?.precondition?.({ order_id: 'A-1002', amount: 1 }, context('A-1002'))).toContain('shipped');
  });

  it('find out after a crash whether the refund was made', async () => {
    const at = context('A-1001');
    expect(await refund?.probe?.({ order_id: 'A-1001', amount: 120 }, at)).toBe('not happened');
    await refund?.run({ order_id: 'A-1001', amount: 120 }, at);
    expect(await refund?.probe?.({ order_id: 'A-1001', amount: 120 }, at)).toContain('"refunded":true');
  });
});

describe('refund-desk, live', () => {
  it('sends what the service takes, and refunds what was looked up', async () => {
    const replies = [
      calls(call('toolu_1', 'lookup_order', { order_id: 'A-1001' })),
      calls(call('toolu_2', 'process_refund', { order_id: 'A-1001', amount: 120 })),
      says('It is on its way.'),
    ];
    const lived = await playLive('refund-desk', replies, scratchFolder());
    expect(lived).toMatchObject({ code: 0, document: { status: 'answered', result: 'It is on its way.' } });
    expect(violationsOf(lived)).toEqual([]);
    expect(readFileSync(path.join(lived.workspace, 'refunds.jsonl'), 'utf8')).toBe(
      '{"order_id":"A-1001","amount":120}\n',
    );
  });
});
