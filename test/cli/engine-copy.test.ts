/** A copy of a run that workers go on with is read like any other, and no command goes on with it or says a word to it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunPlace } from './resumes.ts';

let place: RunPlace;
let id: string;
beforeEach(async () => {
  place = new RunPlace();
  const write = { id: 'c1', name: 'write_file', input: { path: 'a.txt', content: 'new' } };
  await place.run([{ calls: [write] }, { text: 'done' }], ['--on-ask', 'suspend']);
  id = place.ids[0] ?? '';
});
afterEach(() => place.remove());

/** As `pawl pull` makes it of a run that waits. */
const copied = () =>
  place.rewrite(id, (record) =>
    record.type === 'run.started'
      ? { ...record, settings: { ...record.settings, engine: 'restate' } }
      : record,
  );
const AT = { PAWL_RESTATE: 'http://engine:8080' };

describe('a copy of a run that workers go on with', () => {
  it.each([
    [['approve', 'ID', 'c1'], 'Decide at the engine: pawl approve ID c1 --restate http://engine:8080'],
    [['deny', '--last', 'c1'], 'Decide at the engine: pawl deny ID c1 --restate http://engine:8080'],
    [['resume', 'ID', '--yes'], 'Once it has ended, pull it again; or go on with one of its own'],
    [['undo', 'ID'], 'Once it has ended, pull it again: pawl pull ID'],
    [['pause', 'ID'], 'Look at it there: pawl inspect ID --restate http://engine:8080'],
    [['step', 'ID'], 'Look at it there'],
    [['continue', 'ID'], 'Look at it there'],
    [['break', 'ID', 'executing'], 'Look at it there'],
  ])('is not written by %j, which says what can be done instead', async (words, instead) => {
    copied();
    const before = place.bytes();
    const named = (text: string) => text.replaceAll('ID', id);
    const { code, stdout, stderr } = await place.pawl(words.map(named), AT);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`The run ${id} is a copy of one that workers go on with. ${named(instead)}`);
    expect(place.bytes()).toBe(before);
  });

  it('is offered for no decision: approvals leaves it out, and show names what reaches the workers', async () => {
    copied();
    const { stdout, stderr } = await place.pawl(['approvals']);
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr:
        '1 run that workers go on with not shown: pawl approvals --restate URL\nNo call waits for an approval.\n',
    });
    const shown = (await place.pawl(['show', id], AT)).stdout;
    expect(shown).toContain(
      `(a copy of one that workers go on with; decide with: pawl approve ${id} c1 --restate http://engine:8080 or ` +
        `pawl deny ${id} c1 --restate http://engine:8080; news: pawl pull ${id})`,
    );
    expect(JSON.parse((await place.pawl(['show', id, '--json'])).stdout)).toMatchObject({ is_copy: true });
  });

  it('becomes one of this machine by a fork, which is decided about and gone on with here', async () => {
    copied();
    const fork = (await place.pawl(['fork', id])).stdout.trim();
    expect((await place.pawl(['approve', fork, 'c1'])).code).toBe(0);
    expect((await place.resume(fork)).stdout).toBe('done\n');
    expect(place.read('a.txt')).toBe('new');
  });
});

describe('where nothing is found here and PAWL_RESTATE names an engine', () => {
  it.each([
    [
      ['approve', '20990101-000000-aaaaa', 'c1'],
      2,
      'approve, deny and inspect take --restate http://engine:8080.',
    ],
    [['show', '20990101-000000-aaaaa'], 2, 'If the engine has it: pawl pull RUN brings it here'],
    [
      ['approvals'],
      0,
      'No call waits for an approval. At the engine: pawl approvals --restate http://engine:8080',
    ],
    [['runs', '--status', 'stuck'], 0, 'At the engine: pawl runs --restate http://engine:8080'],
  ])('%j says how it is asked, and nothing of it without that', async (words, code, hint) => {
    copied();
    const told = await place.pawl(words, AT);
    expect(told.code).toBe(code);
    expect(told.stderr).toContain(hint);
    expect((await place.pawl(words)).stderr).not.toContain('engine');
  });
});
