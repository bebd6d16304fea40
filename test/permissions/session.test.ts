import { describe, expect, it } from 'vitest';
import { askForEffects, type Policy } from '../../src/permissions/policy.ts';
import { Session, sessionRule } from '../../src/permissions/session.ts';

const bash = (command: string, more: object = {}) =>
  ({ tool: 'bash', input: { command, ...more }, effect: 'effectful', workspace: '/w' }) as const;
const write = (path: string) =>
  ({ tool: 'write_file', input: { path, content: '' }, effect: 'idempotent', workspace: '/w' }) as const;

describe('what a person has allowed for the session', () => {
  it('is this very call, and no other of the tool', async () => {
    const session = new Session();
    session.allow(bash('npm test', { timeout: 5 }));
    const { decide } = session.over(askForEffects);
    expect(await decide(bash('npm test', { timeout: 5 }))).toEqual({
      decision: 'allow',
      rule: 'always: bash(npm test)',
    });
    for (const other of [
      bash('npm test'),
      bash('npm test && rm -rf .', { timeout: 5 }),
      { ...bash('npm test', { timeout: 5 }), tool: 'run_python' },
    ])
      expect((await decide(other)).decision).toBe('ask');
  });

  it('is every edit of the file, and of no other', async () => {
    const session = new Session();
    session.allow(write('a.txt'));
    const { decide } = session.over(askForEffects);
    const again = { ...write('a.txt'), input: { path: 'a.txt', content: 'other' } };
    expect(await decide(again)).toEqual({ decision: 'allow', rule: 'always: write_file(a.txt)' });
    expect((await decide(write('b.txt'))).decision).toBe('ask');
    expect((await decide({ ...write('a.txt'), tool: 'edit_file' })).decision).toBe('ask');
  });

  it('does not lift what is denied, and takes no name from what is allowed anyway', async () => {
    const session = new Session();
    session.allow(write('a.txt'));
    const deny: Policy = { decide: () => ({ decision: 'deny', rule: 'none', reason: 'no' }) };
    const allow: Policy = { decide: () => ({ decision: 'allow', rule: 'all' }) };
    expect((await session.over(deny).decide(write('a.txt'))).decision).toBe('deny');
    expect(await session.over(allow).decide(write('a.txt'))).toEqual({ decision: 'allow', rule: 'all' });
  });

  it('has a name of bounded length, in whole characters', () => {
    const rule = sessionRule(bash('😀'.repeat(300)));
    expect(rule.length).toBeLessThan(220);
    expect(rule.isWellFormed()).toBe(true);
    expect(sessionRule({ tool: 'other', input: { a: 1 } })).toBe('other({"a":1})');
    expect(sessionRule({ tool: 'other', input: undefined })).toBe('other()');
  });
});
