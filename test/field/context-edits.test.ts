/** The service may shorten what the model reads of a long history; what pawl keeps and sends stays whole. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { allowAll, anthropicModel, builtinTools, memoryJournal, run } from '../../src/index.ts';
import { type StrictReply, startStrictServer } from '../helpers/strict-server.ts';
import { servedPlace, violationsOf } from './served.ts';
import { call, calls, messagesIn, place, says, text } from './support.ts';

const BETAS = 'context-management-2025-06-27,compact-2026-01-12';
const look = (id: string) => call(id, 'bash', { command: `echo ${id}` });
const CLEARED = {
  ...calls(look('toolu_2')),
  context_management: {
    applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 }],
  },
};
/** As the service sends it: the summary first, and what it took beside the figures of the reply. */
const SUMMARY = {
  type: 'compaction',
  content: 'So far: look twice.',
  encrypted_content: 'b3BhcXVl',
  signature: 'c2ln',
  novelty: [1, null],
};
const SUMMARISED = {
  content: [SUMMARY, text('I go on.'), look('toolu_3')],
  stop_reason: 'tool_use',
  usage: {
    input_tokens: 23_000,
    output_tokens: 1_000,
    iterations: [
      { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
      { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
    ],
  },
};

async function edited(replies: readonly StrictReply[]) {
  const server = await startStrictServer(replies);
  onTestFinished(() => server.close());
  const journal = memoryJournal();
  const client = { apiKey: 'k', baseUrl: server.url, contextEdits: ['clear', 'compact'] } as const;
  const outcome = await run({
    task: 'look three times',
    client: anthropicModel(client),
    model: 'claude-sonnet-5-5',
    workspace: place().folder,
    tools: builtinTools(),
    policy: allowAll,
    journal,
  });
  return { outcome, server, records: journal.records };
}

describe('what the service does to a long history', () => {
  it('is asked for with each request, and the history is sent whole and as it was', async () => {
    const { outcome, server } = await edited([calls(look('toolu_1')), CLEARED, SUMMARISED, says('done')]);
    expect(outcome).toMatchObject({ status: 'answered', result: 'done' });
    expect(violationsOf(server)).toEqual([]);
    for (const { headers, body } of server.requests) {
      expect(headers['anthropic-beta']).toBe(BETAS);
      expect(body.context_management).toEqual({
        edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'compact_20260112' }],
      });
    }
    expect(messagesIn(server, 4).at(-2)?.content).toEqual(SUMMARISED.content);
    expect(messagesIn(server, 4)).toHaveLength(7);
  });

  it('costs what its summaries took as well', async () => {
    const { outcome } = await edited([SUMMARISED, says('done')]);
    expect(outcome.usage).toMatchObject({ input: 203_100, output: 4_520 });
    expect(outcome.costUsd).toBeCloseTo((203_100 * 2 + 4_520 * 10) / 1e6, 9);
  });

  it('stays in the records as it was said', async () => {
    const { records } = await edited([CLEARED, SUMMARISED, says('done')]);
    const replies = records.flatMap((record) => (record.type === 'reply.received' ? [record.message] : []));
    expect(replies[0]?.context_management).toEqual(CLEARED.context_management);
    expect(replies[1]).toMatchObject({ content: SUMMARISED.content, usage: SUMMARISED.usage });
  });
});

describe('--context-edits', () => {
  it('is told as it happens and in the log, and a run that goes on has it again', async () => {
    const at = servedPlace();
    const first = await at.serve(calls(look('toolu_1')), CLEARED);
    const ran = await at.pawl(['run', '--yes', '--context-edits', '--max-turns', '2', '--no-summary', 't']);
    expect(ran.stderr).toContain('the service cleared 8 old results (50,000 tokens)');
    const second = await at.serve(SUMMARISED, says('done'));
    const went = await at.pawl(['resume', '--last', '--yes', '--max-turns', '+2']);
    expect({ code: went.code, stdout: went.stdout }).toEqual({ code: 0, stdout: 'done\n' });
    expect(went.stderr).toContain('the service summarised the history');
    expect([...violationsOf(first), ...violationsOf(second)]).toEqual([]);
    for (const { headers, body } of [...first.requests, ...second.requests]) {
      expect(headers['anthropic-beta']).toBe(BETAS);
      expect(body.context_management).toMatchObject({ edits: { length: 2 } });
    }
    const { stdout } = await at.pawl(['log', at.ids[0] ?? '']);
    expect(stdout).toMatch(/cleared 8 old results \(50,000 tokens\)[\s\S]*summarised the history/);
  });

  it('leaves summaries out where there is a budget, which could not foresee their cost', async () => {
    const at = servedPlace();
    const first = await at.serve(SUMMARISED);
    await at.pawl(['run', '--yes', '--context-edits', '--max-turns', '1', '--no-summary', 't']);
    const second = await at.serve(says('done'));
    const budget = ['--max-turns', '+2', '--token-budget', '900000'];
    expect((await at.pawl(['resume', '--last', '--yes', ...budget])).stdout).toBe('done\n');
    const edits = [...first.requests, ...second.requests].map(({ body }) => body.context_management);
    expect(edits).toMatchObject([{ edits: { length: 2 } }, { edits: { length: 1 } }]);
    expect(second.requests[0]?.headers['anthropic-beta']).toBe(BETAS);
    expect(violationsOf(second)).toEqual([]);
  });
});
