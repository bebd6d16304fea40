import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { InspectorServer } from '../../src/inspector/server.ts';
import { bash, RunPlace } from '../cli/resumes.ts';
import type { Started } from '../cli/support.ts';
import { ask, FeedReader, post } from '../inspector/support.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([\w-]{43})(\S*)/;
const WRITES = [bash('echo to-stderr >&2; echo x > x.txt', 'toolu_x'), { text: 'done' }];

/** The server as its printed address tells of it. */
function serverIn(text: string): InspectorServer & { readonly query: string } {
  const [, port, token = '', query = ''] = ADDRESS.exec(text) ?? [];
  const server = { port: Number(port), token, address: `http://127.0.0.1:${port}`, query };
  return server as unknown as InspectorServer & { readonly query: string };
}

/** Starts a command and waits until it has said so much on standard error. */
async function started(args: readonly string[], says: string | RegExp, env: NodeJS.ProcessEnv = {}) {
  const process = place.start(args, env);
  onTestFinished(() => {
    process.child.kill('SIGKILL');
  });
  let seen = '';
  process.child.stderr?.on('data', (data) => {
    seen += data;
  });
  let out = '';
  process.child.stdout?.on('data', (data) => {
    out += data;
  });
  await place.until(() => (typeof says === 'string' ? seen.includes(says) : says.test(seen + out)));
  return { ...process, seen: () => seen + out };
}

const runArgs = (...flags: readonly string[]) => ['run', '--script', 's.json', '--yes', ...flags, 'the task'];

describe('a run with --inspect', () => {
  it('is held, looked at, steered from another terminal, and ends as without', async () => {
    place.write('s.json', WRITES);
    const args = runArgs('--break', 'executing', '--output-format', 'json');
    const { finished, seen } = await started(
      args,
      'held before the call of bash (turn 1), breakpoint executing',
    );
    const [id = ''] = place.ids;
    const control = path.join(place.runsFolder, `${id}.inspect`);
    expect(statSync(control).mode & 0o777).toBe(0o600);
    expect(place.has('x.txt')).toBe(false);
    const server = serverIn(seen());
    expect(server.query).toBe(`&run=${id}`);
    const reader = await FeedReader.of(server, id);
    await reader.until(({ events }) => events.includes('live'));

    const [wrong, set] = await Promise.all([
      place.pawl(['break', id, 'answered']),
      place.pawl(['break', id, 'asking', 'tool:bash']),
    ]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^pawl: answered is an end.*\.\n$/),
    ]);
    expect(set.stdout).toBe(
      'held before the call of bash (turn 1); breakpoints executing, asking, tool:bash\n',
    );
    expect((await place.pawl(['step', id])).code).toBe(0);
    await place.until(() => seen().includes('held before the request (turn 2)'));
    expect(place.has('x.txt')).toBe(true);
    expect((await place.pawl(['continue', id.slice(0, 8)])).stdout).toContain('running; breakpoints');

    const { code, stdout, stderr } = await finished;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ status: 'answered', result: 'done' }),
    ]);
    expect(stderr).toContain(`pawl inspect ${id}`);
    await reader.until(({ isOver }) => isOver);
    expect(reader.told.at(-1)).toEqual({ event: 'over', id: null, data: { command: `pawl inspect ${id}` } });
    expect(reader.seqs).toEqual(place.records().map(({ seq }) => seq));
    expect(existsSync(control)).toBe(false);
  });

  it('asks on the page where there is no terminal, and leaves no journal if it is told so', async () => {
    place.write('s.json', WRITES);
    const args = ['run', '--script', 's.json', '--ephemeral', '--inspect', 'the task'];
    const { finished, seen } = await started(args, '? bash asks (toolu_x)');
    const server = serverIn(seen());
    const id = server.query.replace('&run=', '');
    expect(place.has('x.txt')).toBe(false);
    const answer = await post(server, `/api/runs/${id}/approvals`, { callId: 'toolu_x', granted: true });
    expect(answer.status).toBe(200);
    expect(await finished).toMatchObject({ code: 0, stdout: 'done\n' });
    expect([place.has('x.txt'), place.ids]).toEqual([true, []]);
  });

  it('keeps standard output to one document, or one a line, whatever the runtime and tools say', async () => {
    place.write('s.json', WRITES);
    const noisy = { NODE_OPTIONS: '--trace-warnings', NODE_DEBUG: 'http' };
    const [json, lines, text] = await Promise.all(
      ['json', 'stream-json', 'text'].map(
        (format) => place.start(runArgs('--inspect', '--output-format', format), noisy).finished,
      ),
    );
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ status: 'answered' });
    for (const line of (lines?.stdout ?? '').trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('type');
    expect(text?.stdout).toBe('done\n');
    for (const { stderr, code } of [json, lines, text].flatMap((one) => one ?? [])) {
      expect(code).toBe(0);
      expect(stderr).toMatch(ADDRESS);
    }
  });

  it('takes another port where its own is taken, also as one of three at once', async () => {
    place.write('s.json', [{ text: 'ok' }]);
    const other = http.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as { port: number };
    const runs = await Promise.all(
      [1, 2, 3].map(() => place.start(runArgs('--inspect', '--port', String(port))).finished),
    );
    for (const { code, stdout, stderr } of runs) {
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
      expect(stderr).toContain(`port ${port} cannot be had, so it is port ${serverIn(stderr).port}`);
      expect(stderr).not.toMatch(/at .*\(|EADDRINUSE/);
    }
    expect(new Set(runs.map(({ stderr }) => serverIn(stderr).port)).size).toBe(3);
  });

  it('that was killed leaves an address that answers no longer; a resumed one has a new one', async () => {
    place.write('s.json', WRITES);
    const killed = await started(runArgs('--break', 'executing'), 'held before');
    const [id = ''] = place.ids;
    killed.child.kill('SIGKILL');
    await killed.finished;
    const late = await place.pawl(['continue', id]);
    expect([late.code, late.stderr]).toEqual([2, expect.stringMatching(/does not answer.*pawl resume/)]);
    const resumed = await started(
      ['resume', id, '--yes', '--break', 'tool:bash'],
      'held before the call of bash',
    );
    const answer = await post(serverIn(resumed.seen()), `/api/runs/${id}/control`, { command: 'continue' });
    expect(answer.status).toBe(200);
    expect(await resumed.finished).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(existsSync(path.join(place.runsFolder, `${id}.inspect`))).toBe(false);
  });

  it('ends in order at a Ctrl-C while it is held', async () => {
    place.write('s.json', WRITES);
    const { child, finished } = await started(runArgs('--break', 'executing'), 'held before');
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 130 });
    expect(place.has('x.txt')).toBe(false);
  });

  it('is refused where a breakpoint could never hold it: nothing is begun', async () => {
    place.write('s.json', WRITES);
    const { code, stderr } = await place.pawl(runArgs('--break', 'nowhere'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^pawl: --break nowhere: there is no state "nowhere"[^\n]*\n$/),
    });
    expect(place.ids).toEqual([]);
  });
});

describe('pawl export', () => {
  const page = path.resolve(import.meta.dirname, '../../dist/visualizer/export.html');
  const EMPTY = '<script type="application/json" id="pawl-records"></script>';

  it('writes a run as one page, in the current folder, elsewhere or to standard output', async () => {
    if (!existsSync(page)) {
      mkdirSync(path.dirname(page), { recursive: true });
      writeFileSync(page, `<!doctype html>${EMPTY}`);
      onTestFinished(() => rmSync(path.dirname(page), { recursive: true }));
    }
    const { run_id: id } = await place.run([{ text: '</script><script>window.hit=1</script>' }]);
    const [here, there, out] = await Promise.all([
      place.pawl(['export', id, '--html']),
      place.pawl(['export', id, '--html', 'run.html']),
      place.pawl(['export', id, '--html', '-']),
    ]);
    expect(here).toEqual({ code: 0, stdout: `${place.file(`${id}.html`)}\n`, stderr: '' });
    expect(there.stdout).toBe(`${place.file('run.html')}\n`);
    expect([place.read(`${id}.html`), place.read('run.html')]).toEqual([out.stdout, out.stdout]);
    const [, json = ''] = /id="pawl-records">([^<]*)<\/script>/.exec(out.stdout) ?? [];
    expect(JSON.parse(json)).toEqual(place.records().map((record) => ({ ...record, sum: undefined })));
    expect(out.stdout).not.toContain('window.hit=1</script>');
    const wrong = await place.pawl(['export', id]);
    expect([wrong.code, wrong.stderr]).toEqual([2, 'pawl: Say as what: pawl export RUN --html [FILE].\n']);
  });
});

describe('a browser', () => {
  /** A program in place of the system's opener: it leaves what it was started with. */
  function opener(interpreter = '#!/bin/sh'): NodeJS.ProcessEnv {
    const folder = path.join(place.base, 'bin');
    mkdirSync(folder);
    const file = path.join(folder, 'xdg-open');
    writeFileSync(
      file,
      `${interpreter}\nenv > "${place.file('env.txt')}"\necho "$@" > "${place.file('opened.txt')}"\n`,
    );
    chmodSync(file, 0o755);
    return { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':9', ANTHROPIC_API_KEY: 'a-secret' };
  }
  const args = runArgs('--inspect', '--break', 'asking');

  it('is opened where a person sits before a screen, with an address that counts once and no key', async () => {
    place.write('s.json', [{ text: 'ok' }]);
    const running = place.terminal(args, [['held before', '\x03']], 0, opener());
    const { shown } = await running;
    await place.until(() => place.has('opened.txt') && place.read('opened.txt') !== '');
    const opened = serverIn(place.read('opened.txt'));
    expect(opened.port).toBe(serverIn(shown).port);
    expect(opened.token).not.toBe(serverIn(shown).token);
    expect(opened.query).toMatch(/^&run=/);
    expect(place.read('env.txt')).toContain('DISPLAY=:9');
    expect(place.read('env.txt')).not.toContain('a-secret');
  });

  it('is not opened with --no-open', async () => {
    place.write('s.json', [{ text: 'ok' }]);
    const { shown } = await place.terminal([...args, '--no-open'], [['held before', '\x03']], 0, opener());
    expect(shown).toMatch(ADDRESS);
    expect(place.has('opened.txt')).toBe(false);
  });

  it('that cannot be started is no matter', async () => {
    place.write('s.json', [{ text: 'ok' }]);
    const env = opener('#!/nowhere/at/all');
    const { shown, code } = await place.terminal(runArgs('--inspect'), [], 0, env);
    expect([code, shown]).toEqual([0, expect.stringContaining('✓ answered')]);
    expect(shown).not.toContain('ENOENT');
  });
});

describe('pawl inspect', () => {
  /** Ends as a person ends it. */
  async function ended({ child, finished }: Started) {
    child.kill('SIGINT');
    return finished;
  }

  it('serves a run that is over and one that another process is at work on, until Ctrl-C', async () => {
    const { run_id: over } = await place.run([{ text: 'ok' }]);
    place.write('s.json', [{ text: 'late', delay_ms: 60_000 }]);
    const live = await started(runArgs(), 'asking');
    const [id = ''] = place.ids;
    const serving = await started(['inspect', over], ADDRESS);
    const server = serverIn(serving.seen());
    expect(server.query).toBe(`&run=${over}`);
    const list = await ask(server, '/api/runs', { headers: { Authorization: `Bearer ${server.token}` } });
    expect(JSON.parse(list.body)).toEqual([
      expect.objectContaining({ runId: id, status: null, isLive: true }),
      expect.objectContaining({ runId: over, status: 'answered', isLive: false }),
    ]);
    const readers = [await FeedReader.of(server, over), await FeedReader.of(server, id)];
    for (const reader of readers) await reader.until(({ events }) => events.includes('live'));
    expect((await post(server, `/api/runs/${id}/control`, { command: 'pause' })).status).toBe(409);
    const refused = await place.pawl(['pause', id]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('was started without --inspect'),
    ]);
    live.child.kill('SIGINT');
    await live.finished;
    await readers[1]?.until(({ told }) => JSON.stringify(told.at(-1)).includes('run.ended'));
    expect(readers[1]?.seqs).toEqual(place.records(id).map(({ seq }) => seq));
    const { code, stdout, stderr } = await ended(serving);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^http:\S+\n$/),
      stderr: 'Ctrl-C ends it.\n',
    });
  });

  it('lists the runs without one, opens the player with --demo, and serves a journal by its path', async () => {
    const { journal } = await place.run([{ text: 'ok' }]);
    writeFileSync(place.file('my run.jsonl'), readFileSync(journal));
    const [list, demo, named] = await Promise.all([
      started(['inspect'], ADDRESS),
      started(['inspect', '--demo'], ADDRESS),
      started(['inspect', './my run.jsonl'], ADDRESS),
    ]);
    expect(serverIn(list.seen()).query).toBe('');
    expect(serverIn(demo.seen()).query).toBe('&demo');
    const server = serverIn(named.seen());
    expect(server.query).toBe('&run=my%20run');
    const reader = await FeedReader.of(server, 'my run');
    await reader.until(({ events }) => events.includes('live'));
    for (const one of [list, demo, named]) expect((await ended(one)).code).toBe(0);
  });

  it.each([
    [['inspect', 'nothing'], 'There is no run "nothing"'],
    [['inspect', './no.jsonl'], 'The run "./no.jsonl" cannot be read: there is no such file'],
    [['inspect', '--demo', 'x'], '--demo plays scripts of its own'],
    [['step', 'nothing'], 'There is no run "nothing"'],
    [['pause', './no.jsonl'], 'No process is at work on the run'],
    [['export', 'nothing', '--html'], 'There is no run "nothing"'],
  ])('%j is one line that says what to do', async (args, problem) => {
    const { code, stderr } = await place.pawl(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^pawl: [^\n]*\n$/) });
    expect(stderr).toContain(problem);
  });
});
