import { describe, expect, it } from 'vitest';
import type { JobInputs } from '../../machines/context.ts';
import { type AskModelParts, askModel } from '../../src/actors/ask-model.ts';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import { parsePrices } from '../../src/budget/parse-prices.ts';
import type { Prices } from '../../src/budget/price-list.ts';
import type { RunLog } from '../../src/journal/run-log.ts';
import { type AskOptions, ModelFailure, type ModelRequest } from '../../src/model/client.ts';
import { deferred, scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';

const INPUT: JobInputs['askModel'] = {
  turn: 2,
  attempt: 3,
  failures: 0,
  maxOutputTokens: 100,
  conclude: false,
  fallback: false,
};
const REQUEST = { model: 'a-model', system: 'be good', effort: null, tools: [] };
const ROUND = [
  header(),
  reply(1, message('tool_use', toolUse('a'))),
  finished(1, 'a', 'seen'),
  recorded(1, 'a'),
];

const requestsFrom =
  (log: RunLog): AskModelParts['requestOf'] =>
  ({ conclude, maxOutputTokens }) => ({
    ...REQUEST,
    messages: [...log.transcript.messages],
    toolsOff: conclude,
    maxOutputTokens,
  });

type Ask = (request: ModelRequest, options: AskOptions) => Promise<ReturnType<typeof message>>;

function jobWith(
  ask: Ask,
  {
    input = {},
    gate = openGate,
    random = () => 0.5,
    parts = {},
  }: {
    input?: Partial<typeof INPUT>;
    gate?: Gate;
    random?: () => number;
    parts?: Partial<AskModelParts>;
  } = {},
) {
  const { log, written } = logOf(...ROUND);
  const told: string[] = [];
  const { scope, events, abort } = scopeFor<'askModel'>({ ...INPUT, ...input });
  const work = askModel({
    client: { name: 'test', ask },
    requestOf: requestsFrom(log),
    log,
    gate,
    random,
    onText: (text) => told.push(text),
    onWithdrawn: () => told.push('(withdrawn)'),
    ...parts,
  });
  return { run: () => work(scope), events, abort, written, told, log };
}

const failure = (details: Partial<ConstructorParameters<typeof ModelFailure>[1]> = {}) =>
  new ModelFailure('busy', { kind: 'http', retryable: true, status: 529, ...details });
const failing = (error: unknown) => () => Promise.reject(error);

describe('asking the model', () => {
  it('sends the messages so far, and what stays the same', async () => {
    const requests: ModelRequest[] = [];
    const job = jobWith(async (request) => {
      requests.push(request);
      return message('end_turn', text('done'));
    });
    await job.run();
    expect(requests).toEqual([
      { ...REQUEST, messages: job.log.transcript.messages, toolsOff: false, maxOutputTokens: 100 },
    ]);
    expect(requests[0]?.messages).toHaveLength(3);
  });

  it('switches the tools off to conclude', async () => {
    const job = jobWith(
      async ({ toolsOff }) => message('end_turn', text(`tools ${toolsOff ? 'off' : 'on'}`)),
      { input: { conclude: true } },
    );
    await job.run();
    expect(job.events).toMatchObject([{ message: { content: [text('tools off')] } }]);
  });

  it('hands out a list that does not grow afterwards', async () => {
    const requests: ModelRequest[] = [];
    const job = jobWith(async (request) => {
      requests.push(request);
      return message('end_turn', text('done'));
    });
    await job.run();
    job.log.note(reply(2, message('end_turn', text('done'))));
    expect(requests[0]?.messages).toHaveLength(3);
  });

  it('reports the reply with its digest, for the turn and the attempt that it was asked in', async () => {
    const said = message('tool_use', toolUse('b'));
    const job = jobWith(async () => said);
    await job.run();
    expect(job.events).toEqual([
      {
        type: 'model.replied',
        turn: 2,
        attempt: 3,
        message: said,
        reply: expect.objectContaining({ kind: 'calls', calls: [{ id: 'b', name: 'look' }] }),
      },
    ]);
    expect(job.written()).toEqual([]);
  });

  it('knows the ids that were used before', async () => {
    const job = jobWith(async () => message('tool_use', toolUse('a')));
    await job.run();
    expect(job.events).toMatchObject([{ reply: { kind: 'contradiction' } }]);
  });

  it('passes text on as it comes, and withdraws it when the request fails', async () => {
    const job = jobWith(async (_, { onText }) => {
      onText?.('half of ');
      onText?.('a');
      throw failure();
    });
    await job.run();
    expect(job.told).toEqual(['half of ', 'a', '(withdrawn)']);
  });

  it('notes a failure before it reports it, and does not ask again', async () => {
    let asked = 0;
    const job = jobWith(async () => {
      asked += 1;
      throw failure();
    });
    await job.run();
    const expected = { kind: 'http', message: 'busy', status: 529, retryable: true, delayMs: 500 };
    expect(job.written()).toEqual([{ type: 'attempt.failed', turn: 2, attempt: 3, failure: expected }]);
    expect(job.events).toEqual([{ type: 'model.failed', turn: 2, attempt: 3, failure: expected }]);
    expect(asked).toBe(1);
  });

  it('lets any other throw through: it is a defect, of which the records say nothing', async () => {
    const job = jobWith(failing(new TypeError('undefined is not a function')));
    await expect(job.run()).rejects.toThrow(TypeError);
    expect([job.events, job.written()]).toEqual([[], []]);
  });
});

describe('the cost', () => {
  const PRICES = parsePrices('{"a-model": {"input": 2, "output": 10}, "another": {"input": 1, "output": 1}}');
  const usage = { input_tokens: 1_000, output_tokens: 100 };
  const costOf = async (said: object, prices?: Prices) => {
    const job = jobWith(async () => ({ ...message('end_turn', text('done')), usage, ...said }), {
      parts: { prices },
    });
    await job.run();
    const [event] = job.events;
    return event?.type === 'model.replied' && event.reply.costUsd;
  };

  it('of a reply goes by the model that answered, else by the one that was asked', async () => {
    expect(await costOf({ model: 'another' }, PRICES)).toBe(0.0011);
    expect(await costOf({ model: 'unheard of' }, PRICES)).toBe(0.003);
    expect(await costOf({}, PRICES)).toBe(0.003);
  });

  it('goes by the list where no prices are given, and is 0 where nothing is known', async () => {
    expect(await costOf({ model: 'claude-haiku-4-5-20251001' })).toBe(0.0015);
    expect(await costOf({})).toBe(0);
  });

  it('of a failed attempt is told with its usage, as far as both are known', async () => {
    const seen = { input: 1_000, cacheWrite: 0, cacheRead: 0, output: 100 };
    const failureOf = async (details: object, prices?: Prices) => {
      const job = jobWith(failing(failure(details)), { parts: { prices } });
      await job.run();
      const [record] = job.written();
      return record?.type === 'attempt.failed' ? record.failure : undefined;
    };
    expect(await failureOf({ usage: seen }, PRICES)).toMatchObject({ usage: seen, costUsd: 0.003 });
    const unpriced = await failureOf({ usage: seen });
    expect(unpriced).toMatchObject({ usage: seen });
    expect(unpriced).not.toHaveProperty('costUsd');
    expect(Object.keys((await failureOf({}, PRICES)) ?? {})).not.toContain('usage');
  });
});

describe('left while it asks', () => {
  it('aborts the request, and neither notes nor withdraws what becomes of it', async () => {
    const asked = deferred();
    const job = jobWith((_, { signal }) => {
      asked.resolve();
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(failure({ kind: 'interrupted' }))),
      );
    });
    const running = job.run();
    await asked.promise;
    job.abort();
    await running;
    expect([job.events, job.written(), job.told]).toEqual([[], [], []]);
  });

  it('at the gate, it does not ask at all', async () => {
    let asked = 0;
    const job = jobWith(
      async () => {
        asked += 1;
        return message('end_turn', text('done'));
      },
      { gate: { cross: async () => job.abort() } },
    );
    await job.run();
    expect([asked, job.events]).toEqual([0, []]);
  });
});

describe('a model that falls silent', () => {
  it.each([
    [true, 30, 'is given up a silence after the time limit, where it is for the summary'],
    [
      true,
      -5_000,
      'is given up a silence after it was sent, where it is for a summary behind the time limit',
    ],
    [false, 30, 'is left to the machine, where it is not for the summary'],
  ])('that goes on and on (conclude: %s, %i ms left) %s', async (conclude, remainingMs) => {
    const job = jobWith(
      (_, { signal, onActivity }) =>
        new Promise((resolve, reject) => {
          const timer = setInterval(() => onActivity?.('progress'), 5);
          const end = () => clearInterval(timer);
          signal.addEventListener('abort', () => reject(signal.reason));
          signal.addEventListener('abort', end);
          setTimeout(end, 400);
          setTimeout(resolve, 400, message('end_turn', text('at last')));
        }),
      { input: { conclude }, parts: { idleTimeoutMs: 50, remainingMs: () => remainingMs } },
    );
    await job.run();
    expect(job.events).toMatchObject([
      conclude ? { failure: { kind: 'idle', retryable: false } } : { type: 'model.replied' },
    ]);
  });

  it('has failed as idle, and what it says afterwards is not heard', async () => {
    const spoken = deferred();
    const job = jobWith(
      async (_, { onText }) => {
        onText?.('half of ');
        await new Promise((resolve) => setTimeout(resolve, 600));
        onText?.('a reply');
        spoken.resolve();
        return message('end_turn', text('half of a reply'));
      },
      { parts: { idleTimeoutMs: 50 } },
    );
    await job.run();
    await spoken.promise;
    expect(job.told).toEqual(['half of ', '(withdrawn)']);
    expect(job.events).toMatchObject([
      {
        type: 'model.failed',
        failure: { kind: 'idle', retryable: true, message: 'The model was silent for 0.05 s' },
      },
    ]);
    expect(job.written()).toHaveLength(1);
  });

  it('is left without a word where the job is left meanwhile', async () => {
    const job = jobWith(
      (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { parts: { idleTimeoutMs: 50 } },
    );
    const running = job.run();
    job.abort();
    await running;
    expect([job.events, job.written(), job.told]).toEqual([[], [], []]);
  });
});

describe('the wait before another try', () => {
  const delayAfter = async (
    failures: number,
    random: number,
    details: Parameters<typeof failure>[0] = {},
    parts: Partial<AskModelParts> = {},
  ) => {
    const job = jobWith(failing(failure(details)), { input: { failures }, random: () => random, parts });
    await job.run();
    const [event] = job.events;
    if (event?.type !== 'model.failed') throw new Error('no failure was reported');
    return event.failure;
  };

  it.each([
    [0, 500],
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [5, 16_000],
    [6, 24_000],
    [40, 24_000],
    [4_000, 24_000],
  ])('after %i failures in a row it is %i ms, a quarter more or less', async (failures, ms) => {
    expect((await delayAfter(failures, 0.5)).delayMs).toBe(ms);
    expect((await delayAfter(failures, 0)).delayMs).toBe(ms * 0.75);
    expect((await delayAfter(failures, 1)).delayMs).toBe(ms * 1.25);
  });

  it('stays under the longest wait that is allowed, whatever chance says', async () => {
    const waits = { maxRetryWaitMs: 1_000 };
    expect((await delayAfter(9, 1, {}, waits)).delayMs).toBe(1_000);
    expect((await delayAfter(9, 0, {}, waits)).delayMs).toBe(600);
    expect((await delayAfter(9, 1)).delayMs).toBe(30_000);
  });

  it('is made as long as the server asks, up to what is allowed and to what a timer can hold', async () => {
    expect(await delayAfter(0, 0, { retryAfterMs: 1_001 }, { maxRetryWaitMs: 1_000 })).toMatchObject({
      retryable: false,
      message: 'busy (the server asks to wait 1 s; the longest wait is 1 s)',
    });
    const patient = { maxRetryWaitMs: Number.POSITIVE_INFINITY };
    expect(await delayAfter(0, 0, { retryAfterMs: 2 ** 31 }, patient)).toMatchObject({ retryable: false });
    expect(await delayAfter(0, 0, { retryAfterMs: 2 ** 31 - 1 }, patient)).toMatchObject({ retryable: true });
  });

  it.each([1, 3_000, 300_000])('is the %i ms that the server asks for', async (retryAfterMs) => {
    expect(await delayAfter(3, 0, { retryAfterMs })).toMatchObject({
      delayMs: retryAfterMs,
      retryable: true,
    });
  });

  it('is not made where the server asks for more than five minutes, and that is said', async () => {
    expect(await delayAfter(0, 0, { retryAfterMs: 3_600_000 })).toMatchObject({
      retryable: false,
      message: 'busy (the server asks to wait 3600 s; the longest wait is 300 s)',
    });
  });

  it('is not made after a failure that no other try mends', async () => {
    expect(await delayAfter(0, 0, { retryable: false, retryAfterMs: 1 })).toMatchObject({ retryable: false });
  });

  it('goes without a status where there was no answer', async () => {
    const { log, written } = logOf(header());
    const { scope } = scopeFor<'askModel'>(INPUT);
    const lost = new ModelFailure('no answer', { kind: 'connection', retryable: true });
    await askModel({
      client: { name: 'test', ask: failing(lost) },
      requestOf: requestsFrom(log),
      log,
      gate: openGate,
      random: () => 0.5,
      onText: () => {},
      onWithdrawn: () => {},
    })(scope);
    const [record] = written();
    expect(record).toMatchObject({ failure: { kind: 'connection', delayMs: 500 } });
    expect(record?.type === 'attempt.failed' && 'status' in record.failure).toBe(false);
  });
});
