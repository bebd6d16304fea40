import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { latestRun } from '../../src/cli/find-run.ts';
import { header } from '../helpers/records.ts';
import { Journals } from './journals.ts';
import { Place } from './support.ts';

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
});
