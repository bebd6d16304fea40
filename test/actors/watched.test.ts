/** Servers that fall silent, over real connections, and how an attempt at them ends. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watched } from '../../src/actors/watched.ts';
import { anthropicModel } from '../../src/model/anthropic.ts';
import { type ModelClient, ModelFailure } from '../../src/model/client.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { type StrictReply, startStrictServer } from '../helpers/strict-server.ts';
import type { StreamEvent } from '../helpers/strict-stream.ts';

const IDLE_MS = 200;
const SILENT = {
  name: 'ModelFailure',
  kind: 'idle',
  retryable: true,
  message: 'The model was silent for 0.2 s',
};
const HEADERS = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const BEGUN: StreamEvent[] = [
  ['message_start', { message: { content: [], usage: { input_tokens: 7, output_tokens: 1 } } }],
  ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
  ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Half' } }],
];
const clientOf = (baseUrl: string) => anthropicModel({ apiKey: 'a-key', baseUrl });
const ask = (client: ModelClient, signal = noAbort(), idleMs = IDLE_MS) =>
  watched(signal, { silenceMs: idleMs }, (watch) => client.ask(modelRequest(), watch));

async function strict(...replies: StrictReply[]) {
  const server = await startStrictServer(replies);
  onTestFinished(() => server.close());
  return clientOf(server.url);
}

describe('an attempt that is watched', () => {
  it('is given up where the server takes the request and says nothing', async () => {
    const { url, sockets } = await startRawServer(() => {});
    await expect(ask(clientOf(url))).rejects.toMatchObject({ ...SILENT, usage: undefined });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('is given up where headers never come to their end', async () => {
    const { url } = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-more: and more\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    await expect(ask(clientOf(url))).rejects.toMatchObject(SILENT);
  });

  it('is given up where headers come and then nothing', async () => {
    const { url, sockets } = await startRawServer((socket) => void socket.write(HEADERS));
    await expect(ask(clientOf(url))).rejects.toMatchObject(SILENT);
    await expect.poll(() => sockets.size).toBe(0);
  });

  it.each([1, 2, 3])(
    'is given up where the stream halts after %i events, and names their usage',
    async (count) => {
      const client = await strict({ fault: 'sse', events: BEGUN.slice(0, count), end: 'hang' });
      await expect(ask(client)).rejects.toMatchObject({ ...SILENT, usage: { input: 7, output: 1 } });
    },
  );

  it('is given up where an error status comes and its body does not', async () => {
    const { url } = await startRawServer(
      (socket) => void socket.write('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{'),
    );
    await expect(ask(clientOf(url))).rejects.toMatchObject(SILENT);
  });

  it('is let go on under pings, ten times as long: a model may think out of sight', async () => {
    const client = await strict({ fault: 'sse', events: BEGUN, end: 'ping', every_ms: 10 });
    const started = Date.now();
    await expect(ask(client, noAbort(), 100)).rejects.toMatchObject({
      kind: 'idle',
      retryable: true,
      message: 'The model sent signs of life, but no part of a reply, for 1 s',
      usage: { input: 7 },
    });
    expect(Date.now() - started).toBeGreaterThan(900);
  });

  it('is let go on as long as parts of the reply come, however slowly', async () => {
    const client = scriptedModel([{ text: 'done', delay_ms: 100 }]);
    expect(await ask(client)).toMatchObject({ content: [{ text: 'done' }] });
    const slow: ModelClient = {
      name: 'slow',
      async ask(_, { signal, onActivity }) {
        for (let part = 0; part < 30; part += 1) {
          await wait(25, undefined, { signal });
          onActivity?.('progress');
        }
        return { content: [], stop_reason: 'end_turn' };
      },
    };
    expect(await ask(slow, noAbort(), 70 + IDLE_MS)).toMatchObject({ stop_reason: 'end_turn' });
  });

  it('ends with the abort of the job, at once and with its reason, though it was silent too', async () => {
    const { url } = await startRawServer(() => {});
    const controller = new AbortController();
    const asked = ask(clientOf(url), controller.signal, 10_000);
    setTimeout(() => controller.abort(new Error('the person leaves')), 100);
    await expect(asked).rejects.toThrow('the person leaves');
  });

  it('is not begun in earnest where the job is aborted already', async () => {
    const asked = ask(scriptedModel([{ text: 'x' }]), AbortSignal.abort(new Error('too late')));
    await expect(asked).rejects.toThrow('too late');
  });

  it('fails as idle also where the client does not heed its signal, or calls it something else', async () => {
    const deaf: ModelClient = { name: 'deaf', ask: () => new Promise(() => {}) };
    await expect(ask(deaf)).rejects.toMatchObject(SILENT);
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const other = (error: Error): ModelClient => ({
      name: 'other',
      ask: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(error))),
    });
    await expect(ask(other(new TypeError('terminated')))).rejects.toMatchObject(SILENT);
    const failure = new ModelFailure('cut', { kind: 'interrupted', retryable: true, usage });
    await expect(ask(other(failure))).rejects.toMatchObject({ ...SILENT, usage });
  });

  it('fails of its own as it fails', async () => {
    const failing = scriptedModel([{ fault: { status: 401 } }]);
    await expect(ask(failing)).rejects.toMatchObject({ kind: 'http', status: 401 });
  });

  it('is given up when its time is over, however lively it is, and is not worth another try', async () => {
    const lively: ModelClient = {
      name: 'test',
      ask: (_, { signal, onActivity }) =>
        new Promise((_resolve, reject) => {
          const timer = setInterval(() => onActivity?.('progress'), 5);
          signal.addEventListener('abort', () => {
            clearInterval(timer);
            reject(signal.reason);
          });
        }),
    };
    const begun = performance.now();
    const asked = watched(noAbort(), { silenceMs: 40, mostMs: 120 }, (watch) =>
      lively.ask(modelRequest(), watch),
    );
    await expect(asked).rejects.toMatchObject({ kind: 'idle', retryable: false });
    expect(performance.now() - begun).toBeGreaterThan(100);
  });

  it('bears limits that no timer can hold', async () => {
    expect(await ask(scriptedModel([{ text: 'x' }]), noAbort(), Number.MAX_VALUE)).toBeDefined();
    expect(
      await ask(scriptedModel([{ text: 'x', delay_ms: 20 }]), noAbort(), Number.POSITIVE_INFINITY),
    ).toBeDefined();
  });

  it('leaves neither timer nor listener behind', async () => {
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    await watched(controller.signal, { silenceMs: 50, mostMs: 50 }, async (watch) => {
      own = watch.signal;
    });
    await wait(80);
    controller.abort();
    expect(own?.aborted).toBe(false);
  });
});
