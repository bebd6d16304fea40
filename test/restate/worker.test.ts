/** What a worker looks at before it takes the first run. No engine is needed for that. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../cli/support.ts';

const NOBODY = 'http://127.0.0.1:1';

describe('a worker', () => {
  const place = new Place();
  afterAll(() => place.remove());
  const worker = (...flags: readonly string[]) =>
    place.pawl(['worker', '--restate', NOBODY, '--port', '0', ...flags]);

  it.each([
    ['a file', '--workspaces', () => place.write('a-file', 'text'), 'no folder'],
    ['within a file', '--workspaces', () => path.join(place.write('a-file', 'text'), 'runs'), 'no folder'],
    ['where nothing can be made', '--workspaces', () => '/proc/nope', 'there is no such file'],
    ['where nothing can be made', '--blobs', () => '/proc/nope', 'there is no such file'],
  ])('does not start with a folder that is %s (%s)', async (_, flag, folder, reason) => {
    const { code, stdout, stderr } = await worker('--workspaces', place.folder, flag, folder());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: Nothing can be kept in [^\n]*\n$/);
    expect(stderr).toContain(reason);
    expect(stderr).toContain(flag);
  });

  it.each([
    ['abc', 'expected to start with publickeyv1_'],
    ['publickeyv1_abc', 'length of 32'],
    ['publickeyv1_0OIl', 'base58'],
  ])('does not start with a key that is none: %s', async (key, reason) => {
    const { code, stderr } = await worker('--workspaces', place.folder, '--identity', key);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^pawl: --identity must be a public key[^\n]*\n$/);
    expect(stderr).toContain(reason);
  });

  it('does not start with an address that is none', async () => {
    const { code, stderr } = await worker('--workspaces', place.folder, '--advertise', 'foo');
    expect(code).toBe(2);
    expect(stderr).toContain('--advertise must be an address such as');
  });

  it('says what to do where the engine is not there', async () => {
    const { code, stderr } = await worker('--workspaces', place.folder);
    expect(code).toBe(2);
    expect(stderr).toContain('ECONNREFUSED. Start it (restate-server), or say where it is: --restate');
  });

  it.each([
    [
      '{"message":"[META0003] [META0003] error when calling it","restate_code":"META0003"}',
      'Restate does not take the worker at http://w:1: error when calling it. Give an address',
    ],
    ['<html>', 'Restate does not take the worker at http://w:1: <html>. Give an address'],
  ])('tells in words why the engine does not take it: %s', async (answer, told) => {
    const server = createServer((request, response) => {
      const isQuestion = request.method === 'GET';
      response.statusCode = isQuestion ? 200 : 500;
      response.end(isQuestion ? '{"deployments":[]}' : answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const admin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const flags = ['--workspaces', place.folder, '--restate-admin', admin, '--advertise', 'http://w:1'];
    const { code, stderr } = await worker(...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(told);
  });
});

it('something else that answers in place of an engine is told from it', async () => {
  const server = createServer((_, response) => void response.end('<html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = new Place();
  onTestFinished(() => {
    server.close();
    place.remove();
  });
  const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await place.pawl(['runs', '--restate', NOBODY, '--restate-admin', other]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `pawl: What answers at ${other} is not Restate. Say where its admin address is: --restate-admin.\n`,
  });
});

it('the page of an engine that is not there is not served', async () => {
  const place = new Place();
  onTestFinished(() => place.remove());
  const { code, stdout, stderr } = await place.pawl(['inspect', '--no-open', '--restate', NOBODY]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Restate cannot be reached');
});
