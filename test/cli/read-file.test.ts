import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDotEnv } from '../../src/cli/dot-env.ts';
import { readRegularFile, reasonOf } from '../../src/cli/read-file.ts';
import { workspaceFolder } from '../../src/cli/settings.ts';
import { readProjectSettings } from '../../src/cli/settings-file.ts';
import { Place } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const fifo = (name: string) => execFileSync('mkfifo', [place.file(name)]);
const tooLarge = (name: string, bytes: number) => truncateSync(place.write(name, ''), bytes + 1);

describe('a file that a person names', () => {
  const why = (name: string) => readRegularFile(place.file(name), 1_000_000).then(String, reasonOf);

  it('is read without its byte order mark, through links too', async () => {
    symlinkSync(place.write('a', '\ufeffé\n'), place.file('link'));
    expect(await why('link')).toBe('é\n');
  });

  it('must be a regular one of a sensible size', async () => {
    fifo('fifo');
    mkdirSync(place.file('folder'));
    symlinkSync('/dev/zero', place.file('device'));
    tooLarge('large', 1_000_000);
    const names = ['fifo', 'folder', 'device', 'large', 'absent'];
    expect(await Promise.all(names.map(why))).toEqual([
      'it is no regular file',
      'it is a folder',
      'it is no regular file',
      'it is larger than 1.0 MB',
      'there is no such file',
    ]);
  });
});

describe('a folder that the person may not enter', () => {
  /** Rights do not bite the superuser: the system is asked as somebody else. */
  async function refusal(work: () => Promise<unknown>): Promise<string> {
    const self = process.geteuid?.() ?? 0;
    chmodSync(place.base, 0o711);
    if (self === 0) process.seteuid?.(65_534);
    try {
      return await work().then(String, (error: Error) => error.message);
    } finally {
      process.seteuid?.(self);
    }
  }
  const ENTER = 'may not be entered. Get the right to (chmod u+rx on it, by whoever owns it)';

  it('is named where it is to be worked in, and no file of it', async () => {
    const closed = place.file('closed');
    mkdirSync(path.join(closed, 'inner'), { recursive: true });
    chmodSync(place.folder, 0o755);
    chmodSync(closed, 0);
    for (const workspace of [closed, path.join(closed, 'inner'), path.join(closed, 'none')])
      expect(await refusal(() => workspaceFolder(workspace))).toBe(
        `The workspace ${workspace} cannot be worked in: the folder ${closed} ${ENTER}, or name another workspace with --cd.`,
      );
  });

  it('is named where a file is looked for in it that may not be there', async () => {
    const closed = place.file('.pawl');
    mkdirSync(closed);
    chmodSync(place.folder, 0o755);
    chmodSync(closed, 0);
    const file = path.join(closed, 'settings.json');
    expect(await refusal(() => readProjectSettings(file))).toBe(
      `The settings file ${file} cannot be read: the folder ${closed} ${ENTER}.`,
    );
  });
});

describe('.env', () => {
  it('may begin with a byte order mark', async () => {
    place.write('.env', '\ufeffANTHROPIC_MODEL=m\n');
    expect(await readDotEnv(place.folder)).toBe('ANTHROPIC_MODEL=m\n');
  });

  it('may be missing', async () => {
    expect(await readDotEnv(place.folder)).toBeUndefined();
  });
});

describe('a FIFO in place of a file', () => {
  const RUN = ['run', '--script', 's.json'];

  it.each([
    ['.env', [...RUN, 't']],
    ['a.md', [...RUN, '--agent', 'a.md', 't']],
    ['f.json', ['run', '--script', 'f.json', 't']],
    ['f.mjs', ['run', '--script', 'f.mjs', 't']],
    ['tools.mjs', [...RUN, '--agent', 'with-tools.md', 't']],
    ['r.jsonl', ['show', './r.jsonl']],
  ])('(%s) is named in one line, and nothing hangs', async (name, args) => {
    place.write('s.json', [{ text: 'x' }]);
    place.write('with-tools.md', '---\ntool_module: tools.mjs\n---\n');
    fifo(name);
    const { code, stdout, stderr } = await place.pawl(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: [^\n]*it is no regular file[^\n]*\n$/);
    expect(stderr).toContain(place.file(name));
  });
});

describe('a file that is far too large', () => {
  it.each([
    ['s.json', 100_000_000, ['run', '--script', 's.json', 't'], '100.0 MB'],
    ['r.jsonl', 1_000_000_000, ['show', './r.jsonl'], '1.0 GB'],
  ])('(%s) is not read', async (name, bytes, args, most) => {
    tooLarge(name, bytes);
    const { code, stderr } = await place.pawl(args);
    expect(code).toBe(2);
    expect(stderr).toContain(`it is larger than ${most}`);
  });
});
