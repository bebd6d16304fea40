/** `pawl crashtest` from the outside: what it finds, what it leaves alone, what it leaves behind. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from '../cli/resumes.ts';
import { toolModule } from '../cli/support.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
  mkdirSync(temporary());
});
afterEach(() => place.remove());

const temporary = () => path.join(place.base, 'tmp');
const left = () => readdirSync(temporary());

interface Report {
  readonly exit_code: number;
  readonly instants: number;
  readonly failures: readonly { readonly at: string; readonly problems: string[]; readonly folder: string }[];
}

async function crashtest(...args: readonly string[]) {
  const env = { TMPDIR: temporary() };
  return place.start(['crashtest', '--script', 's.json', ...args, 'the task'], env).finished;
}

async function report(...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await crashtest('--json', ...args);
  if (stdout === '') throw new Error(stderr);
  const document = JSON.parse(stdout) as Report;
  expect(document.exit_code).toBe(code);
  return document;
}

describe('a sound run', () => {
  it('is told as a table', async () => {
    place.write('s.json', [{ text: 'done' }]);
    const { code, stdout, stderr } = await crashtest();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^effects done twice {3}0\nlost records {9}0\nrefused histories {4}0\ndiffering ends {7}0\n✓ 8 instants · \d+ process starts · .* · undisturbed it ends as answered\n$/,
    );
    expect(stderr).toBe('The run passes 8 instants. It is killed at each of them and taken up again.\n');
  });
});

describe('what is found', () => {
  it('is an effect that is done twice, where a tool says that it has not happened; its folder is kept', async () => {
    place.write(
      'tools.mjs',
      toolModule("run: async () => 'done', probe: async () => 'not happened'").replace(
        "'read'",
        "'effectful'",
      ),
    );
    place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
    place.write('s.json', [{ calls: [{ id: 'pay', name: 'mine' }] }, { text: 'done' }]);
    const { exit_code, failures, ...counts } = await report('--agent', 'a.md');
    expect(exit_code).toBe(1);
    expect(counts).toMatchObject({ effects_done_twice: 2, lost_records: 0, refused_histories: 0 });
    expect(failures.map(({ at, problems }) => [at, problems])).toEqual([
      ['after the call of mine', ['the call mine (pay) was executed 2 times']],
      ['before the record tool.finished', ['the call mine (pay) was executed 2 times']],
    ]);
    const [base = ''] = left();
    expect(readdirSync(path.join(temporary(), base)).sort()).toEqual(
      failures.map(({ folder }) => path.basename(folder)).sort(),
    );
    for (const { folder } of failures)
      expect(await place.pawl(['log', path.join(folder, 'journal.jsonl')])).toMatchObject({ code: 0 });
  }, 60_000);

  it('is an end that differs, told with the instant and how to look at it', async () => {
    place.write(
      's.mjs',
      'let n = 0; export default () => ({ text: "answer " + (n += 1) + " of " + process.pid });',
    );
    const { code, stdout } = await place.start(['crashtest', '--script', 's.mjs', 'the task'], {
      TMPDIR: temporary(),
    }).finished;
    expect(code).toBe(1);
    expect(stdout).toMatch(/differing ends {7}[1-9]\d*\n/);
    expect(stdout).toMatch(
      /✗ instant \d+, after the record run\.started\n {4}it answered "answer 1 of \d+", undisturbed "answer 1 of \d+"\n {4}look at it: pawl log \/.*\/instant-\d+\/journal\.jsonl\n/,
    );
  });
});

describe('the workspace', () => {
  beforeEach(() => {
    place.write('s.json', [{ text: 'done' }]);
  });

  it('is copied without what leads out of it, which is told', async () => {
    mkdirSync(place.file('work'));
    place.write('work/a.txt', 'a');
    symlinkSync('a.txt', place.file('work/inside'));
    symlinkSync(place.home, place.file('work/outside'));
    const { code, stderr } = await crashtest('-C', 'work');
    expect(code).toBe(0);
    expect(stderr.match(/is not copied/g)).toHaveLength(1);
    expect(stderr).toContain(`! ${place.file('work/outside')} is not copied:`);
  });

  it.each([
    ['too many files', 'mkdir -p w; touch w/{1..2001}', /has more than 2000 files and folders/],
    ['too many bytes', 'mkdir -p w; truncate -s 30M w/large', /is larger than 20\.0 MB/],
    ['the folder for temporary files in it', 'mkdir -p w; TMP=w/tmp', /holds the folder for temporary files/],
  ])('with %s is refused', async (_, make, told) => {
    await place.shell(make);
    const env = { TMPDIR: make.includes('TMP=') ? place.file('w') : temporary() };
    const { code, stdout, stderr } = await place.pawl(
      ['crashtest', '--script', 's.json', '-C', 'w', 't'],
      env,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(told);
    expect(stderr).toMatch(/^pawl: The workspace [^\n]* Name a smaller one with --cd\.\n$/);
    expect(left()).toEqual([]);
  });
});

describe('the command', () => {
  it('needs a script, and says so', async () => {
    const { code, stderr } = await place.pawl(['crashtest', 't']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^pawl: required option '--script <file>' not specified\./),
    });
  });

  it('is in the help, and what its own processes are started with is not', async () => {
    const { stdout } = await place.pawl(['--help']);
    expect(stdout).toContain('crashtest [options] <task...>');
    expect(stdout).not.toContain('crash-child');
  });

  it('can be interrupted: it ends its processes and leaves nothing behind', async () => {
    place.write('s.json', [bash(`touch ${place.file('begun')}; sleep 30`), { text: 'done' }]);
    const { child, finished } = place.start(['crashtest', '--script', 's.json', 't'], {
      TMPDIR: temporary(),
    });
    await place.until(() => existsSync(place.file('begun')));
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 130, stdout: '' });
    expect(left()).toEqual([]);
    expect(place.ids).toEqual([]);
  });
});
