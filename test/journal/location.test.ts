import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRunId, runPath, stateFolder } from '../../src/journal/location.ts';

describe('where journals are kept', () => {
  it.each([
    ['PAWL_HOME', { PAWL_HOME: '/p', XDG_STATE_HOME: '/x', HOME: '/h' }, '/p'],
    ['the XDG state folder', { XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/pawl'],
    [
      'the home folder that the system knows',
      { HOME: '' },
      path.join(os.userInfo().homedir, '.local/state/pawl'),
    ],
    ['the home folder', { HOME: '/h' }, '/h/.local/state/pawl'],
    ['the home folder where XDG is relative', { XDG_STATE_HOME: 'x/y', HOME: '/h' }, '/h/.local/state/pawl'],
    [
      'the home folder where the others are empty',
      { PAWL_HOME: '', XDG_STATE_HOME: '', HOME: '/h' },
      '/h/.local/state/pawl',
    ],
    ['the home folder that the system knows', {}, path.join(os.homedir(), '.local/state/pawl')],
    ['PAWL_HOME, seen from the working folder', { PAWL_HOME: 'here' }, path.resolve('here')],
  ])('%s', (_, env, folder) => {
    expect(stateFolder(env)).toBe(folder);
  });

  it('one file for each run', () => {
    expect(runPath('/p', 'a-run')).toBe('/p/runs/a-run.jsonl');
  });
});

describe('the name of a run', () => {
  it('says when it began', () => {
    expect(newRunId(Date.UTC(2026, 10, 30, 9, 5, 2, 999), () => 0)).toBe('20261130-090502-rr000');
  });

  it('differs by chance within a moment, and is short', () => {
    const chances = [0, 0.5, 0.999999];
    expect(newRunId(0, () => chances.shift() ?? 0)).toBe('19700101-000000-000iz');
  });

  it('sorts by time', () => {
    const times = [0, 1e9, 999e9, 1e12, 1.7e12, 1.7e12 + 1000, 1.7e12 + 1001, 1.7e12 + 1100, 2e12];
    const ids = times.map((time, at) => newRunId(time, () => 1 - (at + 1) / 12));
    expect([...ids].sort()).toEqual(ids);
  });
});
