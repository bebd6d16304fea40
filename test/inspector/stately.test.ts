import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { assign, createActor, setup } from 'xstate';
import { shortened } from '../../src/inspector/stately/shortened.ts';
import { statelyInspector } from '../../src/inspector/stately/stately.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { allowAll } from '../../src/permissions/policy.ts';
import { run } from '../../src/run.ts';
import { scratchFolder } from '../helpers/scratch.ts';

class Strange {
  own = 1;
}

const LONG = 'x'.repeat(5_000_000);
const MANY = Array(10_000).fill(0);

/** All that a context must not hold. */
function odd(): Record<string, unknown> {
  const cycle: Record<string, unknown> = { name: 'cycle' };
  cycle.self = cycle;
  let deep: unknown = 'bottom';
  for (let level = 0; level < 40; level += 1) deep = { deep };
  return {
    cycle,
    deep,
    big: 12n,
    map: new Map([['key', 'value']]),
    set: new Set([1]),
    error: new Error('outer', { cause: new Error('inner') }),
    signal: new AbortController().signal,
    call: function named() {},
    strange: new Strange(),
    symbol: Symbol('s'),
    missing: undefined,
    never: Number.NaN,
    date: new Date(Number.NaN),
    text: LONG,
    many: MANY,
    wide: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])),
    get thrown() {
      throw new Error('a getter');
    },
    proxy: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('a proxy');
        },
      },
    ),
    twice: [cycle, cycle],
  };
}

/** One event for a viewer is never larger. */
const LARGEST_BYTES = 200_000;

describe('a value for a viewer', () => {
  it('is plain JSON, with a mark for each thing that is odd', () => {
    const plain = shortened(odd()) as Record<string, unknown>;
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
    expect(plain).toMatchObject({
      cycle: { name: 'cycle', self: '[circular]' },
      big: '12n',
      map: { '[Map]': [['key', 'value']] },
      set: { '[Set]': [1] },
      error: { name: 'Error', message: 'outer', cause: { message: 'inner' } },
      signal: '[AbortSignal]',
      call: '[function]',
      strange: '[Strange]',
      symbol: '[symbol]',
      missing: '[undefined]',
      never: '[NaN]',
      date: 'Invalid Date',
      thrown: '[unreadable]',
      proxy: '[unreadable]',
      twice: [{ self: '[circular]' }, { self: '[circular]' }],
    });
    expect(plain.text).toBe(`${'x'.repeat(1_000)}… [5,000,000 characters]`);
    expect((plain.many as unknown[]).slice(-2)).toEqual([0, '[… 9900 more]']);
    expect((plain.wide as Record<string, unknown>)['[…]']).toBe('400 more');
    expect(JSON.stringify(plain.deep)).toContain('[deeper]');
  });

  it('is small and soon made, whatever it is made of', () => {
    const bush = (levels: number): unknown =>
      levels === 0 ? LONG.slice(0, 2_000) : Array.from({ length: 9 }, () => bush(levels - 1));
    const startedAt = performance.now();
    for (const value of [odd(), bush(5), null, undefined, 'x', 1n, [odd(), odd()]]) shortened(value);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const json = JSON.stringify(
      shortened(Array.from({ length: 100 }, () => Array(100).fill('y'.repeat(50)))),
    );
    expect(json.length).toBeLessThan(LARGEST_BYTES);
  });
});

/** What a person runs to look at the events: it listens on this machine and keeps what comes. */
async function receiver(port = 0) {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  await new Promise((resolve) => server.once('listening', resolve));
  const events: {
    type: string;
    size: number;
    snapshot?: { value?: unknown; context?: unknown };
    definition?: string;
  }[] = [];
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const text = String(data);
      events.push({ ...JSON.parse(text), size: text.length });
    });
  });
  onTestFinished(() => {
    server.close();
    for (const client of server.clients) client.terminate();
  });
  return { events, port: (server.address() as { port: number }).port };
}

const until = async (holds: () => boolean) => {
  const deadline = performance.now() + 50_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('inspection events for a receiver of @statelyai/inspect', () => {
  const stray: unknown[] = [];
  const onStray = (error: unknown) => stray.push(error);
  process.on('uncaughtException', onStray);
  afterEach(() => expect(stray).toEqual([]));

  it('of a machine with odd values in its context do it no harm: same states, no exception, small events', async () => {
    const { events, port } = await receiver();
    const machine = setup({
      types: {} as { context: Record<string, unknown>; events: { type: 'next'; load: unknown } },
      actions: { change: assign(() => ({ odd: odd() })) },
    }).createMachine({
      id: 'odd',
      context: () => ({ odd: odd() }),
      initial: 'one',
      states: {
        one: { on: { next: { target: 'two', actions: 'change' } } },
        two: { on: { next: { target: 'one', actions: 'change' } } },
      },
    });
    const { inspect, stop } = await statelyInspector(port);
    onTestFinished(stop);
    const actor = createActor(machine, { inspect }).start();
    for (let time = 0; time < 101; time += 1) actor.send({ type: 'next', load: odd() });
    expect(actor.getSnapshot().value).toBe('two');
    await until(() => events.filter(({ type }) => type === '@xstate.snapshot').length >= 90);
    const last = events.findLast(({ type }) => type === '@xstate.snapshot');
    expect(last?.snapshot?.context).toMatchObject({ odd: { big: '12n', thrown: '[unreadable]' } });
    expect(Math.max(...events.map(({ size }) => size))).toBeLessThan(LARGEST_BYTES);
  });

  it('of a run show its states and its machine, and leave what it comes to as it is', async () => {
    const { events, port } = await receiver();
    const { inspect, stop } = await statelyInspector(port);
    onTestFinished(stop);
    const outcome = await run({
      task: 'the task',
      model: 'm',
      client: scriptedModel([
        { calls: [{ name: 'bash', input: { command: "head -c 300000 /dev/zero | tr '\\0' q" } }] },
        { text: 'x'.repeat(100_000) },
      ]),
      workspace: scratchFolder(),
      policy: allowAll,
      journal: memoryJournal(),
      inspect,
    });
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: 2 } });
    await until(() => events.some(({ snapshot }) => snapshot?.value === 'answered'));
    const definition = events.find((event) => event.definition?.includes('"id":"loop"'))?.definition;
    expect(JSON.parse(definition ?? '').states).toHaveProperty('executing');
    const rest = events.map(({ definition: drawn = '', size }) => size - JSON.stringify(drawn).length);
    expect(Math.max(...rest)).toBeLessThan(LARGEST_BYTES);
  });

  it('that nobody receives are no matter', async () => {
    const { inspect, stop } = await statelyInspector(9);
    onTestFinished(stop);
    const options = { task: 't', model: 'm', workspace: scratchFolder(), journal: memoryJournal() };
    const client = scriptedModel([{ text: 'done' }]);
    expect(await run({ ...options, client, inspect })).toMatchObject({ status: 'answered' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
