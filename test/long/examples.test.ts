import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { exampleNames, readExample } from '../../examples/scenarios.ts';

it('npm run examples plays every case of every example, and each comes to what it should', () => {
  const table = execFileSync('npm', ['run', '--silent', 'examples'], { encoding: 'utf8' });
  const cases = exampleNames().flatMap((name) => Object.keys(readExample(name).scenarios));
  expect(table.match(/ ✓ /g)).toHaveLength(cases.length);
  expect(table).not.toContain('✗');
}, 180_000);
