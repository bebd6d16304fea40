/** Ctrl-C and its like, with a command that runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place, runs, toolModule } from '../cli/support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const runIn = (format: string): string[] =>
  `run --yes --script s.json --output-format ${format} --transcript t.json t`.split(' ');

describe('the first signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
    ['SIGQUIT', 143],
    ['SIGUSR2', 143],
    ['SIGALRM', 143],
    ['SIGXCPU', 143],
  ] as const)(
    '(%s) ends the run in order, with the exit code %i and the document',
    async (signal, exitCode) => {
      place.write('s.json', [
        {
          calls: [
            { name: 'bash', input: { command: 'echo $$ > pid; sleep 30' } },
            { name: 'bash', input: { command: 'echo second > second.txt' } },
          ],
        },
      ]);
      const { child, finished } = place.start(runIn('json'));
      await place.until(() => place.has('pid') && place.read('pid') !== '');
      child.kill(signal);
      const { code, stdout } = await finished;
      expect(code).toBe(exitCode);
      expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', exit_code: exitCode, tool_calls: 1 });
      expect(runs(Number(place.read('pid')))).toBe(false);
      expect(place.has('second.txt')).toBe(false);
      const { messages } = JSON.parse(place.read('t.json')) as { messages: { content: unknown[] }[] };
      expect(messages.at(-1)?.content).toHaveLength(2);
    },
  );
});

describe('a terminal that is closed', () => {
  it.each(['text', 'json'])('ends the run in order, and Node does not abort for it (%s)', async (format) => {
    place.write('s.json', [
      { calls: [{ name: 'bash', input: { command: 'echo $$ > pid; sleep 30' } }] },
      { text: 'x' },
    ]);
    expect(await place.hangUp(runIn(format), 'pid')).toBe(143);
    expect(runs(Number(place.read('pid')))).toBe(false);
    expect(JSON.parse(place.read('t.json'))).toMatchObject({ status: 'cancelled' });
  });
});

describe('a second Ctrl-C', () => {
  it('leaves at once where a tool does not let go', async () => {
    const deaf = "fs.writeFileSync('begun', ''); return new Promise((done) => setTimeout(done, 30_000));";
    place.write('tools.mjs', `import fs from 'node:fs'; ${toolModule(`run: () => { ${deaf} }`)}`);
    place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
    place.write('s.json', [{ calls: [{ name: 'mine' }] }]);
    const { child, finished } = place.start([
      'run',
      '--agent',
      'a.md',
      '--script',
      's.json',
      '--output-format',
      'json',
      't',
    ]);
    await place.until(() => place.has('begun'));
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const begun = performance.now();
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'cancelled',
      exit_code: 130,
      run_id: expect.any(String),
    });
  });
});
