import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { latestRun } from '../../src/cli/find-run.ts';
import { header } from '../helpers/records.ts';
import { Journals } from './journals.ts';
import { type Finished, Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
  vi.stubEnv('PAWL_HOME', `${place.home}/pawl`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  place.remove();
});

describe('the newest run', () => {
  it('is none where there are none', async () => {
    expect(await latestRun()).toBeUndefined();
    expect(await latestRun({ workspace: '/w' })).toBeUndefined();
  });

  it('is the last one by its id, or the last that was started in a folder', async () => {
    journals.put([header({ workspace: '/w' })], '20260101-000000-aaaaa');
    journals.put([header({ workspace: '/w' })], '20260102-000000-aaaaa');
    journals.put([header({ workspace: '/other' })], '20260103-000000-aaaaa');
    writeFileSync(journals.file('20260104-000000-aaaaa'), 'damaged\n');
    const found = [
      await latestRun(),
      await latestRun({ workspace: '/w' }),
      await latestRun({ workspace: '/none' }),
    ];
    expect(found.map((run) => run?.name)).toEqual([
      '20260104-000000-aaaaa',
      '20260102-000000-aaaaa',
      undefined,
    ]);
    expect(found[1]?.file).toBe(journals.file('20260102-000000-aaaaa'));
  });

  it.each(['show', 'log', 'replay', 'undo', 'export', 'fork'])(
    'is what %s --last is about; a name beside it, or neither, is refused',
    async (command) => {
      const more = command === 'export' ? ['--html', '-'] : command === 'undo' ? ['--dry-run'] : [];
      const say = async (...words: readonly string[]) => place.pawl([command, ...words, ...more]);
      expect((await say('--last')).stderr).toContain('There is no run yet');
      const workspace = place.folder;
      journals.put([header({ workspace, task: 'old' })], '20260101-000000-aaaaa');
      journals.put([header({ workspace, task: 'new' })], '20260102-000000-aaaaa');
      const [last, named] = [await say('--last'), await say('20260102')];
      expect(last.code).toBe(0);
      // A fork has an id of its own, and is the newest run from then on.
      const told = ({ stdout, stderr }: Finished) =>
        command === 'fork' ? stderr.replaceAll(stdout.trim(), '') : stdout + stderr;
      expect(told(last)).toEqual(told(named));
      expect(await say('20260102', '--last')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('leave out the name'),
      });
      expect(await say()).toMatchObject({ code: 2, stderr: expect.stringContaining('Say which run') });
    },
  );
});
