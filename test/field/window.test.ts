/** A history that grows and grows: the run stops before the service refuses it, and can go on with another one. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { allowAll, anthropicModel, builtinTools, memoryJournal, resume } from '../../src/index.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import type { ContextEdit } from '../../src/model/context-edits.ts';
import type { Fields } from '../helpers/strict-form.ts';
import { startStrictServer } from '../helpers/strict-server.ts';
import { violationsOf } from './served.ts';
import { call, goOn, place, play, says } from './support.ts';

const WINDOW = 40_000;
/** The service of these tests has four bytes to a token, and clears nearly everything where it is asked to clear. */
const tokensOf = (request: Fields) =>
  request.context_management ? 2_000 : Math.ceil(JSON.stringify(request).length / 4);
const service = {
  window: WINDOW,
  tokensOf,
  usageOf: (request: Fields) => ({ input_tokens: tokensOf(request), output_tokens: 50 }),
};
const round = (n: number) => ({
  content: [1, 2, 3].map((k) =>
    call(`toolu_${n}_${k}`, 'read_file', { path: `${k}.txt`, offset: 1 + (n % 7) }),
  ),
  stop_reason: 'tool_use',
});
const rounds = Array.from({ length: 40 }, (_, n) => round(n));

function library() {
  const at = place();
  const lines = Array.from({ length: 60 }, (_, n) => `${n} `.padEnd(84, '.')).join('\n');
  for (const k of [1, 2, 3]) at.write(`${k}.txt`, lines);
  return at;
}

describe('a history of 40 rounds with 3 results of 5 KB each', () => {
  it('ends as context_exhausted before the service refuses anything, and is whole at every request', async () => {
    const limits = { contextWindow: WINDOW, maxRepeats: null, maxOutputTokens: 4_000 };
    const { outcome, server, records } = await play(rounds, { at: library(), service, options: { limits } });
    expect(outcome).toMatchObject({ status: 'context_exhausted', exitCode: 22 });
    expect(outcome.errors).toEqual([
      expect.stringMatching(
        /^The request was not sent: a prompt of \d+ tokens leaves no room .* 40000\..*fork/,
      ),
    ]);
    expect(violationsOf(server)).toEqual([]);
    expect(records.filter(({ type }) => type === 'attempt.failed')).toEqual([]);
    expect(records.filter(({ type }) => type === 'reply.received')).toHaveLength(server.requests.length);
    // The next round would not have fitted; the last ones had to keep their replies short.
    const sizes = server.requests.map(({ body }) => tokensOf(body));
    expect(sizes.at(-1)).toBeGreaterThan(WINDOW - 8_000);
    expect(server.requests.at(-1)?.body.max_tokens).toBeLessThanOrEqual(WINDOW - (sizes.at(-1) ?? 0));
    expect(server.requests[0]?.body.max_tokens).toBe(4_000);
    // Only near the end is anything counted.
    expect(server.counts.length).toBeLessThan(server.requests.length / 2);
    expect(verifyRecords(records)).toBeUndefined();
    expect(await goOn(server, outcome.messages, 'go on')).toMatchObject({ status: 200, violations: [] });
  });

  it('stops again without a request as long as nothing has changed, and goes on where the service clears results', async () => {
    const limits = { contextWindow: WINDOW, maxRepeats: null, maxOutputTokens: 4_000 };
    const at = library();
    const { outcome, journal, server } = await play([...rounds.slice(0, 30)], {
      at,
      service,
      options: { limits },
    });
    expect(outcome.status).toBe('context_exhausted');
    const next = await startStrictServer([says('done')], { ...service, history: server.history });
    onTestFinished(() => next.close());
    const again = (contextEdits: readonly ContextEdit[]) => {
      const taken = memoryJournal(Date.now, journal.records);
      const client = anthropicModel({ apiKey: 'k', baseUrl: next.url, contextEdits });
      const means = { client, tools: builtinTools(), policy: allowAll };
      return resume({ journal: taken, records: [...taken.records], tornBytes: 0 }, means);
    };
    expect(await again([])).toMatchObject({ status: 'context_exhausted' });
    expect(next.requests).toHaveLength(0);
    expect(await again(['clear'])).toMatchObject({ status: 'answered', result: 'done' });
    expect(violationsOf(next)).toEqual([]);
  });
});

describe('a window', () => {
  it('that a first prompt fills is told before anything is sent', async () => {
    const options = { task: 'x'.repeat(200_000), limits: { contextWindow: WINDOW } };
    const { outcome, server } = await play([says('never')], { service, options });
    expect(outcome).toMatchObject({ status: 'context_exhausted', counters: { attempts: 0 } });
    expect(server.requests).toEqual([]);
    expect(server.counts).toHaveLength(1);
  });

  it('ends a run as context_exhausted also where it cut a reply, which is not asked for again', async () => {
    const options = { task: 'x'.repeat(120_000), limits: { contextWindow: WINDOW } };
    const cut = { content: [{ type: 'text', text: 'It begins' }], stop_reason: 'max_tokens' };
    const { outcome, server } = await play([cut, cut], { service, options });
    expect(outcome).toMatchObject({ status: 'context_exhausted', result: 'It begins' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body.max_tokens).toBeLessThan(10_000);
  });

  it('leaves out a summary that would not fit', async () => {
    const full = { ...round(1), usage: { input_tokens: 39_000, output_tokens: 900 } };
    const options = { limits: { contextWindow: WINDOW, maxTurns: 1 } };
    const { outcome, server } = await play([full, says('never')], {
      at: library(),
      service: { tokensOf: () => 39_900 },
      options,
    });
    expect(outcome).toMatchObject({ status: 'max_turns', result: null, counters: { summaries: 0 } });
    expect(server.requests).toHaveLength(1);
  });

  it('of a service that cannot count is left to it: an estimate ends nothing', async () => {
    const options = { task: 'x'.repeat(30_000), limits: { contextWindow: WINDOW } };
    const { outcome, server } = await play([says('done')], {
      service: { ...service, countless: true },
      options,
    });
    expect(outcome.status).toBe('answered');
    expect(server.requests[0]?.body.max_tokens).toBe(16_384);
  });
});
