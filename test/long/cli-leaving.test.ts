/** How long the process stays: until the run has its result, and not a moment longer. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Place, toolModule } from '../cli/support.ts';

const inPlace = async (test: (place: Place) => Promise<void>) => {
  const place = new Place();
  try {
    await test(place);
  } finally {
    place.remove();
  }
};
const json = ['--output-format', 'json'];
const NEVER = 'new Promise(() => {})';
/** Longer than a process without anything to wait for lives. */
const QUIET_MS = 500;

describe('what never settles', () => {
  it.concurrent.each([
    ['a script', `export default () => { begin(); return ${NEVER}; }`, '[]'],
    [
      'a tool',
      "export default (_, n) => ({ calls: [{ name: 'mine' }] })",
      `() => { begin(); return ${NEVER}; }`,
    ],
  ])('(%s) keeps the run alive until it is cancelled, with 130 and the document', (_, script, tool) =>
    inPlace(async (place) => {
      const begin = "import fs from 'node:fs'; const begin = () => fs.writeFileSync('begun', '');";
      place.write('s.mjs', `${begin} ${script}`);
      place.write('tools.mjs', begin + toolModule(`run: ${tool === '[]' ? "() => ''" : tool}`));
      place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
      const { child, finished } = place.start(['run', '--agent', 'a.md', '--script', 's.mjs', ...json, 't']);
      await place.until(() => place.has('begun'));
      await wait(QUIET_MS);
      expect(child.exitCode).toBeNull();
      child.kill('SIGINT');
      const { code, stdout, stderr } = await finished;
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', exit_code: 130 });
    }),
  );

  it.concurrent.each(['s.mjs', 'tools.mjs'])('in %s while it is loaded can be interrupted', (slow) =>
    inPlace(async (place) => {
      const begin = "import fs from 'node:fs'; fs.writeFileSync('begun', '');";
      place.write('s.mjs', "export default () => ({ text: 'x' })");
      place.write('tools.mjs', 'export default []');
      place.write(slow, `${begin} export default await ${NEVER};`);
      place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
      const { child, finished } = place.start(['run', '--agent', 'a.md', '--script', 's.mjs', ...json, 't']);
      await place.until(() => place.has('begun'));
      await wait(QUIET_MS);
      expect(child.exitCode).toBeNull();
      child.kill('SIGINT');
      expect(await finished).toEqual({ code: null, stdout: '', stderr: '' });
      expect(child.signalCode).toBe('SIGINT');
    }),
  );
});

describe('what a script or a tool module leaves behind', () => {
  const LEFT = `
    import http from 'node:http';
    setInterval(() => {}, 1000);
    const server = http.createServer(() => {}).listen(0, '127.0.0.1', () => http.get({ port: server.address().port }));`;

  it.concurrent.each(['text', 'json', 'stream-json'])('keeps nobody waiting (%s)', (format) =>
    inPlace(async (place) => {
      place.write('s.mjs', `${LEFT} export default () => ({ text: 'done' })`);
      const { code, stdout } = await place.start(['run', '--script', 's.mjs', '--output-format', format, 't'])
        .finished;
      expect(code).toBe(0);
      expect(stdout).toContain('done');
    }),
  );

  it.concurrent('cuts no result, however slow the reader is', () =>
    inPlace(async (place) => {
      place.write('s.mjs', `${LEFT} export default () => ({ text: 'x'.repeat(300_000) })`);
      const { stdout } = await place.shell('pawl run --script s.mjs --output-format json t | (sleep 2; cat)');
      expect((JSON.parse(stdout) as { result: string }).result).toHaveLength(300_000);
    }));
});

describe('standard output that cannot be written', () => {
  it.concurrent.each([
    ['an answer', [{ text: 'done' }], [], 1],
    ['a limit', [{ calls: [{ name: 'list_files', input: {} }] }], ['--max-turns', '1', '--no-summary'], 10],
  ] as const)('does not end %s with 0, nor hide its own exit code', (_, script, flags, code) =>
    inPlace(async (place) => {
      place.write('s.json', script);
      const command = `pawl run --script s.json --output-format stream-json ${flags.join(' ')} t > /dev/full`;
      const found = await place.shell(command);
      expect(found.code).toBe(code);
      expect(found.stderr).toMatch(/^pawl: standard output cannot be written: ENOSPC[^\n]*\n$/);
    }),
  );
});
