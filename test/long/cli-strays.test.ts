/** Errors that no promise carries back: thrown in a timer, rejected with nobody waiting. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place, runs } from '../cli/support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const THROWN = "setTimeout(() => { throw new Error('boom\\nmore'); }, 100)";
const bash = (command: string) => ({ calls: [{ name: 'bash', input: { command } }] });
const scripted = ['run', '--yes', '--script', 's.mjs'];
const SAID = 'internal error: boom (run with --verbose for the stack)';

/** A script whose first reply waits with a command until the error comes. */
const during = (error: string) =>
  place.write(
    's.mjs',
    `import fs from 'node:fs';
     const poll = setInterval(() => { if (fs.existsSync('pid') && fs.readFileSync('pid', 'utf8')) { clearInterval(poll); ${error} } }, 20);
     export default () => (${JSON.stringify(bash('echo $$ > pid; sleep 30'))});`,
  );

describe('a stray error in a run', () => {
  it.each([
    ['thrown in a timer', THROWN, SAID],
    ['rejected with nobody waiting', "Promise.reject(new Error('boom'))", SAID],
    [
      'that is no error',
      'setTimeout(() => { throw Object.create(null); })',
      'internal error: [Object: null prototype] {}',
    ],
  ])('(%s) ends it in order: the command, the journal, the document', async (_, error, said) => {
    during(error);
    const { code, stdout, stderr } = await place.start([...scripted, '--output-format', 'json', 't'])
      .finished;
    const document = JSON.parse(stdout) as { journal: string; errors: string[] };
    expect(code).toBe(1);
    expect(document).toMatchObject({ status: 'internal_error', exit_code: 1, tool_calls: 1 });
    expect(document.errors[0]).toContain(said);
    expect(stderr).toContain(`pawl: ${said}`);
    expect(stderr).not.toContain('    at ');
    expect(runs(Number(place.read('pid')))).toBe(false);
    const { stdout: shown } = await place.pawl(['show', document.journal, '--json']);
    expect(JSON.parse(shown)).toMatchObject({ status: 'cancelled' });
  });

  it('is told to people too, with its stack where they ask for it', async () => {
    during(THROWN);
    const { code, stdout, stderr } = await place.start([...scripted, '--verbose', 't']).finished;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/Error: boom\nmore\n {4}at /);
    expect(stderr).toContain(`error: ${SAID}\n✗ internal_error`);
    expect(stderr).toContain('exit code 1\n');
  });

  it('that comes again and again is told once', async () => {
    during("setInterval(() => { throw new Error('boom'); }, 1)");
    const { stderr } = await place.start([...scripted, '--output-format', 'json', 't']).finished;
    expect(stderr).toBe(`pawl: ${SAID}\n`);
  });

  it('behind the result changes neither the document nor the exit code', async () => {
    // The reader takes one byte, and the rest once the error was thrown: until then the document is on its way.
    place.write(
      's.mjs',
      `import fs from 'node:fs';
       const poll = setInterval(() => {
         if (!fs.existsSync('read')) return;
         clearInterval(poll);
         setTimeout(() => fs.writeFileSync('thrown', ''), 50);
         throw new Error('boom');
       }, 20);
       export default () => ({ text: 'x'.repeat(300_000) });`,
    );
    const reader = 'dd bs=1 count=1 2>/dev/null; touch read; until [ -e thrown ]; do sleep 0.02; done; cat';
    const command = `pawl run --script s.mjs --output-format json t | (${reader}); echo "$PIPESTATUS" >&2`;
    const { stdout, stderr } = await place.shell(command);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', exit_code: 0 });
    expect(stderr).toBe(`pawl: ${SAID}\n0\n`);
  });
});

describe('a stray error before the run', () => {
  it('leaves with 1 and one line, and nothing was started', async () => {
    place.write(
      's.mjs',
      "setTimeout(() => { throw new Error('boom'); }); export default await new Promise(() => {});",
    );
    const found = await place.start([...scripted, '--output-format', 'json', 't']).finished;
    expect(found).toEqual({ code: 1, stdout: '', stderr: `pawl: ${SAID}\n` });
    expect(place.files).toEqual(['home', 'work', 'work/s.mjs']);
  });
});
