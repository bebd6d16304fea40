import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { EXPORT_PAGE, PAGE_FOLDER } from '../../src/inspector/pages.ts';

const read = (name: string) => readFileSync(path.join(PAGE_FOLDER, name));
const sizeOf = (name: string) => gzipSync(read(name), { level: 9 }).length;
const sum = (names: readonly string[]) => names.map(sizeOf).reduce((all, size) => all + size, 0);

/** What a run's page loads before it is seen. */
const AT_FIRST = ['favicon.svg', 'index.html', 'page.js', 'style.css'];
const BUDGET_BYTES = { atFirst: 60_000, inAll: 80_000, exported: 64_000 };

it('the page of a run is less than 60,000 bytes on its way', () => {
  expect(sum(AT_FIRST)).toBeLessThan(BUDGET_BYTES.atFirst);
});

it('all of the page, with what is loaded when it is wanted, and an exported one stay under their budgets', () => {
  const names = readdirSync(PAGE_FOLDER).filter((name) => name !== EXPORT_PAGE);
  const later = [
    'add-style.js',
    'approvals.js',
    'compare.js',
    'demo.js',
    'details.js',
    'export-svg.js',
    'figures.js',
    'run-list.js',
  ];
  expect(names.sort()).toEqual([...AT_FIRST, ...later].sort());
  expect(sum(names)).toBeLessThan(BUDGET_BYTES.inAll);
  expect(sizeOf(EXPORT_PAGE)).toBeLessThan(BUDGET_BYTES.exported);
});

it('names no address of another server', () => {
  const addresses = readdirSync(PAGE_FOLDER).flatMap((name) =>
    [
      ...read(name)
        .toString()
        .matchAll(/https?:\/\/[\w.-]+/g),
    ].map(([found]) => found),
  );
  // Namespaces, which nothing is fetched from.
  expect([...new Set(addresses)].filter((one) => one !== 'http://www.w3.org')).toEqual([]);
});
