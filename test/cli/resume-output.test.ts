/** What `pawl resume` writes: the answer, the documents for scripts, the exit code. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from './resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

describe('standard output', () => {
  it('is the answer alone', async () => {
    await place.run([{ text: 'one' }, { text: 'two' }]);
    expect(await place.resume('--last', 'more')).toMatchObject({ code: 0, stdout: 'two\n' });
  });

  it('is one document with --output-format json: the same run, all turns, notices on standard error', async () => {
    const { run_id, journal } = await place.run([bash('true'), { text: 'one' }, { text: 'two' }]);
    const ending = await place.resumed('--last', 'more');
    expect(ending).toMatchObject({
      type: 'result',
      status: 'answered',
      exit_code: 0,
      result: 'two',
      run_id,
      num_turns: 3,
      tool_calls: 1,
      usage: { input_tokens: 3, output_tokens: 3 },
      errors: [],
      journal,
    });
    expect(ending.stderr).toMatch(/^pawl: The run was started with --yes\.[^\n]*\n$/);
  });

  it('is a document a line with stream-json: notices, then run.resumed, then what follows, the result last', async () => {
    const { run_id, journal } = await place.run([{ text: 'one' }, { text: 'two' }]);
    const { stdout } = await place.resume('--last', 'more', '--output-format', 'stream-json');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; run_id: string; event?: string });
    const first = lines.findIndex(({ type }) => type !== 'notice');
    expect(lines[0]).toMatchObject({ type: 'notice', text: expect.stringContaining('--yes') });
    expect(lines[first]).toMatchObject({
      type: 'record',
      run_id,
      journal,
      record: { type: 'run.resumed', instruction: 'more' },
    });
    expect(lines.every((line) => line.run_id === run_id)).toBe(true);
    expect(lines.slice(first + 1, -1).every(({ type }) => ['record', 'transition'].includes(type))).toBe(
      true,
    );
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'answered', run_id });
  });

  it('is followed by a transcript of the whole run, where one is wanted', async () => {
    await place.run([{ text: 'one' }, { text: 'two' }]);
    await place.resume('--last', 'more', '--transcript', 't.json');
    expect((JSON.parse(place.read('t.json')) as { messages: object[] }).messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'one' }] },
      { role: 'user', content: [{ text: 'more' }] },
      { role: 'assistant', content: [{ text: 'two' }] },
    ]);
  });
});

describe('the exit code', () => {
  it.each([
    ['answered', 0, [{ text: 'two' }], []],
    ['max_turns', 10, [bash('true')], ['--max-turns', '2']],
    ['refused', 20, [{ content: [], stop_reason: 'refusal' }], []],
    ['model_error', 25, [], []],
  ] as const)('is that of the status: %s is %i', async (status, exitCode, more, flags) => {
    await place.run([{ text: 'one' }, ...more]);
    const { code, stdout } = await place.resume('--last', 'm', '--output-format', 'json', '--yes', ...flags);
    expect(JSON.parse(stdout)).toMatchObject({ status, exit_code: exitCode });
    expect(code).toBe(exitCode);
  });

  it('is 130 where a run that goes on is cancelled, and it can be gone on with once more', async () => {
    await place.run([{ text: 'one' }, bash('touch begun; sleep 30'), { text: 'three' }]);
    const { child, finished } = place.start(['resume', '--last', 'more', '--yes']);
    await place.until(() => place.has('begun'));
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    expect(await place.resume('--last', '--yes')).toMatchObject({ code: 0, stdout: 'three\n' });
  });
});
