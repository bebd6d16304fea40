/** What a worker looks at before it takes the first run. No engine is needed for that. */
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Place } from '../cli/support.ts';

const NOBODY = 'http://127.0.0.1:1';

describe('a worker', () => {
  const place = new Place();
  afterAll(() => place.remove());
  const worker = (...flags: readonly string[]) =>
    place.pawl(['worker', '--restate', NOBODY, '--port', '0', ...flags]);

  it.each([
    ['a file', '--workspaces', () => place.write('a-file', 'text'), 'no folder'],
    ['within a file', '--workspaces', () => path.join(place.write('a-file', 'text'), 'runs'), 'no folder'],
    ['where nothing can be made', '--workspaces', () => '/proc/nope', 'there is no such file'],
    ['where nothing can be made', '--blobs', () => '/proc/nope', 'there is no such file'],
  ])('does not start with a folder that is %s (%s)', async (_, flag, folder, reason) => {
    const { code, stdout, stderr } = await worker('--workspaces', place.folder, flag, folder());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: Nothing can be kept in [^\n]*\n$/);
    expect(stderr).toContain(reason);
    expect(stderr).toContain(flag);
  });
});
