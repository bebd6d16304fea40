/** `--sandbox`: what the command line does where commands can be confined, and where they cannot. */
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from '../cli/resumes.ts';
import { CLI } from '../cli/support.ts';
import { hasBubblewrap } from '../helpers/bubblewrap.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

/** Without the flag that the helpers put in. */
const AS_TYPED = `"${process.execPath}" "${CLI}"`;
const KEY = 'sk-ant-a-key-that-nobody-may-see';
const CONFINED = ['--yes', '--sandbox', 'require'];
const resultsOf = (): string[] =>
  place.records().flatMap((record) => (record.type === 'tool.finished' ? [String(record.content)] : []));
const settingsOf = (type: 'run.started' | 'run.resumed') => {
  const record = place.records().findLast((one) => one.type === type);
  return record && 'settings' in record ? record.settings?.sandbox : undefined;
};

describe.runIf(hasBubblewrap)('a confined run', () => {
  it('keeps its commands from the key, from files outside, and from the network, whatever tool runs them', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    writeFileSync(path.join(place.base, 'outside'), 'OUTSIDE');
    const code = `
import glob, os, socket
keys = [name for name in glob.glob("/proc/[0-9]*/environ") if b"that-nobody" in open(name, "rb").read()]
print("keys", len(keys), "that-nobody" in str(os.environ))
print("outside", os.path.exists("../outside"), os.path.exists("../home/pawl/runs"))
try: print(socket.create_connection(("127.0.0.1", ${port}), 2).recv(9))
except OSError as error: print("network", type(error).__name__)
open("from-" + str(os.getpid()), "w").close()
`;
    place.write('main.py', code);
    place.write('inside.txt', 'a line\n');
    place.write('s.json', [
      {
        calls: [
          { name: 'run_python', input: { code } },
          { name: 'run_main', input: {} },
          { name: 'bash', input: { command: 'python3 main.py' } },
          { name: 'search_files', input: { pattern: 'line', include: '*.txt' } },
        ],
      },
      { text: 'done' },
    ]);
    const { code: exit } = await place.pawl(['run', ...CONFINED, '--script', 's.json', 't'], {
      ANTHROPIC_API_KEY: KEY,
    });
    server.close();
    expect(exit).toBe(0);
    const printed = 'exit_code=0\nkeys 0 False\noutside False False\nnetwork ConnectionRefusedError\n';
    expect(resultsOf()).toEqual([printed, printed, printed, 'inside.txt:1:a line']);
    expect(settingsOf('run.started')).toEqual({ mode: 'require', confined_by: 'bubblewrap', network: false });
  });

  it('works through a link to its workspace, and says of a failed command what was withheld', async () => {
    symlinkSync(place.folder, path.join(place.base, 'link'));
    await place.run([bash('pwd; touch there; false'), { text: 'done' }], [...CONFINED, '-C', '../link']);
    expect(resultsOf()[0]).toMatch(`exit_code=1\n${place.folder}\n`);
    expect(resultsOf()[0]).toContain('It ran in a sandbox: there is no network');
    expect(place.has('there')).toBe(true);
  });

  it('leaves no command behind where pawl is killed, not even one that left its session', async () => {
    const beat = 'env -i setsid sh -c "while :; do echo x >> beat; /usr/bin/sleep 0.05; done" & sleep 60';
    place.write('s.json', [bash(beat), { text: 'done' }]);
    const { child, finished } = place.start(['run', ...CONFINED, '--script', 's.json', 't']);
    await place.until(() => place.has('beat'));
    child.kill('SIGKILL');
    await finished;
    await sleep(150);
    const { size } = statSync(place.file('beat'));
    await sleep(300);
    expect(statSync(place.file('beat')).size).toBe(size);
  });

  it('leaves a folder in the workspace where pawl is killed, and the next run or a resumption removes it', async () => {
    place.write('s.json', [bash('touch begun; sleep 60'), { text: 'done' }]);
    for (const next of [
      ['run', ...CONFINED, '--script', 's2.json', 't'],
      ['resume', ...CONFINED, '--last'],
    ]) {
      place.write('s2.json', [{ text: 'done' }]);
      const { child, finished } = place.start(['run', ...CONFINED, '--script', 's.json', 't']);
      await place.until(() => place.has('begun'));
      child.kill('SIGKILL');
      await finished;
      expect(readdirSync(place.file('.pawl'))).toEqual([expect.stringMatching(/^\.mounted-1-/)]);
      expect((await place.pawl(next)).code).toBe(0);
      expect(place.has('.pawl')).toBe(false);
      rmSync(place.file('begun'));
    }
  });

  it('hides the file that its key is in, and the runs, where they lie in the workspace', async () => {
    place.write('.env', `ANTHROPIC_API_KEY=${KEY}\n`);
    place.write('s.json', [
      bash(
        `cat .env; ls -A state/runs; touch state/runs/x; python3 -c "open('.pawl/settings.json', 'w')"; true`,
      ),
      { text: 'done' },
    ]);
    await place.pawl(['run', ...CONFINED, '--script', 's.json', '--output-format', 'json', 't'], {
      PAWL_HOME: place.file('state'),
    });
    const [file = ''] = place.files.filter((name) => name.endsWith('.jsonl'));
    expect(file).toMatch(/^work\/state\/runs\//);
    const journal = place.read(path.relative('work', file));
    expect(journal).toContain('cat: .env: Permission denied');
    expect(journal).toMatch(/exit_code=0\\n\[stderr\]/);
    expect(place.has('state/runs/x')).toBe(false);
    expect(place.has('.pawl/settings.json')).toBe(false);
  });

  it('is shown as such, and one that goes on is confined anew', async () => {
    const { run_id: id } = await place.run(
      [bash('true'), { text: 'one' }, bash('true'), { text: 'two' }],
      CONFINED,
    );
    expect((await place.pawl(['show', id])).stdout).toContain('sandbox    bubblewrap, without network\n');
    const auto = ['resume', id, 'more', '--yes', '--sandbox', 'auto', '--allow-network'];
    expect(await place.pawl(auto)).toMatchObject({ code: 0, stdout: 'two\n' });
    expect(settingsOf('run.resumed')).toEqual({ mode: 'auto', confined_by: 'bubblewrap', network: true });
    expect((await place.pawl(['show', id])).stdout).toContain('sandbox    bubblewrap, with network\n');
  });

  it('that demanded its sandbox does not go on without one', async () => {
    await place.run([{ text: 'one' }, bash('true'), { text: 'two' }], CONFINED);
    const { code, stderr } = await place.shell(`${AS_TYPED} resume --last more`, { HOME: place.folder });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is your home folder'),
    });
  });

  it('is what doctor promises', async () => {
    const { stdout } = await place.pawl(['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    expect(checks.find(({ name }) => name === 'sandbox')).toMatchObject({ level: 'ok', remedy: null });
  });
});

/** At home nothing can be confined, on any machine: home has to be hidden. */
describe('where there is no sandbox', () => {
  const atHome = () => ({ HOME: place.folder, PAWL_HOME: path.join(place.home, 'pawl') });
  const SCRIPT = [bash('touch done'), { when: '--sandbox off', text: 'could not' }, { text: 'did' }];
  const run = (...flags: string[]) => {
    place.write('s.json', SCRIPT);
    return place.pawl(['run', '--script', 's.json', ...flags, 't'], atHome());
  };

  it('a run says so first, and denies its commands where nobody can be asked, with --yes too', async () => {
    const { stdout, stderr } = await run('--sandbox', 'auto', '--yes');
    expect(stdout).toBe('could not\n');
    expect(place.has('done')).toBe(false);
    const [heading, notice] = stderr.split('\n');
    expect(heading).toMatch(/^run /);
    expect(notice).toMatch(/^! No sandbox: every command asks first, .* is your home folder.* --sandbox off/);
    expect(settingsOf('run.started')).toEqual({ mode: 'auto', confined_by: null, network: false });
    expect((await place.pawl(['show', place.ids[0] ?? ''])).stdout).toContain(
      'sandbox    none: commands ask\n',
    );
  });

  it('an agent file that allows commands changes nothing about it', async () => {
    place.write('a.md', '---\npermissions: { allow: [bash, write_file] }\n---\n');
    expect((await run('--sandbox', 'auto', '--agent', 'a.md')).stdout).toBe('could not\n');
  });

  it('a person at the terminal is asked for each command, with --yes too; what runs none is not', async () => {
    place.write('s.json', [
      { calls: [{ name: 'write_file', input: { path: 'a', content: '' } }] },
      bash('touch done'),
      { text: 'did' },
    ]);
    const args = ['run', '--sandbox', 'auto', '--yes', '--script', 's.json', 't'];
    const { code, shown } = await place.terminal(args, [['Approve bash?', 'y\n']], 0, atHome());
    expect(code).toBe(0);
    expect(shown).not.toContain('Approve write_file?');
    expect([place.has('a'), place.has('done')]).toEqual([true, true]);
  });

  it('one that requires it is refused before anything is there, with the remedy', async () => {
    const before = place.files;
    const { code, stderr } = await run('--sandbox', 'require', '--yes');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--sandbox require: .*--cd/),
    });
    expect(place.files).toEqual([...before, 'work/s.json'].sort());
  });

  it('a program that is missing is named with what installs it', async () => {
    const bin = path.join(place.base, 'bin');
    mkdirSync(bin);
    const env = { PATH: bin };
    place.write('s.json', SCRIPT);
    const args = ['run', '--sandbox', 'require', '--script', 's.json', 't'];
    if (process.platform === 'linux')
      expect((await place.pawl(args, env)).stderr).toMatch(/no program bwrap.*apt-get install bubblewrap/);
    expect((await place.pawl(['doctor'], env)).stdout).toMatch(/sandbox +none: /);
  });

  it('--sandbox off runs commands unconfined and says nothing', async () => {
    const { stdout, stderr } = await run('--sandbox', 'off', '--yes');
    expect(stdout).toBe('did\n');
    expect(stderr).not.toContain('sandbox');
    expect(place.has('done')).toBe(true);
    expect((await place.pawl(['show', place.ids[0] ?? ''])).stdout).toContain('sandbox    off: ');
  });

  it('a run without tools that run commands has nothing to confine', async () => {
    const { stderr } = await run('--sandbox', 'require', '--tools', 'read_file', '--yes');
    expect(stderr).not.toContain('sandbox');
    expect(settingsOf('run.started')).toBeNull();
  });

  it('the notice is an event of stream-json, behind the first line', async () => {
    const { stdout } = await run('--sandbox', 'auto', '--yes', '--output-format', 'stream-json');
    const types = stdout
      .split('\n')
      .slice(0, 2)
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['record', 'notice']);
  });

  it('a run that gave confinement up has to do so again', async () => {
    await run('--sandbox', 'off', '--yes');
    const { stderr } = await place.shell(`${AS_TYPED} resume --last more --yes`, atHome());
    expect(stderr).toContain('The run was started with --sandbox off.');
    expect(settingsOf('run.resumed')).toMatchObject({ mode: 'auto' });
  });
});

it('the records of runs are closed to file tools where they lie in the workspace, with no sandbox either', async () => {
  place.write('s.json', [
    {
      calls: [
        { name: 'search_files', input: { pattern: 'run.started', include: '*.jsonl' } },
        { name: 'list_files', input: {} },
        { name: 'write_file', input: { path: 'runs/new.jsonl', content: 'x' } },
        { name: 'write_file', input: { path: 'beside.txt', content: 'x' } },
      ],
    },
    { text: 'done' },
  ]);
  const args = ['run', '--yes', '--sandbox', 'off', '--script', 's.json', '--transcript', 't.json', 't'];
  expect((await place.pawl(args, { PAWL_HOME: place.folder })).code).toBe(0);
  const { messages } = JSON.parse(place.read('t.json')) as { messages: { content: { content: string }[] }[] };
  const results = messages[2]?.content.map(({ content }) => content);
  expect(results).toEqual([
    'No matches.',
    'runs/\ns.json',
    expect.stringContaining('where pawl keeps its records of runs'),
    expect.stringContaining('Created beside.txt'),
  ]);
});

it('a mode that there is not is named', async () => {
  place.write('s.json', []);
  const { code, stderr } = await place.pawl(['run', '--sandbox', 'on', '--script', 's.json', 't']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('auto, require, off') });
});
