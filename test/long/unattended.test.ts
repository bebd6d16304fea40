import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../cli/support.ts';
import { SANDBOXES } from '../field/sandboxes.ts';
import { call, calls, says } from '../field/support.ts';
import { type StrictReply, startStrictServer } from '../helpers/strict-server.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

async function service(replies: readonly StrictReply[]) {
  const server = await startStrictServer(replies);
  onTestFinished(() => server.close());
  return server;
}
const live = (url: string) => ({ ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url });

/** An address where nobody listens. */
async function deadAddress(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

const REFUSED: StrictReply = {
  fault: 'status',
  status: 401,
  body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
};
const OVERLOADED: StrictReply = { fault: 'status', status: 529, headers: { 'x-should-retry': 'false' } };

describe('a run that failed never looks like a success', () => {
  it.each([
    ['a wrong key', REFUSED, /401: invalid x-api-key.*Check the key.*\(ANTHROPIC_API_KEY/],
    ['an overloaded service', OVERLOADED, /529/],
  ])(
    'with %s: exit 25, the reason on standard error alone, and one consistent document',
    async (_, reply, said) => {
      const { url } = await service([reply, reply]);
      const text = await place.shell('pawl run t && echo next', live(url));
      expect(text).toMatchObject({ code: 25, stdout: '' });
      expect(text.stderr).toMatch(said);
      const json = await place.pawl(['run', '--output-format', 'json', 't'], live(url));
      expect(json.code).toBe(25);
      expect(JSON.parse(json.stdout)).toMatchObject({
        status: 'model_error',
        exit_code: 25,
        result: null,
        errors: [expect.stringMatching(said)],
      });
    },
  );

  it('with an address where nobody listens: each attempt and its wait is seen, and an interrupt ends the wait', async () => {
    const { child, finished } = place.start(['run', 't'], live(await deadAddress()));
    let seen = '';
    child.stderr?.on('data', (data) => {
      seen += data;
    });
    await place.until(() => seen.includes('attempt 2 failed'));
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 130, stdout: '' });
    expect(seen).toContain('ECONNREFUSED');
  });
});

describe.each(SANDBOXES)('a command, $name, where nobody is there', ({ flags }) => {
  const replies = () => [calls(call('toolu_cf1', 'bash', { command: 'echo x > x.txt' })), says('could not')];

  it.each(['ignore', 'pipe'] as const)(
    'that needs an approval is denied at once, and the model is told what would allow it (input: %s)',
    async (input) => {
      const server = await service(replies());
      const startedAt = Date.now();
      const { finished, child } = place.start(['run', ...flags, 't'], live(server.url), input);
      const { code, stdout, stderr } = await finished;
      child.stdin?.destroy();
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'could not\n' });
      expect(Date.now() - startedAt).toBeLessThan(30_000);
      expect(place.has('x.txt')).toBe(false);
      expect(server.requests[1]?.raw).toMatch(/nobody can be asked.*--yes/);
      expect(stderr).toContain('1 denied');
    },
  );

  it('and which reads its input neither waits for that of pawl nor takes it', async () => {
    const server = await service([
      calls(call('toolu_ay1', 'bash', { command: 'cat; read x; echo "got:$x"' })),
      says('ok'),
    ]);
    const startedAt = Date.now();
    const { finished, child } = place.start(['run', '--yes', ...flags, 't'], live(server.url), 'pipe');
    child.stdin?.write('typed ahead\n');
    expect(await finished).toMatchObject({ code: 0, stdout: 'ok\n' });
    child.stdin?.destroy();
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(server.requests[1]?.raw).toContain('exit_code=0\\ngot:\\n');
  });
});

describe('the base address', () => {
  it.each(['', '/', '/v1', '/v1/', '/proxy/x'])(
    'with %j behind it leads to the messages of the service',
    async (suffix) => {
      const server = await service([says('ok')]);
      const { code } = await place.pawl(['run', 't'], live(server.url + suffix));
      expect(code).toBe(0);
      expect(server.requests[0]?.path).toBe(`${suffix.startsWith('/proxy') ? suffix : ''}/v1/messages`);
    },
  );

  it('that leads nowhere is shown whole in the error', async () => {
    const server = await service([]);
    const { code, stderr } = await place.pawl(['run', 't'], live(`${server.url}/v1/v1`));
    expect(code).toBe(25);
    expect(stderr).toContain(`${server.url}/v1/v1/messages`);
  });

  it('without a scheme is a usage error, and an empty one is none', async () => {
    const { code, stderr } = await place.pawl(['run', 't'], live('127.0.0.1:9'));
    expect(code).toBe(2);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(await place.pawl(['doctor'], live(''))).toMatchObject({ code: 0 });
  });
});

describe('without a key', () => {
  it('a run is one line that names the variable, exit 2, and nothing is created', async () => {
    const before = place.files;
    const { code, stdout, stderr } = await place.pawl(['run', 't']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: [^\n]*ANTHROPIC_API_KEY[^\n]*\n$/);
    expect(place.files).toEqual(before);
  });

  it('what needs no service works: help, version, a scripted run and a look at it', async () => {
    place.write('s.json', [{ text: 'done' }]);
    const run = await place.pawl(['run', '--script', 's.json', '--output-format', 'json', 't']);
    const { run_id: id } = JSON.parse(run.stdout) as { run_id: string };
    const looks = await Promise.all(
      [['--help'], ['--version'], ['show', id]].map((args) => place.pawl(args)),
    );
    expect([run, ...looks].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });
});
