import { describe, expect, it } from 'vitest';
import { totalTokens } from '../../machines/reply.ts';
import { LIST_PRICES } from '../../src/budget/price-list.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { type ModelClient, ModelFailure, type ModelRequest } from '../../src/model/client.ts';
import { requestBytes } from '../../src/model/wire.ts';
import { resume } from '../../src/resume.ts';
import { run } from '../../src/run.ts';
import { tools } from '../helpers/props.ts';
import { Random } from '../simulation/random.ts';

const RUNS = 150;
const MODEL = 'claude-haiku-5-5';

/** A service that counts what was sent: no more input than bytes, no more output than was allowed and no less than was said; caching as it likes. */
function honest(random: Random, canCount: boolean): ModelClient {
  let made = 0;
  const bytesOfToken = random.pick([1, 3, 4]);
  const inputOf = (request: ModelRequest) => Math.ceil(requestBytes(request).length / bytesOfToken);
  return {
    name: 'honest',
    ...(canCount && { countTokens: async (request: ModelRequest) => requestBytes(request).length }),
    async ask(request) {
      if (random.chance(0.1))
        throw new ModelFailure('busy', { kind: 'http', status: 529, retryable: true, retryAfterMs: 0 });
      const input = inputOf(request);
      const kept = random.int(0, input);
      const isCalling = !request.toolsOff && random.chance(0.85);
      made += 1;
      const size = random.pick([1, 20, 400]);
      const calls = Array.from({ length: isCalling ? random.int(1, 4) : 0 }, (_, n) => ({
        type: 'tool_use',
        id: `call_${made}_${n}`,
        name: 'look',
        input: { word: 'w'.repeat(size) },
      }));
      const tokensOf = (content: readonly object[]) =>
        Math.ceil(JSON.stringify(content).length / bytesOfToken);
      const wished = [{ type: 'text', text: 'word' }, ...calls];
      const said = tokensOf(wished) <= request.maxOutputTokens ? wished : wished.slice(0, 1);
      const least = tokensOf(said);
      return {
        model: MODEL,
        content: said,
        stop_reason: random.chance(0.1) ? 'max_tokens' : said.length > 1 ? 'tool_use' : 'end_turn',
        usage: {
          input_tokens: input - kept,
          [random.pick(['cache_creation_input_tokens', 'cache_read_input_tokens'])]: kept,
          output_tokens: random.int(Math.min(least, request.maxOutputTokens), request.maxOutputTokens),
        },
      };
    },
  };
}

const look = tools.map((tool) =>
  tool.name === 'look'
    ? { ...tool, run: async ({ word }: { word?: string }) => (word ?? '').repeat(50) }
    : tool,
);

describe(`over ${RUNS} runs against a service that counts what was sent`, () => {
  it('money is never passed, nor tokens beyond the first request, summary included; also when taken up again', async () => {
    const ends = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const random = new Random(seed);
      const journal = memoryJournal();
      const isMoney = random.chance(0.5);
      const limits = {
        ...(isMoney
          ? { maxCostUsd: random.pick([0.001, 0.005, 0.02, 0.2]) }
          : { tokenBudget: random.pick([20_000, 60_000, 200_000]) }),
        maxRepeats: null,
        maxTurns: 40,
        summary: random.chance(0.8),
      };
      const client = honest(random, random.chance(0.5));
      const means = { client, tools: look, now: () => 0, random: () => random.next(), prices: LIST_PRICES };
      const first = await run({ ...means, task: 'the task', model: MODEL, limits, journal });
      const raised = isMoney ? { maxCostUsd: 0.3 } : { tokenBudget: 250_000 };
      const budgets = [{ outcome: first, limits }];
      if (random.chance(0.3) && first.status !== 'answered') {
        const again = memoryJournal(() => 0, journal.records);
        const opened = { journal: again, records: again.records.slice(), tornBytes: 0 };
        budgets.push({
          outcome: await resume(opened, { ...means, limits: { ...raised, maxTurns: 80 } }),
          limits: { ...limits, ...raised },
        });
      }
      for (const { outcome, limits: kept } of budgets) {
        ends.set(outcome.status, (ends.get(outcome.status) ?? 0) + 1);
        const { maxCostUsd = Number.POSITIVE_INFINITY, tokenBudget = Number.POSITIVE_INFINITY } = kept as {
          maxCostUsd?: number;
          tokenBudget?: number;
        };
        expect({ seed, passed: (outcome.costUsd ?? Number.NaN) <= maxCostUsd }).toEqual({
          seed,
          passed: true,
        });
        expect({ seed, passed: totalTokens(outcome.usage) > tokenBudget }).toEqual({ seed, passed: false });
      }
    }
    expect(ends.get('cost_budget')).toBeGreaterThan(20);
    expect(ends.get('token_budget')).toBeGreaterThan(20);
  });
});
