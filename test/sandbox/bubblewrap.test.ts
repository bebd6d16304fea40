import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { confine } from '../../src/sandbox/confine.ts';
import { thisProcess } from '../../src/sandbox/holder.ts';
import { signOf } from '../../src/sandbox/mount-sign.ts';
import type { ProcessRequest, ProcessResult } from '../../src/sandbox/sandbox.ts';
import type { View } from '../../src/sandbox/view.ts';
import { hasBubblewrap } from '../helpers/bubblewrap.ts';
import { bash as unconfined } from './support.ts';

const SECRET = 'sk-the-key-of-the-person';
const base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-test-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const home = join(base, 'home');
const workspace = join(home, 'a "project" of mine');
const put = (file: string, content: string): string => {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  return file;
};
const key = put(join(home, '.ssh', 'key'), 'outside');
const neighbour = put(join(base, 'neighbour'), 'outside');
put(join(workspace, 'inside'), 'inside');

const environment = { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: SECRET };
const view: View = { workspace, network: false, hidden: [], environment };

function run(request: Partial<ProcessRequest>, changes: Partial<View> = {}): Promise<ProcessResult> {
  return bubblewrapSandbox({ ...view, ...changes }).run({
    command: 'bash',
    args: [],
    cwd: changes.workspace ?? workspace,
    timeoutMs: 10_000,
    maxCharacters: 10_000,
    signal: new AbortController().signal,
    ...request,
  });
}
const bash = (command: string, request: Partial<ProcessRequest> = {}, changes: Partial<View> = {}) =>
  run({ args: ['-c', command], ...request }, changes);
const python = (code: string, changes: Partial<View> = {}) =>
  run({ command: 'python3', args: ['-c', code] }, changes);

describe.runIf(hasBubblewrap)('a confined program', () => {
  it('works in the workspace, and what it writes is there, as a file of its user', async () => {
    const { end, stdout } = await python(
      'import os; open("written", "w").write("x"); print(open("inside").read(), os.getcwd())',
    );
    expect({ end, printed: stdout.text }).toEqual({
      end: { kind: 'exited', exitCode: 0 },
      printed: `inside ${workspace}\n`,
    });
    const { uid, gid } = statSync(join(workspace, 'written'));
    expect([uid, gid]).toEqual([process.getuid?.(), process.getgid?.()]);
    expect(readFileSync(join(workspace, 'written'), 'utf8')).toBe('x');
  });

  it.each([
    ['at home', key],
    ['beside home, where temporary files are', neighbour],
    ['of the system, that holds what is secret', '/etc/shadow'],
    ['through a link of the workspace', join(workspace, 'link')],
    ['through the root of another process', `/proc/${process.pid}/root${key}`],
    ['through the root of the first process', `/proc/1/root${key}`],
  ])('cannot read a file %s', async (_, file) => {
    if (file.endsWith('link') && !existsSync(file)) symlinkSync(key, file);
    const { end, stdout, stderr } = await python(`print(open(${JSON.stringify(file)}).read())`);
    expect(end).toEqual({ kind: 'exited', exitCode: 1 });
    expect(stderr.text).toMatch(/FileNotFoundError|PermissionError/);
    expect(stdout.text).toBe('');
  });

  it.each([
    ['at home', join(home, 'planted')],
    ['beside home', join(base, 'planted')],
    ['among temporary files', join(tmpdir(), `pawl-planted-${process.pid}`)],
    ['in the system', '/usr/local/planted'],
    ['in the settings of the system', '/etc/planted'],
    ['in the root', '/planted'],
  ])('cannot leave a file %s', async (_, file) => {
    await bash(`mkdir -p "$(dirname '${file}')"; echo x > '${file}'`);
    expect(existsSync(file)).toBe(false);
  });

  it.each(['/usr/local/planted', '/etc/planted', '/planted'])(
    'is told that it cannot write to %s, for nothing is lost without a word',
    async (file) => {
      expect((await bash(`echo x > ${file}`)).stderr.text).toContain('Read-only file system');
    },
  );

  it('is what confine finds and has tried out', async () => {
    expect(await confine(view)).toMatchObject({ by: 'bubblewrap' });
  });

  it('finds the key neither among its variables nor in another process', async () => {
    const search = `grep -lz '^KEY=${SECRET}' /proc/*/environ 2>&- | wc -l; env | grep -c ${SECRET}`;
    const held = join(base, 'held');
    const controller = new AbortController();
    const holder = unconfined(`export KEY=${SECRET}; sh -c "touch ${held}; sleep 20"`, {
      signal: controller.signal,
    });
    while (!existsSync(held)) await sleep(20);
    expect(Number.parseInt((await unconfined(search)).stdout.text, 10)).toBeGreaterThan(0);
    expect((await bash(search)).stdout.text).toBe('0\n0\n');
    controller.abort();
    await holder;
  });

  it('reaches no listener on this machine, unless it may use the network', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const code = `import socket; print(socket.create_connection(("127.0.0.1", ${port}), 2).recv(9))`;
    const [without, having] = [await python(code), await python(code, { network: true })];
    server.close();
    expect(without.stderr.text).toMatch(/ConnectionRefusedError|Network is unreachable/);
    expect(having.stdout.text).toBe("b'hello'\n");
  });

  it('has a loopback of its own, temporary files of its own, and a home where it can write', async () => {
    const { stdout } = await bash(`
echo kept > "$TMPDIR/x"; echo kept > ~/x; cat "$TMPDIR/x" ~/x
python3 -c 'import socket as s; a = s.socket(); a.bind(("127.0.0.1", 0)); a.listen(); s.create_connection(a.getsockname()); print("ok")'`);
    expect(stdout.text).toBe('kept\nkept\nok\n');
    expect((await bash('ls -A "$TMPDIR"')).stdout.text).not.toContain('x\n');
  });

  it.each([
    ['a background child', '(while :; do echo x >> beat; sleep 0.05; done) &'],
    ['one in a session of its own', 'setsid sh -c "while :; do echo x >> beat; sleep 0.05; done" &'],
    [
      'one that forked twice, cleared its environment and let go of everything',
      '(env -i setsid setsid sh -c "while :; do echo x >> beat; /usr/bin/sleep 0.05; done" <&- >&- 2>&- &) &',
    ],
  ])('leaves no process behind: %s', async (_, start) => {
    const beat = join(workspace, 'beat');
    rmSync(beat, { force: true });
    const { end } = await bash(`${start} while [ ! -s beat ]; do sleep 0.02; done`);
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    await sleep(100);
    const { size } = statSync(beat);
    await sleep(300);
    expect(statSync(beat).size).toBe(size);
  });

  it('ends as it would unconfined, whatever its end', async () => {
    const plain = async (work: Promise<ProcessResult>) => ({ ...(await work), withheld: undefined });
    for (const command of [
      'echo out; echo err >&2; exit 3',
      'exit 129',
      'echo so far; kill -SEGV $$',
      'kill -KILL $$',
      'cat; read x; echo "got:$x"',
      "printf 'a\\342'; sleep 0.1; printf '\\200\\224z'",
    ])
      expect(await plain(bash(command))).toEqual(await plain(unconfined(command)));
    const timed = await bash('echo begun; sleep 30 & sleep 30', { timeoutMs: 400 });
    expect(timed).toMatchObject({ end: { kind: 'timed out' }, stdout: { text: 'begun\n' } });
  });

  it('is ended by an abort', async () => {
    const controller = new AbortController();
    const running = bash('touch begun; sleep 30; touch late', { signal: controller.signal });
    while (!existsSync(join(workspace, 'begun'))) await sleep(20);
    controller.abort();
    expect((await running).end).toEqual({ kind: 'aborted' });
    expect(existsSync(join(workspace, 'late'))).toBe(false);
  });

  it.each([
    ['a program that is not there', { command: 'no-such-program-here' }, /no program no-such-program-here/],
    ['a file that cannot be executed', { command: '/etc/passwd' }, /\/etc\/passwd is not an executable/],
    ['a folder that is not there', { cwd: '/no/such/folder' }, /folder \/no\/such\/folder does not exist/],
    ['a folder that it cannot see', { cwd: '/var/lib' }, /folder \/var\/lib: No such file .*sandbox/],
    ['a NUL character', { args: ['-c', 'echo a\0b'] }, /NUL character/],
  ])('that cannot be started says why: %s', async (_, request, reason) => {
    const { end } = await run(request);
    expect(end).toEqual({ kind: 'not started', reason: expect.stringMatching(reason) });
  });

  it('has no rights over its mounts', async () => {
    const { stdout } = await bash(
      'grep CapEff /proc/self/status; umount /tmp; mount -o remount,rw /usr; touch /usr/x; echo done',
    );
    expect(stdout.text).toBe('CapEff:\t0000000000000000\ndone\n');
  });
});

describe.runIf(hasBubblewrap)('in the workspace', () => {
  const place = join(base, 'place');
  const hidden = [put(join(place, 'state/runs/a.jsonl'), 'records'), put(join(place, '.env'), SECRET)];

  it('what pawl records and the file with its key are hidden', async () => {
    const changes = { workspace: place, hidden: [join(place, 'state'), join(place, '.env')] };
    const { stdout } = await bash(
      'ls -A state; cat .env state/runs/a.jsonl; echo x > state/x; mv .env e',
      {},
      changes,
    );
    expect(stdout.text).toBe('');
    for (const file of hidden) expect(existsSync(file)).toBe(true);
    expect(existsSync(join(place, 'state/x'))).toBe(false);
  });

  it('kept results can be read, and nobody gives itself rights', async () => {
    const changes = { workspace: place };
    expect((await bash('mkdir -p .pawl && echo x > .pawl/settings.json', {}, changes)).end).toEqual({
      kind: 'exited',
      exitCode: 1,
    });
    put(join(place, '.pawl/results/a.txt'), 'a long result');
    const { stdout } = await bash(
      'cat .pawl/results/a.txt; mv .pawl p; rm -rf .pawl; echo x > .pawl/settings.json',
      {},
      changes,
    );
    expect(stdout.text).toBe('a long result');
    expect(existsSync(join(place, '.pawl/results/a.txt'))).toBe(true);
    expect(existsSync(join(place, '.pawl/settings.json'))).toBe(false);
  });

  it('a link in the place of that folder keeps commands from running', async () => {
    const other = join(base, 'linked');
    put(join(other, 'a'), '');
    symlinkSync(join(home, '.ssh'), join(other, '.pawl'));
    expect((await bash('ls', {}, { workspace: other })).end).toEqual({
      kind: 'not started',
      reason: expect.stringContaining('.pawl is a file or a link'),
    });
    // It is no matter of namespaces, and installing anything would not help.
    expect(await confine({ ...view, workspace: other })).toMatchObject({
      by: null,
      reason: expect.stringContaining('.pawl is a file or a link'),
      remedy: 'Put a folder in its place, with a copy of what it leads to.',
    });
  });

  it('what is to be hidden and is not there yet is made, so that no program makes it', async () => {
    const other = join(base, 'not-yet');
    put(join(other, 'a'), '');
    const changes = { workspace: other, hidden: [join(other, 'deep/er/pawl')] };
    expect(await confine({ ...view, ...changes })).toMatchObject({ by: 'bubblewrap' });
    expect(readdirSync(other)).toEqual(['a']);
    const { stderr } = await bash('mkdir -p deep/er; echo x > deep/er/pawl/settings.json', {}, changes);
    expect(stderr.text).toContain('Read-only file system');
    expect(readdirSync(other)).toEqual(['a']);
  });

  it('what was made for that goes with the call, however it ends, and what a person has made stays', async () => {
    const other = join(base, 'tidy');
    put(join(other, 'a'), '');
    const inOther = { workspace: other, hidden: [join(other, '.pawl/runs'), join(other, 'deep/state')] };
    const seen = await bash('ls -A . .pawl', {}, inOther);
    expect(seen.stdout.text).toBe('.:\n.pawl\na\ndeep\n\n.pawl:\nruns\n');
    expect((await bash('sleep 60', { timeoutMs: 200 }, inOther)).end).toEqual({ kind: 'timed out' });
    expect((await run({ command: 'nothing-like-it' }, inOther)).end).toMatchObject({ kind: 'not started' });
    await bash('touch deep/kept', {}, inOther);
    expect(readdirSync(other)).toEqual(['a', 'deep']);
    expect(readdirSync(join(other, 'deep'))).toEqual(['kept']);
    mkdirSync(join(other, '.pawl'));
    expect((await bash('ls -A .pawl', {}, { workspace: other })).stdout.text).toBe('');
    expect(readdirSync(join(other, '.pawl'))).toEqual([]);
  });

  it('a call that ends takes nothing from another one, in whose place a program could then put itself', async () => {
    const other = join(base, 'at-once');
    put(join(other, 'a'), '');
    const inOther = { workspace: other };
    const waiting =
      'touch begun; until [ -e ended ]; do sleep 0.02; done; mkdir .pawl; echo x > .pawl/settings.json; ls -A .pawl';
    const long = bash(waiting, {}, inOther);
    while (!existsSync(join(other, 'begun'))) await sleep(20);
    await bash('true', {}, inOther);
    put(join(other, 'ended'), '');
    expect(await long).toMatchObject({
      end: { kind: 'exited', exitCode: 0 },
      stdout: { text: '' },
      stderr: { text: expect.stringContaining('Read-only file system') },
    });
    expect(readdirSync(other).sort()).toEqual(['a', 'begun', 'ended']);
  });

  it('what a killed process has left stays as long as anything has the folder mounted, and goes with the next call', async () => {
    const other = join(base, 'left');
    put(join(other, 'a'), '');
    const inOther = { workspace: other };
    const long = bash('touch begun; until [ -e ended ]; do sleep 0.02; done', {}, inOther);
    while (!existsSync(join(other, 'begun'))) await sleep(20);
    const sign = join(other, '.pawl', signOf(1, { ...thisProcess(0), startTime: '1' }));
    mkdirSync(sign);
    await bash('true', {}, inOther);
    expect(existsSync(sign)).toBe(true);
    put(join(other, 'ended'), '');
    await long;
    await bash('true', {}, inOther);
    expect(readdirSync(other).sort()).toEqual(['a', 'begun', 'ended']);
  });

  it('nothing that a call leaves running outlives it to make the folder', async () => {
    const other = join(base, 'behind');
    put(join(other, 'a'), '');
    const stubborn =
      '(while :; do mkdir .pawl && echo x > .pawl/settings.json; done) > /dev/null 2>&1 < /dev/null &';
    for (let call = 0; call < 5; call += 1)
      await bash(`${stubborn} ${stubborn} sleep 0.02`, {}, { workspace: other });
    await sleep(50);
    expect(readdirSync(other)).toEqual(['a']);
  });
});

describe.runIf(hasBubblewrap)('toolchains at home', () => {
  it('are shown as far as PATH names them, and nothing beside them', async () => {
    const own = join(base, 'person');
    put(join(own, 'tools/node/bin/tool'), '#!/bin/sh\ncat "$(dirname "$0")/../lib/part"');
    put(join(own, 'tools/node/lib/part'), 'whole');
    put(join(own, '.cargo/bin/other'), '');
    put(join(own, '.cargo/credentials.toml'), SECRET);
    put(join(own, 'bin/mine'), '');
    put(join(own, 'letters/private'), SECRET);
    put(join(own, 'project/a'), '');
    const PATH = ['tools/node/bin', '.cargo/bin', 'bin'].map((name) => join(own, name)).join(':');
    const changes = {
      workspace: join(own, 'project'),
      environment: { HOME: own, PATH: `${PATH}:${process.env.PATH}` },
    };
    const { stdout } = await bash('sh ~/tools/node/bin/tool; echo; cd; find . -type f | sort', {}, changes);
    expect(stdout.text.split('\n')).toEqual([
      'whole',
      './.cargo/bin/other',
      './bin/mine',
      './project/a',
      './tools/node/bin/tool',
      './tools/node/lib/part',
      '',
    ]);
  });
});

describe('a workspace that cannot be confined', () => {
  it.each([
    ['home', home, /is your home folder/],
    ['one that holds home', base, /holds your home folder/],
    ['the whole file system', '/', /the whole file system/],
    ['the home folder of the account', realpathSync(os.homedir()), /is your home folder|file system/],
  ])('is named: %s', async (_, folder, reason) => {
    expect(await confine({ ...view, workspace: folder })).toMatchObject({
      by: null,
      reason: expect.stringMatching(reason),
    });
  });

  it('so is a system on which there is no sandbox, and a missing one says how to get it', async () => {
    expect(await confine(view, 'win32')).toMatchObject({
      by: null,
      reason: 'pawl knows no sandbox on win32',
    });
    const bare = { ...view, environment: { HOME: home, PATH: '/nowhere' } };
    expect(await confine(bare, 'linux')).toMatchObject({
      by: null,
      reason: expect.stringContaining('there is no program bwrap'),
      remedy: expect.stringContaining('apt-get install bubblewrap'),
    });
  });
});
