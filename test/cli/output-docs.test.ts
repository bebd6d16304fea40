/** docs/output.md says what programs get: each field and each line that there is, and no other. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash } from './resumes.ts';
import { Place } from './support.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/output.md'), 'utf8');
/** The rows of the table below a heading. */
const rowsOf = (heading: string): string[][] => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
};
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const run = async (script: readonly object[], ...flags: string[]) => {
  place.write('s.json', script);
  const { stdout } = await place.pawl(['run', '--script', 's.json', ...flags, 't']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

const fieldsOf = (value: unknown): string[] => Object.keys(value as object).sort();
const detailsOf = (field: string): string[] =>
  rowsOf('The result')
    .flatMap(([name, what]) => (name === `\`${field}\`` ? namesIn(what) : []))
    .sort();

describe('the result', () => {
  it('has the fields that are described, whether the run has ended or waits', async () => {
    const asks = bash('true', 'toolu_1');
    const [denied = {}] = await run([asks, { text: 'ok' }], '--output-format', 'json');
    const [waiting = {}] = await run([asks], '--output-format', 'json', '--on-ask', 'suspend');
    const described = rowsOf('The result')
      .flatMap(([names]) => namesIn(names))
      .sort();
    for (const result of [denied, waiting]) expect(fieldsOf(result)).toEqual(described);
    expect(fieldsOf(denied.usage)).toEqual(detailsOf('usage'));
    expect(fieldsOf(denied.counters)).toEqual(detailsOf('counters'));
    expect(fieldsOf((denied.denials as object[])[0])).toEqual(detailsOf('denials'));
    expect(fieldsOf((waiting.waiting as object[])[0])).toEqual(detailsOf('waiting'));
  });

  it('and all else that tells a cost says null where no price is known', async () => {
    const lines = await run([{ text: 'ok' }], '--output-format', 'stream-json');
    const costs = lines.flatMap(({ record, cost_usd }) =>
      [(record as { costUsd?: unknown } | undefined)?.costUsd, cost_usd].filter((cost) => cost !== undefined),
    );
    expect(costs).toEqual([null, null, null]);
    for (const command of ['runs --json', 'show --json $(ls $PAWL_HOME/runs/*.jsonl)'])
      expect((await place.shell(`pawl ${command}`)).stdout).toContain('"cost_usd": null');
  });
});

describe('a line of stream-json', () => {
  it('has its type, the id of the run and the fields that are described', async () => {
    const broken = { fault: 'cut', text: 'Half' };
    const lines = await run(
      [broken, bash('true'), { text: 'ok' }],
      ...['--yes', '--output-format', 'stream-json', '--include-partial'],
    );
    const [first] = lines;
    expect(first).toMatchObject({
      type: 'record',
      journal: expect.any(String),
      record: { type: 'run.started', task: 't' },
    });
    expect(new Set(lines.map(({ run_id }) => run_id)).size).toBe(1);
    const described = new Map(
      rowsOf('Lines of `stream-json`').map(([type, fields]) => [namesIn(type)[0], namesIn(fields)]),
    );
    for (const line of lines.slice(1, -1))
      expect(fieldsOf(line)).toEqual(
        ['type', 'run_id', ...(described.get(String(line.type)) ?? ['?'])].sort(),
      );
    expect(lines.at(-1)?.type).toBe('result');
    const seen = new Set(lines.map(({ type }) => type));
    expect([...described.keys()].filter((type) => !seen.has(type))).toEqual(['notice']);
  });
});
