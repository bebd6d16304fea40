import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeFetch } from '../../src/model/fetch.ts';

describe('the fetch of the model client', () => {
  let server: http.Server;
  const serve = async (listener: http.RequestListener) => {
    server = http.createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?a=1`;
  };
  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  it('sends method, headers and body, and hands back status and headers', async () => {
    const url = await serve(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      response.writeHead(201, {
        'set-cookie': ['a=1', 'b=2'],
        'x-length': request.headers['content-length'],
      });
      response.end(`${request.method} ${request.url} ${request.headers['x-given']} ${Buffer.concat(chunks)}`);
    });
    const response = await nodeFetch(url, { method: 'POST', headers: { 'X-Given': 'yes' }, body: 'Grüße' });
    expect(response).toMatchObject({ ok: true, status: 201, url });
    expect(response.headers.get('x-length')).toBe('7');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('POST /path?a=1 yes Grüße');
  });

  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
  ])('reads what a server compresses without being asked: %s', async (encoding, compress) => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(compress(`asked for ${request.headers['accept-encoding']}`));
    });
    expect(await (await nodeFetch(url)).text()).toBe('asked for identity');
  });

  it('fails where compressed data is damaged or cut', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(zlib.gzipSync('plain text').subarray(0, 12));
    });
    await expect((await nodeFetch(url)).text()).rejects.toThrow();
  });

  it.each(['zstd', 'constructor'])('fails on an encoding that it does not know: %s', async (encoding) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end('x');
    });
    await expect(nodeFetch(url)).rejects.toThrow(`unknown encoding: ${encoding}`);
  });

  it('hands back a redirect and does not follow it', async () => {
    const url = await serve((_, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await nodeFetch(url)).toMatchObject({ ok: false, status: 307 });
  });

  it('reads only the start of an error without end', async () => {
    const url = await serve((_, response) => {
      response.writeHead(500);
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    expect(await (await nodeFetch(url)).text()).toHaveLength(64 * 1024);
  });

  it('fails when it is aborted, before the answer and in its body', async () => {
    const silent = await serve(() => {});
    await expect(nodeFetch(silent, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: 'AbortError',
    });
    server.closeAllConnections();
    const halting = await serve((_, response) => response.writeHead(200).write('a'));
    const response = await nodeFetch(halting, { signal: AbortSignal.timeout(100) });
    await expect(response.text()).rejects.toThrow();
    await expect(nodeFetch(halting, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('fails where the body breaks off', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('a', () => response.destroy());
    });
    await expect((await nodeFetch(url)).text()).rejects.toThrow();
  });

  it('sends text and nothing else', async () => {
    await expect(nodeFetch('http://127.0.0.1:1/', { method: 'POST', body: new Blob(['a']) })).rejects.toThrow(
      'Only text and bytes can be sent',
    );
  });
});
