/** Two processes that are started on one run at the same moment, again and again. */
import { copyFileSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import { bash, RunPlace } from '../cli/resumes.ts';

export async function contest(rounds: number): Promise<void> {
  const place = new RunPlace();
  try {
    const left = await place.interrupted([]);
    place.write('s.json', [
      bash('echo run >> log.txt; while [ ! -e go ]; do sleep 0.02; done'),
      { text: 'done' },
    ]);
    for (let round = 1; round <= rounds; round += 1) await onceMore(place, left, `round-${round}`);
  } finally {
    place.remove();
  }
}

/** The one that works stays until the other has ended, so they always meet. */
async function onceMore(place: RunPlace, left: string, id: string): Promise<void> {
  for (const name of ['log.txt', 'go']) rmSync(place.file(name), { force: true });
  copyFileSync(place.journal(left), place.journal(id));
  place.rewrite(id, (record) => (record.type === 'run.started' ? { ...record, runId: id } : record));
  const both = [1, 2].map(() => place.start(['resume', id, '--yes', '--output-format', 'json']));
  const ended = await Promise.race(both.map(async ({ finished }, at) => ({ at, ...(await finished) })));
  const other = both[1 - ended.at];
  expect(ended).toMatchObject({
    code: 50,
    stderr: expect.stringContaining(`the run ${id} is held by process ${other?.child.pid} `),
  });
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'journal_error', exit_code: 50, run_id: id });
  place.write('go', '');
  const { code, stdout } = (await other?.finished) ?? { code: null, stdout: '' };
  expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', result: 'done' });
  expect(code).toBe(0);
  expect(place.read('log.txt')).toBe('run\n');
  expect(place.types(id).filter((type) => type === 'run.resumed')).toHaveLength(1);
}
