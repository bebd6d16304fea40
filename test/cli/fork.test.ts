import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, reply } from '../helpers/records.ts';
import { ANSWERED, ID, Journals } from './journals.ts';
import { Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
  journals.put();
});
afterEach(() => place.remove());

const fork = (...more: readonly string[]) => place.pawl(['fork', ID, ...more]);
const show = async (run: string) => JSON.parse((await place.pawl(['show', run, '--json'])).stdout);

describe('a fork', () => {
  it('prints the new id alone, and how to go on beside it', async () => {
    const before = readFileSync(journals.file());
    const { code, stdout, stderr } = await fork('--at', '3');
    const id = stdout.trim();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d{8}-\d{6}-[a-z0-9]{5}\n$/);
    expect(stderr).toBe(`Forked ${ID} at record 3 of 7, executing.running. Go on with: pawl resume ${id}\n`);
    expect(await show(id)).toMatchObject({
      run_id: id,
      origin: { run_id: ID, seq: 3 },
      at: 3,
      state: 'executing.running',
    });
    expect(readFileSync(journals.file()).equals(before)).toBe(true);
    expect((await place.pawl(['diff', ID, id])).stdout).toContain('equal up to record 3; then');
  });

  it('takes all records along where no place is named, and tells scripts what it made', async () => {
    const made = JSON.parse((await fork('--json')).stdout);
    expect(made).toEqual({
      run_id: expect.any(String),
      origin: { run_id: ID, seq: 7 },
      state: 'answered',
      records: 8,
      journal: journals.file(made.run_id),
    });
  });

  it('of a fork names the run that it comes from directly', async () => {
    const first = (await fork('--at', '5')).stdout.trim();
    const second = (await place.pawl(['fork', first, '--at', '1'])).stdout.trim();
    expect((await show(second)).origin).toEqual({ run_id: first, seq: 1 });
  });

  it('goes on with another task, or with a word behind what is taken along', async () => {
    place.write('s.json', [{ text: 'other' }]);
    const [other, more] = await Promise.all([
      fork('--at', '0', '--task', 'sing'),
      fork('--task', 'and now?'),
    ]);
    expect((await show(other.stdout.trim())).task).toBe('sing');
    expect(await show(more.stdout.trim())).toMatchObject({
      task: 'count\nthem',
      resumes: 1,
      state: 'asking.requesting',
    });
  });

  it.each([
    [['--at', '8'], 'from 0 to 7'],
    [['--task', ' '], '--task must not be empty'],
  ])('is refused, and nothing is made: %j', async (flags, problem) => {
    const files = place.files;
    const { code, stdout, stderr } = await fork(...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(place.files).toEqual(files);
  });

  it('takes no further word where the model has paused', async () => {
    const pause = message('pause_turn', { type: 'server_tool_use', id: 's', name: 'web_search' });
    journals.put([...ANSWERED.slice(0, 6), reply(2, pause)]);
    const { code, stderr } = await fork('--task', 'more');
    expect(code).toBe(2);
    expect(stderr).toContain('--task cannot be added at record 6');
    expect((await fork()).code).toBe(0);
  });

  it('of a damaged run is made from its good part, if that is asked for', async () => {
    journals.damage(5);
    const refused = await Promise.all([fork(), fork('--at', '4')]);
    for (const { code, stdout, stderr } of refused) {
      expect({ code, stdout }).toEqual({ code: 50, stdout: '' });
      expect(stderr).toMatch(/^error: .*, line 5: /);
    }
    expect((await fork('--at', '3')).code).toBe(0);
  });

  it('that cannot be written is an error of the journal', async () => {
    place.write('file', '');
    const { code, stdout, stderr } = await place.pawl(['fork', journals.file()], {
      PAWL_HOME: place.file('file'),
    });
    expect({ code, stdout }).toEqual({ code: 50, stdout: '' });
    expect(stderr).toMatch(/^error: could not write the journal [^\n]*\n$/);
  });
});
