import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOutputFile, writeAtomically } from '../../src/cli/output-file.ts';
import { Place } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

describe('an output file', () => {
  it('is checked before the run without being made', async () => {
    await checkOutputFile('--transcript', place.file('t.json'));
    expect(place.has('t.json')).toBe(false);
  });

  it('needs a folder that exists', async () => {
    await expect(checkOutputFile('--transcript', place.file('no/t.json'))).rejects.toThrow(
      `--transcript: there is no folder ${place.file('no')}. Create it first.`,
    );
  });

  it('must not be a folder or a device', async () => {
    mkdirSync(place.file('folder'));
    for (const file of [place.file('folder'), '/dev/null'])
      await expect(checkOutputFile('--transcript', file)).rejects.toThrow('is no regular file');
  });

  it('is replaced whole, and no draft is left', async () => {
    place.write('t.json', 'old');
    await writeAtomically(place.file('t.json'), 'new');
    expect(place.read('t.json')).toBe('new');
    expect(place.files.filter((name) => name.startsWith('work/'))).toEqual(['work/t.json']);
  });

  it('that cannot be written leaves no draft either', async () => {
    mkdirSync(place.file('t.json'));
    await expect(writeAtomically(place.file('t.json'), 'new')).rejects.toThrow();
    expect(place.files.filter((name) => name.startsWith('work/'))).toEqual(['work/t.json']);
  });
});
