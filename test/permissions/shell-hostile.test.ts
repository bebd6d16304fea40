/** Texts that are made to exhaust whoever reads them. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/permissions/shell/analyse.ts';
import { decisionOn } from './support.ts';

const LENGTH = 100_000;
const filled = (piece: string): string => piece.repeat(Math.floor(LENGTH / piece.length));
const nested = (open: string, close: string): string =>
  open.repeat(2_000) + filled('x').slice(20_000) + close.repeat(2_000);

/** Of this process alone, whatever else the machine does. */
const secondsSince = (before: NodeJS.CpuUsage): number => process.cpuUsage(before).user / 1e6;

describe('a text that is endless, deep or torn', () => {
  it.each([
    ...[
      '$(',
      '$(a ',
      '(',
      '{ ',
      '"$(',
      `${'$'}{x:-`,
      '$((',
      '`',
      '<(',
      '<<A ',
      '[[ ( ',
      'if a; then ',
      'f(){ ',
      '@(',
      '! ',
    ],
    ...[
      ';',
      'a;',
      '|a',
      '\\',
      '{a,',
      '[',
      '"',
      "'",
      'a=(',
      '<<<',
      '>',
      'time ',
      'bash -c ',
      'sudo ',
      'eval ',
      'coproc ',
      'a<<"',
    ],
  ])('is given up in time, and never allowed: %j', async (piece) => {
    const before = process.cpuUsage();
    expect(await decisionOn({ allow: ['bash(a *)'] }, filled(piece))).not.toBe('allow');
    expect(secondsSince(before)).toBeLessThan(3);
  });

  it.each([
    ['$(', ')'],
    ['"$(', ')"'],
    ['(', ')'],
    ['{ ', '; }'],
    ['<(a ', ')'],
    ['$((', '))'],
    ['if a; then ', '; fi'],
  ])('is given up where it is complete, too: %j … %j', async (open, close) => {
    const before = process.cpuUsage();
    expect(await decisionOn({ allow: ['bash(a *)'] }, nested(open, close))).not.toBe('allow');
    expect(secondsSince(before)).toBeLessThan(3);
  });

  it('of 100,001 characters is not read at all', async () => {
    expect(await analyse('x'.repeat(LENGTH + 1))).toEqual([
      { is: 'unknown', text: expect.stringMatching(/^x{200}…$/), why: 'it is longer than 100000 characters' },
    ]);
    expect(await analyse(`echo ${'x'.repeat(LENGTH - 10)}`)).toMatchObject([{ is: 'command' }]);
  });

  it('still has what is denied in front of it denied', async () => {
    expect(await decisionOn({ deny: ['bash(rm)'], mode: 'bypass' }, `rm x; ${filled('a;').slice(20)}`)).toBe(
      'deny',
    );
  });
});
