/** Answers that no HTTP server would give. None may leave the client waiting, or keep the process. */
import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anthropicModel } from '../../src/model/anthropic.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import { programFile } from '../helpers/programs.ts';
import { startRawServer } from '../helpers/raw-server.ts';

const event = (fields: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
const reply = [
  event({ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [] } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'ok' } }),
  event({ type: 'content_block_stop', index: 0 }),
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
  event({ type: 'message_stop' }),
].join('');
const opening = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n';

const askServer = async (answer: (socket: Socket) => void) => {
  const { url, sockets } = await startRawServer(answer);
  const client = anthropicModel({ apiKey: 'a-key', baseUrl: url });
  const asked = client.ask(modelRequest(), { signal: noAbort() });
  return { sockets, outcome: await asked.catch((error: unknown) => error) };
};

describe('an answer that is no response', () => {
  it.each<[string, string]>([
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ws\r\n\r\n'],
    ['another protocol without a name', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['nothing', ''],
    ['half a header', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['only news of an answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'],
  ])('is a failure of the connection, and another try may help: %s, then the end', async (_, text) => {
    const { outcome } = await askServer((socket) => socket.end(text));
    expect(outcome).toMatchObject({ name: 'ModelFailure', kind: 'connection', retryable: true });
    expect(String(outcome)).toContain('No answer from http://127.0.0.1');
  });

  it('is a failure also where the connection is left open after it', async () => {
    const { outcome, sockets } = await askServer((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ws\r\n\r\n');
    });
    expect(outcome).toMatchObject({ kind: 'connection', retryable: true });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it.each(['100 Continue', '103 Early Hints', '102 Processing'])(
    'may come before one, and the real one counts: %s',
    async (status) => {
      const { outcome } = await askServer((socket) =>
        socket.end(
          `HTTP/1.1 ${status}\r\n\r\nHTTP/1.1 ${status}\r\nlink: </a>\r\n\r\n${opening}\r\n${reply}`,
        ),
      );
      expect(outcome).toMatchObject({ content: [{ text: 'ok' }] });
    },
  );
});

describe('after an abort nothing of the client keeps the process', () => {
  const run = (url: string) =>
    promisify(execFile)(process.execPath, [programFile('model/abort-and-leave'), url], { timeout: 50_000 });

  it.each<[string, string, string]>([
    ['to a silent server', '', 'AbortError'],
    ['in the middle of a reply', `${opening}\r\n${reply.slice(0, 150)}`, 'AbortError'],
    ['in the middle of a header', 'HTTP/1.1 200 OK\r\n', 'AbortError'],
    [
      'after the wrong protocol',
      'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: ws\r\n\r\n',
      'ModelFailure',
    ],
  ])('%s', async (_, text, name) => {
    const { url } = await startRawServer((socket) => socket.write(text));
    expect((await run(url)).stdout).toBe(`${name}\n`);
  });
});

describe('a reply without end', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  /** Writes as fast as it is read, until the other side lets go. */
  const pour = (out: NodeJS.WritableStream) => {
    const more = () => {
      while (out.writable && out.write(megabyte));
    };
    out.on('drain', more);
    out.write('event: message_start\ndata: {"a":"');
    more();
  };

  it.each<[string, (socket: Socket) => void]>([
    [
      'in one line',
      (socket) => {
        socket.write(`${opening}\r\n`);
        pour(socket);
      },
    ],
    [
      'compressed to a thousandth',
      (socket) => {
        socket.write(`${opening}content-encoding: gzip\r\n\r\n`);
        const gzip = zlib.createGzip({ level: 1 });
        gzip.pipe(socket);
        socket.once('close', () => gzip.destroy());
        pour(gzip);
      },
    ],
  ])('is given up at 64 MB, and not asked for again: %s', async (_, answer) => {
    const idle = process.resourceUsage().maxRSS;
    const { outcome, sockets } = await askServer(answer);
    expect(outcome).toMatchObject({ name: 'ModelFailure', kind: 'malformed', retryable: false });
    expect(String(outcome)).toContain('larger than 64 MB');
    expect((process.resourceUsage().maxRSS - idle) / 1024).toBeLessThan(400);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe('data that is nested deeper than the stack bears', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

  it('in an error leaves it the error that it is', async () => {
    const { outcome } = await askServer((socket) =>
      socket.end(`HTTP/1.1 529 X\r\nconnection: close\r\n\r\n{"error":{"message":${deep}}}`),
    );
    expect(outcome).toMatchObject({ kind: 'http', status: 529, retryable: true });
  });

  it.each([
    ['in an error event', `event: error\ndata: {"error":{"message":${deep}}}\n\n`, 'malformed'],
    ['in a block', reply.replace('"ok"', `"ok","more":${deep}`), 'malformed'],
    ['in the message', reply.replace('"id"', `"more":${deep},"id"`), 'malformed'],
    ['in the usage', reply.replace('"end_turn"}', `"end_turn"},"usage":{"a":${deep}}`), 'malformed'],
  ])('makes a reply malformed: %s', async (_, text, kind) => {
    const { outcome } = await askServer((socket) => socket.end(`${opening}\r\n${text}`));
    expect(outcome).toMatchObject({ name: 'ModelFailure', kind, retryable: true });
    expect(String(outcome)).toContain('nested');
  });
});
