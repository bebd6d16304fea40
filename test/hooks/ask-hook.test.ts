import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askHook, concerns } from '../../src/hooks/ask-hook.ts';
import type { CallFacts, Hook } from '../../src/hooks/hook.ts';

const facts: CallFacts = {
  runId: 'a-run',
  workspace: '/somewhere',
  turn: 1,
  callId: 'a',
  tool: 'bash',
  input: { command: 'ls' },
};
const { signal } = new AbortController();
const ask = (run: Hook<CallFacts>['run'], more: Partial<Hook<CallFacts>> = {}, abort = signal) =>
  askHook({ name: 'guard', run, ...more }, facts, abort);

describe('a hook', () => {
  it('is told the facts, and that it has nothing to say lets the call go on', async () => {
    const seen: unknown[] = [];
    expect(await ask((told) => void seen.push(told))).toBeUndefined();
    expect(seen).toEqual([facts]);
  });

  it('may say something, at once or later', async () => {
    const said = { hook: 'guard', kind: 'said', text: 'not here' };
    expect(await ask(() => 'not here')).toEqual(said);
    expect(await ask(async () => 'not here')).toEqual(said);
    expect(await ask(() => 'a\ud800')).toMatchObject({ text: 'a\ufffd' });
    expect((await ask(() => 'x'.repeat(20_000)))?.text.length).toBeLessThan(10_100);
  });

  it.each<[string, Hook<CallFacts>['run'], string]>([
    ['throws', () => Promise.reject(new Error('broken')), 'broken'],
    [
      'throws at once',
      () => {
        throw new Error('broken');
      },
      'broken',
    ],
    ['throws what is no error', () => Promise.reject('words'), 'words'],
    ['answers with no text', () => 5 as never, 'it answered with something that is no text'],
    ['answers with null', () => null as never, 'it answered with something that is no text'],
  ])('that %s has failed', async (_, run, text) => {
    expect(await ask(run)).toEqual({ hook: 'guard', kind: 'failed', text });
  });

  it('that takes too long has failed, and is told to stop', async () => {
    let stopped = false;
    const hang = (_: CallFacts, own: AbortSignal) =>
      new Promise<undefined>(() => {
        own.addEventListener('abort', () => {
          stopped = true;
        });
      });
    expect(await ask(hang, { timeoutMs: 30 })).toMatchObject({
      kind: 'failed',
      text: 'it took longer than 0.03 s',
    });
    expect(stopped).toBe(true);
  });

  it('ends when the run is stopped, and is not begun after that', async () => {
    const controller = new AbortController();
    const asked = ask(() => new Promise<undefined>(() => {}), {}, controller.signal);
    controller.abort(new Error('stopped'));
    expect(await asked).toMatchObject({ kind: 'failed', text: 'stopped' });
    let begun = false;
    await ask(
      () => {
        begun = true;
        return undefined;
      },
      {},
      controller.signal,
    );
    expect(begun).toBe(false);
  });
});

describe('the tools that a hook is asked about', () => {
  it.each([
    [undefined, 'bash', true],
    [[], 'bash', false],
    [['bash'], 'bash', true],
    [['bash'], 'bash2', false],
    [['read_file', 'bash'], 'bash', true],
    [['*'], '', true],
    [['*_file'], 'read_file', true],
    [['*_file'], 'read_files', false],
    [['mcp__*'], 'mcp__a__b', true],
    [['mcp__*__write'], 'mcp__a__write', true],
    [['mcp__*__write'], 'mcp__write', false],
    [['a*a'], 'a', false],
    [['a*b*c'], 'aXbYc', true],
    [['a*b*c'], 'acb', false],
    [['**'], 'x', true],
    [['.*'], 'bash', false],
  ])('are those of %j: %s is %s', (tools, tool, expected) => {
    expect(concerns(tools === undefined ? {} : { tools }, tool)).toBe(expected);
  });

  it('are found as a regular expression finds them', () => {
    const some = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 7 });
    fc.assert(
      fc.property(some('ab*'), some('ab'), (pattern, name) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
        expect(concerns({ tools: [pattern] }, name)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
