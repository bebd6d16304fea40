/** What a person is told to type next is what works where they are. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Place } from '../cli/support.ts';

const BUNDLE = path.resolve(import.meta.dirname, '../../dist/cli.js');

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** The hint behind a run that cannot go on by itself. */
function hintOf(script: string, env: NodeJS.ProcessEnv = {}): string {
  place.write('s.json', []);
  const command = `"$0" "$1" run --script s.json t 2>&1; "$0" "$1" run --help`;
  const shown = execFileSync('bash', ['-c', command, process.execPath, script], {
    cwd: place.folder,
    env: { ...place.env, ...env },
    encoding: 'utf8',
  });
  const [, hint = ''] = /go on with: (.*) resume \d/.exec(shown) ?? [];
  expect(shown).toContain(`  ${hint} run "`);
  return hint;
}

it.each([
  ['pawl', 'bin/pawl'],
  ['npx pawl', 'node_modules/.bin/pawl'],
])('%s, where it is found as %s', (hint, name) => {
  mkdirSync(path.dirname(place.file(name)), { recursive: true });
  symlinkSync(BUNDLE, place.file(name));
  expect(hintOf(place.file(name))).toBe(hint);
});

it('npx pawl, where npx has started it', () => {
  expect(hintOf(BUNDLE, { npm_command: 'exec' })).toBe('npx pawl');
});

it('node and the file, where that was named: from the folder on, if it lies there, and quoted for a shell', () => {
  expect(hintOf(BUNDLE)).toBe(`node ${BUNDLE}`);
  symlinkSync(path.dirname(BUNDLE), place.file('dist'));
  expect(hintOf('dist/cli.js')).toBe('node dist/cli.js');
  const gone = `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${BUNDLE}" --help`;
  expect(execFileSync('bash', ['-c', gone], { cwd: place.folder, encoding: 'utf8' })).toContain('Examples:');
  symlinkSync(path.dirname(BUNDLE), place.file("a b's"));
  expect(hintOf("a b's/cli.js")).toBe(`node 'a b'\\''s/cli.js'`);
});
