/** The pages beside the README: what they show of the code is in the code. Their commands are run in a longer test. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readExample } from '../examples/scenarios.ts';
import { DEFAULT_LIMITS } from '../machines/limits.ts';
import { END_STATUSES, OTHER_EXIT_CODES } from '../machines/status.ts';
import { fill, PAGES } from '../scripts/docs.ts';
import type { RecordType } from '../src/journal/record.ts';
import { blocksOf, pageNames, readPage, root, shell } from './helpers/pages.ts';

const base = mkdtempSync(path.join(tmpdir(), 'pawl-docs-'));
afterAll(() => rmSync(base, { recursive: true }));

describe.each(pageNames())('%s', (name) => {
  const page = readPage(name);

  it('names examples and cases that there are, behind npm run examples', () => {
    for (const [, words = ''] of page.matchAll(/npm run examples --([^`#\n]*)/g)) {
      const [example = '', scenario] = words.split(' ').filter((word) => word !== '' && word !== '--live');
      const { scenarios } = readExample(example);
      if (scenario !== undefined) expect(Object.keys(scenarios)).toContain(scenario);
    }
  });

  it('leads to files that there are', () => {
    const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const missing = links.filter((link) => !existsSync(path.join(root, path.dirname(name), link)));
    expect(missing).toEqual([]);
  });
});

it.each(Object.entries(PAGES).filter(([name]) => name.startsWith('docs/')))(
  '%s shows what the code has',
  (name, parts) => {
    const page = readPage(name);
    expect(fill(page, parts)).toBe(page);
  },
);

const RECORDS: Record<RecordType, true> = {
  'run.started': true,
  'run.resumed': true,
  'prompt.measured': true,
  'attempt.failed': true,
  'reply.received': true,
  'nudge.recorded': true,
  'calls.reviewed': true,
  'approval.granted': true,
  'approval.denied': true,
  'tool.started': true,
  'file.kept': true,
  'tool.finished': true,
  'results.recorded': true,
  'run.closing': true,
  'summary.received': true,
  'check.finished': true,
  'repair.started': true,
  'run.ended': true,
};

it('docs/output.md tells of every record that there is', () => {
  const [, table = ''] = readPage('docs/output.md').split('## Records');
  for (const type of Object.keys(RECORDS)) expect(table.split('## The result')[0]).toContain(`\`${type}\``);
});

describe('the tutorial', () => {
  it('shows code that is in the files which it is about, and is run in the tests of the example', () => {
    const files = ['examples/run-main/three-functions.ts', 'machines/loop.machine.ts'];
    const sources = files.map((file) => readFileSync(path.join(root, file), 'utf8'));
    const blocks = blocksOf(readPage('docs/tutorial.md'), 'ts');
    expect(blocks).toHaveLength(4);
    for (const block of blocks)
      expect(
        sources.some((source) => source.includes(block)),
        block,
      ).toBe(true);
  });
});

describe('limits and statuses', () => {
  const page = readPage('docs/limits-and-statuses.md');

  it('says of every status and every other exit code what to do', () => {
    const rows = page.slice(page.indexOf('| status | what is on record')).split('\n\n')[0] ?? '';
    const told = rows
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, one]) => one));
    expect(told.sort()).toEqual(Object.keys({ ...END_STATUSES, ...OTHER_EXIT_CODES }).sort());
  });

  it('has the limits that hold if nothing is said', () => {
    const { maxTurns, maxRepeats, maxOutputTokens, maxRetries } = DEFAULT_LIMITS;
    for (const [limit, value] of Object.entries({
      '`--max-turns`': `${maxTurns} replies`,
      '`--max-output-tokens`': `${maxOutputTokens} tokens`,
      '`--max-retries`': String(maxRetries),
      '`stuck`': `${maxRepeats} times`,
    }))
      expect(page.split('\n').find((row) => row.startsWith('|') && row.includes(limit))).toContain(
        `| ${value} |`,
      );
  });

  it('names flags that there are', async () => {
    const { stdout } = await shell(
      'npx pawl run --help; npx pawl resume --help; npx pawl fork --help; npx pawl deny --help',
      path.join(base, 'help'),
      root,
    );
    const named = new Set([...page.matchAll(/`[^`]*?(--[a-z][a-z-]+)/g)].map(([, flag = '']) => flag));
    expect([...named].filter((flag) => !stdout.includes(flag))).toEqual([]);
  });
});

it('the layers of the architecture lie where its table says', () => {
  const page = readPage('ARCHITECTURE.md');
  const table = page.slice(page.indexOf('## Layers'), page.indexOf('## Rooms'));
  const places = [...table.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place);
  expect(places.length).toBeGreaterThan(15);
  const found = (place: string) =>
    ['', 'src/tools', 'src/actors'].some((room) => existsSync(path.join(root, room, place)));
  expect(places.filter((place) => !found(place))).toEqual([]);
});
