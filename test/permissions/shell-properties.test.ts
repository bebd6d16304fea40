import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODES } from '../../src/permissions/mode.ts';
import { spelt, surrounded } from './shells.ts';
import { decisionOn } from './support.ts';

const RUNS = { numRuns: 500 };

describe('a denied command', () => {
  it('is never allowed, whatever the shell puts around it, and whatever else is allowed', async () => {
    await fc.assert(
      fc.asyncProperty(surrounded(spelt('rm', 'keep')), fc.constantFrom(...MODES), async (command, mode) => {
        const allow = ['bash', 'write_file'];
        expect(await decisionOn({ allow, deny: ['bash(rm)'], mode }, command)).not.toBe('allow');
      }),
      RUNS,
    );
  });

  it('is denied, and not only asked about, where all around it is understood', async () => {
    await fc.assert(
      fc.asyncProperty(surrounded(fc.constant('rm keep'), 3), async (command) => {
        expect(await decisionOn({ deny: ['bash(rm)'], mode: 'bypass' }, command)).toBe('deny');
      }),
      RUNS,
    );
  });
});

describe('an allow rule', () => {
  const programs = [
    'ls',
    'echo',
    'bash',
    'sh',
    'env',
    'timeout',
    'sudo',
    'nohup',
    'eval',
    'xargs',
    'find',
    'trap',
  ];
  const allow = programs.map((name) => `bash(${name} *)`);

  it('never allows a command of which one simple command is not covered', async () => {
    await fc.assert(
      fc.asyncProperty(surrounded(spelt('touch', 'pwned')), async (command) => {
        expect(await decisionOn({ allow }, command)).not.toBe('allow');
      }),
      RUNS,
    );
  });

  it('allows a list of commands exactly where it covers each of them', async () => {
    const simple = fc.constantFrom('ls', 'ls -la', 'echo a b', 'touch x', 'git status', 'lsof', './ls');
    const joint = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(simple, joint), { minLength: 1, maxLength: 5 }), async (list) => {
        const command = list.map(([text, end], at) => (at === list.length - 1 ? text : text + end)).join('');
        const isCovered = list.every(([text]) => /^(ls|echo)( |$)/.test(text));
        expect(await decisionOn({ allow }, command)).toBe(isCovered ? 'allow' : 'ask');
      }),
      RUNS,
    );
  });
});
