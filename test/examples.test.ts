import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const example = (name: string) =>
  execFileSync(process.execPath, ['--import', 'tsx', `examples/${name}`], { cwd: root, encoding: 'utf8' });

it('own-jobs.ts: the machine runs on four jobs that somebody else wrote', () => {
  expect(example('own-jobs.ts').trim().split('\n')).toEqual([
    '{"asking":"requesting"}',
    '{"persisting":"response"}',
    '{"validating":"reviewing"}',
    '{"executing":"running"}',
    '{"executing":"running"}',
    '{"persisting":"results"}',
    '{"asking":"requesting"}',
    '{"persisting":"response"}',
    '"answered"',
    '3 records',
  ]);
});
