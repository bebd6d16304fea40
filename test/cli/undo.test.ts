import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from './resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
  place.write('a.txt', 'one\n');
});
afterEach(() => place.remove());

const write = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
const WORK = [
  { calls: [write('a.txt', 'two\n'), write('sub/b.txt', 'b\n'), write('a.txt', 'three\n')] },
  { text: 'done' },
];

describe('pawl undo', () => {
  it('says what it would do, does it, and has nothing to do the second time', async () => {
    const { run_id, journal } = await place.run(WORK);
    const dry = await place.pawl(['undo', run_id, '--dry-run']);
    expect([dry.code, dry.stdout]).toEqual([0, 'would restore a.txt\nwould remove sub/b.txt\n']);
    expect(place.read('a.txt')).toBe('three\n');
    const done = await place.pawl(['undo', run_id]);
    expect([done.code, done.stdout, done.stderr]).toEqual([0, 'restored a.txt\nremoved sub/b.txt\n', '']);
    expect([place.read('a.txt'), place.has('sub')]).toEqual(['one\n', false]);
    const again = await place.pawl(['undo', run_id, '--json']);
    expect(JSON.parse(again.stdout)).toEqual({
      run: run_id,
      workspace: place.folder,
      is_done: true,
      files: [
        { path: 'a.txt', action: 'as it was', reason: null, kept: null },
        { path: 'sub/b.txt', action: 'as it was', reason: null, kept: null },
      ],
      journal,
    });
  });

  it('restores nothing where a file was changed since, unless it may skip that one', async () => {
    const { run_id } = await place.run(WORK);
    place.write('a.txt', 'mine\n');
    const refused = await place.pawl(['undo', run_id]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(
      /^would not restore a\.txt: It has been changed since the run wrote it\. What it was is in \S+\nwould remove sub\/b\.txt\n$/,
    );
    expect(refused.stderr).toContain(
      'Nothing was restored, because 1 file cannot be. With --skip-changed the others are.',
    );
    expect(place.has('sub/b.txt')).toBe(true);
    const skipped = await place.pawl(['undo', run_id, '--skip-changed']);
    expect([skipped.code, skipped.stdout]).toEqual([
      1,
      expect.stringMatching(/^not restored a\.txt.*\nremoved sub\/b\.txt\n$/),
    ]);
    expect(skipped.stderr).toBe(
      'Of 2 files: 1 removed, 1 not restored. What is not restored is as it was found, for the reason that is given.\n',
    );
    expect([place.read('a.txt'), place.has('sub')]).toEqual(['mine\n', false]);
  });

  it('goes back to a record; what a command has changed it does not know', async () => {
    const { run_id } = await place.run([
      { calls: [write('a.txt', 'two\n')] },
      bash('echo x > x.txt'),
      ...WORK.slice(1),
    ]);
    expect((await place.pawl(['undo', run_id, '--to', '5'])).stdout).toBe('');
    const { stdout } = await place.pawl(['log', run_id, '--json']);
    const kept = stdout.split('\n').findIndex((line) => line.includes('"file.kept"'));
    const { stderr } = await place.pawl(['undo', run_id, '--to', String(kept)]);
    expect(stderr).toContain('What its commands have changed is not known.');
    expect((await place.pawl(['undo', run_id, '--to', '99'])).stderr).toMatch(
      /--to must be the number of a record/,
    );
    await place.pawl(['undo', run_id]);
    expect([place.read('a.txt'), place.read('x.txt')]).toEqual(['one\n', 'x\n']);
  });

  it('after a crash brings back what the dead process had changed', async () => {
    place.write('s.json', [{ calls: [write('a.txt', 'two\n')] }, bash('kill -9 $PPID'), { text: 'never' }]);
    expect((await place.start(['run', '--script', 's.json', '--yes', 'the task']).finished).code).toBe(null);
    expect(place.read('a.txt')).toBe('two\n');
    expect((await place.pawl(['undo', place.ids[0] ?? ''])).stdout).toBe('restored a.txt\n');
    expect(place.read('a.txt')).toBe('one\n');
  });

  it('of a fork takes back what the fork has changed, and names the run that did the rest', async () => {
    const { run_id } = await place.run(WORK);
    const fork = (await place.pawl(['fork', run_id])).stdout.trim();
    place.write('more.json', [{ calls: [write('a.txt', 'four\n')] }, { text: 'done' }]);
    await place.resume(fork, '--yes', '--script', 'more.json', 'more');
    expect(place.read('a.txt')).toBe('four\n');
    expect((await place.pawl(['undo', fork])).stdout).toBe('restored a.txt\n');
    expect(place.read('a.txt')).toBe('three\n');
    const refused = await place.pawl(['undo', fork, '--to', '2']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`pawl undo ${run_id} --to 2`),
    ]);
  });

  it('leaves a run alone that a process works on', async () => {
    place.write('s.json', [{ calls: [write('a.txt', 'two\n')] }, { delay_ms: 60_000, text: 'late' }]);
    const { child, finished } = place.start(['run', '--script', 's.json', '--yes', 'the task']);
    await place.until(() => existsSync(place.file('a.txt')) && place.read('a.txt') === 'two\n');
    const held = await place.pawl(['undo', place.ids[0] ?? '']);
    child.kill('SIGKILL');
    await finished;
    expect([held.code, held.stdout]).toEqual([50, '']);
    expect(held.stderr).toContain(String(child.pid));
    expect(place.read('a.txt')).toBe('two\n');
  });
});

describe('a run that keeps no journal', () => {
  it('keeps no files either', async () => {
    await place.run(WORK, ['--yes', '--ephemeral']);
    expect(place.read('a.txt')).toBe('three\n');
    expect(existsSync(`${place.home}/pawl`) ? readdirSync(`${place.home}/pawl`) : []).toEqual([]);
  });
});
