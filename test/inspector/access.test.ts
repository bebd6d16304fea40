import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import type { InspectorServer } from '../../src/inspector/server.ts';
import { MemorySource } from '../../src/inspector/source.ts';
import { header } from '../helpers/records.ts';
import { ask, bearer, controls, post, serve, stateFolder } from './support.ts';

let server: InspectorServer;
let steered: string[];
beforeEach(async () => {
  const source = new MemorySource();
  source.add({ ...header(), seq: 0, at: '2026-11-30T09:45:12.000Z' });
  steered = [];
  const own = {
    runId: 'own',
    source,
    controls: controls({ cancel: () => steered.push('cancel') }),
    command: null,
  };
  server = await serve({ folder: stateFolder({ other: [header()] }), own });
});

const READS = ['/', '/api/runs', '/api/runs/own/records', '/api/runs/own/control', '/events', '/api/events'];
const CHANGES = ['/', '/api/runs/own/control', '/api/runs/own/approvals', '/api/approve', '/api/send'];
const CANCEL = JSON.stringify({ command: 'cancel' });
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the server of the page', () => {
  it.each([
    ['of a foreign page', { Origin: 'https://evil.example' }],
    ['of a page without an origin', { Origin: 'null' }],
    ['of a page on another port of this machine', { Origin: 'http://127.0.0.1:9' }],
    ['by a name that was made to lead here', { Host: 'evil.example' }],
    ['by a name with its port', { Host: 'evil.example:80' }],
    ['for the picture of another page', { 'Sec-Fetch-Site': 'same-site' }],
  ])('refuses each request %s, even with the token, and changes nothing', async (_, headers) => {
    const known = { ...bearer(server), ...headers };
    const isPicture = 'Sec-Fetch-Site' in headers;
    for (const target of READS.filter((one) => !isPicture || one !== '/'))
      expect([target, (await ask(server, target, { headers: known })).status]).toEqual([target, 403]);
    for (const target of CHANGES)
      for (const type of ['text/plain', 'application/json']) {
        const asked = { method: 'POST', headers: { ...known, 'Content-Type': type }, body: CANCEL };
        const { status, body } = await ask(server, target, asked);
        if (!isPicture || target !== '/') expect([target, status]).toEqual([target, 403]);
        expect(body).not.toContain('the task');
      }
    expect(steered).toEqual([]);
  });

  it('gives nothing without the token, or with a wrong one', async () => {
    const wrong = [
      {},
      { Authorization: 'Bearer x' },
      { Authorization: `Bearer ${server.token}x` },
      { Cookie: `pawl-1=${server.token}` },
    ];
    for (const headers of wrong) {
      for (const target of READS) expect((await ask(server, target, { headers })).status).toBe(403);
      const asked = { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body: CANCEL };
      expect((await ask(server, '/api/runs/own/control', asked)).status).toBe(403);
    }
    expect((await ask(server, '/?token=wrong')).status).toBe(403);
    expect(steered).toEqual([]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'takes no change as %j, the types that a page may send unasked',
    async (type) => {
      const headers = { ...bearer(server), ...(type && { 'Content-Type': type }) };
      const asked = { method: 'POST', headers, body: CANCEL };
      expect((await ask(server, '/api/runs/own/control', asked)).status).toBe(403);
      expect(steered).toEqual([]);
    },
  );

  it('opens no WebSocket', async () => {
    const headers = {
      ...bearer(server),
      Origin: 'https://evil.example',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    expect((await ask(server, '/', { headers })).status).toBe(403);
  });

  it('listens on the loopback address alone', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((found) => found ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    for (const host of [...others, '127.0.0.2'])
      await expect(ask(server, '/', { host, headers: bearer(server) })).rejects.toThrow('ECONNREFUSED');
    const listening = execFileSync('cat', ['/proc/net/tcp'], { encoding: 'utf8' });
    const port = server.port.toString(16).toUpperCase().padStart(4, '0');
    expect(listening.match(new RegExp(`\\S+:${port} 00000000:0000 0A`))?.[0]).toMatch(/^0100007F:/);
  });

  it('puts the token of the address into a cookie that is for this port and no script, and leads to a clean address', async () => {
    const { status, headers } = await ask(server, server.open('run=own').slice(server.address.length));
    expect([status, headers.location]).toEqual([303, '/?run=own']);
    expect(headers['set-cookie']).toEqual([
      `pawl-${server.port}=${server.token}; Path=/; HttpOnly; SameSite=Strict`,
    ]);
    const Cookie = `other=1; pawl-${server.port}=${server.token}`;
    const page = await ask(server, '/?run=own', { headers: { Cookie } });
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('the page')]);
    const here = { Cookie, Origin: server.address, 'Sec-Fetch-Site': 'same-origin' };
    expect((await ask(server, '/api/runs', { headers: here })).status).toBe(200);
  });

  it('opens a browser with an address that counts once', async () => {
    const once = server.openOnce('').slice(server.address.length);
    expect(once).not.toContain(server.token);
    expect((await ask(server, once)).status).toBe(303);
    expect((await ask(server, once)).status).toBe(403);
  });

  it('forbids scripts in the page, guessing of types, referrers, frames and keeping, whatever it answers', async () => {
    for (const target of ['/', '/nothing', '/api/runs']) {
      const { headers } = await ask(server, target, { headers: bearer(server) });
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it.each(['/../package.json', '/%2e%2e/package.json', '/export.html', '//etc/passwd', '/index.html%00.js'])(
    'serves files of the page by their names alone, not %s',
    async (target) => {
      expect((await ask(server, target, { headers: bearer(server) })).status).toBe(404);
    },
  );

  it.each(['..%2fother', '%2e%2e', '.', '..%2f..%2fetc%2fpasswd', '%', 'nothing', '%00'])(
    'finds no journal by the name %s',
    async (name) => {
      const { status } = await ask(server, `/api/runs/${name}/records`, { headers: bearer(server) });
      expect(status).toBe(404);
    },
  );

  it.each([
    ['no JSON', 'x', 400],
    ['no command', '{}', 400],
    ['an unknown command', '{"command":"constructor"}', 400],
    ['a breakpoint without a place', '{"command":"break"}', 400],
    ['a breakpoint at no state', '{"command":"break","at":"nowhere"}', 400],
    ['a list', '[]', 400],
    ['what is too large', JSON.stringify({ command: 'cancel', more: 'x'.repeat(70_000) }), 400],
  ])('answers %s with a problem', async (_, body, wanted) => {
    const asked = { method: 'POST', headers: { ...bearer(server), ...JSON_TYPE }, body };
    const answer = await ask(server, '/api/runs/own/control', asked);
    expect(answer.status).toBe(wanted);
    expect(JSON.parse(answer.body)).toEqual({ problem: expect.any(String) });
    expect(steered).toEqual([]);
  });

  it('does not steer what another process runs, or what does not wait', async () => {
    expect((await post(server, '/api/runs/other/control', { command: 'pause' })).status).toBe(409);
    expect((await post(server, '/api/runs/nothing/control', { command: 'pause' })).status).toBe(404);
    const decision = { callId: 'c', granted: true };
    expect((await post(server, '/api/runs/own/approvals', decision)).status).toBe(409);
    expect((await post(server, '/api/runs/own/approvals', { callId: 'c' })).status).toBe(400);
    expect((await ask(server, '/api/runs', { method: 'PUT', headers: bearer(server) })).status).toBe(405);
  });

  it('gives one port to one server: another one gets a port of its own', async () => {
    const more = await serve({ folder: stateFolder() }, server.port);
    expect(more.port).not.toBe(server.port);
    expect((await ask(more, '/api/runs', { headers: bearer(more) })).status).toBe(200);
    expect((await ask(more, '/api/runs', { headers: bearer(server) })).status).toBe(403);
  });
});
