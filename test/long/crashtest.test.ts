/** `pawl crashtest` on runs with many instants. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from '../cli/resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
  mkdirSync(path.join(place.base, 'tmp'));
});
afterEach(() => place.remove());

async function report(...args: readonly string[]) {
  const { stdout, stderr } = await place.start(
    ['crashtest', '--script', 's.json', '--json', ...args, 'the task'],
    { TMPDIR: path.join(place.base, 'tmp') },
  ).finished;
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { readonly instants: number };
}

const NOTHING_FOUND = {
  type: 'crashtest',
  exit_code: 0,
  effects_done_twice: 0,
  lost_records: 0,
  refused_histories: 0,
  differing_ends: 0,
  failures: [],
};

describe('a sound run has nothing done twice, lost, refused or ended otherwise, at any instant', () => {
  it('with reads side by side, effects, refused calls and a failed request; the workspace stays as it was', async () => {
    place.write('s.json', [
      {
        calls: [
          { name: 'list_files', input: { path: '.' } },
          { name: 'read_file', input: { path: 'a.txt' } },
          { name: 'bash', input: { command: 'echo one >> a.txt' } },
          { name: 'nothing', input: {} },
        ],
      },
      { fault: { status: 529, retry_after: 0.01 } },
      bash('echo two >> a.txt; cat a.txt'),
      { text: 'done' },
    ]);
    place.write('a.txt', 'zero\n');
    const before = place.files;
    const found = await report();
    expect(found).toMatchObject({ ...NOTHING_FOUND, status: 'answered' });
    expect(found.instants).toBeGreaterThan(40);
    expect(place.read('a.txt')).toBe('zero\n');
    expect(place.files).toEqual(before);
  });

  it.each([
    ['max_turns', ['--max-turns', '1']],
    ['max_tool_calls', ['--max-tool-calls', '1']],
    ['token_budget', ['--token-budget', '4']],
  ])('also where it ends at a limit (%s)', async (status, flags) => {
    place.write(
      's.json',
      [bash('true'), bash('true'), { text: 'so far' }].slice(status === 'max_turns' ? 1 : 0),
    );
    expect(await report(...flags)).toMatchObject({ ...NOTHING_FOUND, status });
  });

  it('also where it pauses, is cut and is asked again', async () => {
    place.write('s.json', [
      { content: [{ type: 'server_tool_use', id: 's', name: 'web_search' }], stop_reason: 'pause_turn' },
      {
        content: [
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
          { type: 'tool_use', id: 'b', name: 'bash', input: { command: 'true' } },
        ],
      },
      { text: 'half', stop_reason: 'max_tokens' },
      { text: 'done' },
    ]);
    expect(await report()).toMatchObject({ ...NOTHING_FOUND, status: 'answered' });
  });
});
