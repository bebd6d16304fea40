import { describe, expect, it } from 'vitest';
import { positiveWhole } from '../../src/cli/numbers.ts';

describe('a limit on the command line', () => {
  it.each([
    ['1', 1],
    ['20', 20],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is a positive whole number', (text, value) => {
    expect(positiveWhole('--max-turns', text)).toBe(value);
  });

  it.each([
    '0',
    '-1',
    '+5',
    '1.5',
    '1e3',
    '',
    ' ',
    ' 5',
    '0x10',
    '007',
    '1_000',
    '1,000',
    '٣',
    'NaN',
    'Infinity',
  ])('%j is refused, naming the flag and what was given', (text) => {
    expect(() => positiveWhole('--max-turns', text)).toThrow(
      `--max-turns must be a positive whole number such as 20, not ${JSON.stringify(text)}.`,
    );
  });

  it.each(['9007199254740992', '99999999999999999999'])('%s, beyond exact numbers, is refused', (text) => {
    expect(() => positiveWhole('--token-budget', text)).toThrow('at most 9007199254740991');
  });

  it('has a largest value where the flag has one', () => {
    expect(() => positiveWhole('--tool-timeout', '11', 10)).toThrow(
      '--tool-timeout must be at most 10, not 11.',
    );
  });
});
