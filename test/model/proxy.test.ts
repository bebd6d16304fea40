import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anthropicModel } from '../../src/model/anthropic.ts';
import { nodeFetch } from '../../src/model/fetch.ts';
import { modelRequest, noAbort } from '../helpers/model-request.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { startStrictServer } from '../helpers/strict-server.ts';

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];

/** A proxy that passes plain requests on and gives each tunnel to `onTunnel`. */
async function startProxy(onTunnel: (target: string, socket: Socket) => void = () => {}) {
  const asked: string[] = [];
  const credentials: unknown[] = [];
  const proxy = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    const { method, headers } = request;
    const onward = http.request(request.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.on('connect', (request, socket: Socket) => {
    credentials.push(request.headers['proxy-authorization']);
    socket.on('error', () => {});
    onTunnel(request.url ?? '', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked, credentials };
}

describe('a proxy that the environment names', () => {
  beforeEach(() => {
    for (const name of VARIABLES) {
      vi.stubEnv(name, undefined);
      vi.stubEnv(name.toLowerCase(), undefined);
    }
  });
  afterEach(() => vi.unstubAllEnvs());

  const askAnew = async () => {
    const server = await startStrictServer([
      { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' },
    ]);
    onTestFinished(() => server.close());
    const client = anthropicModel({ apiKey: 'a-key', baseUrl: server.url });
    const answer = await client.ask(modelRequest(), { signal: noAbort() });
    expect(answer.content).toEqual([{ type: 'text', text: 'ok' }]);
    return server;
  };

  it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])('is asked with the whole address: %s', async (name) => {
    const { host, asked, credentials } = await startProxy();
    vi.stubEnv(name, `http://somebody:pass%20word@${host}`);
    const server = await askAnew();
    expect(asked).toEqual([`${server.url}/v1/messages`]);
    expect(credentials).toEqual([`Basic ${Buffer.from('somebody:pass word').toString('base64')}`]);
  });

  it.each(['127.0.0.1', '*', 'example.com,127.0.0.1'])(
    'is not asked for exceptions: NO_PROXY=%s',
    async (rule) => {
      const { host, asked } = await startProxy();
      vi.stubEnv('HTTP_PROXY', `http://${host}`);
      vi.stubEnv('NO_PROXY', rule);
      await askAnew();
      expect(asked).toEqual([]);
    },
  );

  it('is not asked where it is for the other kind of address', async () => {
    const { host, asked } = await startProxy();
    vi.stubEnv('HTTPS_PROXY', `http://${host}`);
    await askAnew();
    expect(asked).toEqual([]);
  });

  it('builds a tunnel to a server that is asked in TLS, in which nothing is readable', async () => {
    const heard: Buffer[] = [];
    const { host } = await startProxy((target, socket) => {
      heard.push(Buffer.from(target));
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', (chunk: Buffer) => {
        heard.push(chunk);
        socket.destroy();
      });
    });
    vi.stubEnv('HTTPS_PROXY', `http://${host}`);
    const secret = { authorization: 'Bearer a-key' };
    await expect(nodeFetch('https://api.example.com/v1', { headers: secret })).rejects.toThrow();
    expect(String(heard[0])).toBe('api.example.com:443');
    expect(heard[1]?.[0]).toBe(0x16);
    expect(String(heard[1])).not.toContain('a-key');
  });

  it('that refuses the tunnel has its answer told', async () => {
    const { host } = await startProxy((_, socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 9\r\n\r\nwho there');
    });
    vi.stubEnv('HTTPS_PROXY', `http://${host}`);
    const client = anthropicModel({ apiKey: 'a-key', baseUrl: 'https://api.example.com' });
    await expect(client.ask(modelRequest(), { signal: noAbort() })).rejects.toMatchObject({
      message: 'HTTP 407: who there',
      retryable: false,
    });
  });

  it('that says nothing is let go of when the request is aborted', async () => {
    const { url, sockets } = await startRawServer(() => {});
    vi.stubEnv('HTTPS_PROXY', url);
    const asked = nodeFetch('https://api.example.com/v1', { signal: AbortSignal.timeout(100) });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('that is not there is a failure of the connection, which may pass', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://somebody:secret-word@127.0.0.1:1');
    const client = anthropicModel({ apiKey: 'a-key', baseUrl: 'https://api.example.com' });
    const failure = await client.ask(modelRequest(), { signal: noAbort() }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'connection', retryable: true });
    expect(String(failure)).toContain('ECONNREFUSED');
    expect(String(failure)).not.toContain('secret-word');
  });

  it.each(['socks5://somebody:secret-word@127.0.0.1:1', 'http://:secret-word:x'])(
    'is refused where pawl cannot use it, without its password: %s',
    async (proxy) => {
      vi.stubEnv('HTTPS_PROXY', proxy);
      const asked = nodeFetch('https://api.example.com/v1');
      await expect(asked).rejects.toThrow(
        'The proxy in the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) must be an address such as',
      );
      await expect(asked).rejects.not.toThrow('secret-word');
    },
  );
});
