import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { askHook } from '../../src/hooks/ask-hook.ts';
import { commandHook } from '../../src/hooks/command-hook.ts';
import type { CallFacts, ResultFacts } from '../../src/hooks/hook.ts';
import { localSandbox } from '../../src/sandbox/process.ts';
import { workspace } from '../tools/support.ts';

const { signal } = new AbortController();

async function asked(command: string, more: Partial<ResultFacts> = {}, timeoutMs = 20_000) {
  const w = await workspace();
  const facts: CallFacts = {
    runId: 'a-run',
    workspace: w.root,
    turn: 2,
    callId: 'c1',
    tool: 'bash',
    input: { command: 'rm "a b" $HOME' },
    ...more,
  };
  const sandbox = localSandbox({ environment: { ...process.env, ANTHROPIC_API_KEY: 'sk-secret' } });
  const hook = commandHook({ name: 'guard', command, timeoutMs }, sandbox);
  return { answer: await askHook(hook, facts, signal), ...w };
}

describe('a command as a hook', () => {
  it('finds the facts on its standard input, in the workspace, and no key in its environment', async () => {
    const { path, answer, root } = await asked('cat > facts.json; env > env.txt');
    expect(answer).toBeUndefined();
    expect(JSON.parse(readFileSync(path('facts.json'), 'utf8'))).toEqual({
      hook: 'beforeCall',
      run_id: 'a-run',
      workspace: root,
      turn: 2,
      call_id: 'c1',
      tool: 'bash',
      input: { command: 'rm "a b" $HOME' },
    });
    expect(readFileSync(path('env.txt'), 'utf8')).not.toContain('sk-secret');
  });

  it('is told the result after a call', async () => {
    const { path } = await asked('cat > facts.json', { result: 'done', isError: false });
    expect(JSON.parse(readFileSync(path('facts.json'), 'utf8'))).toMatchObject({
      hook: 'afterCall',
      result: 'done',
      is_error: false,
    });
  });

  it.each([
    ['exit 0, whatever it prints', 'echo no; echo no >&2; exit 0', undefined],
    ['without reading what it is told', 'exec <&-; exit 0', undefined],
    ['exit 2 with a reason', 'echo out; echo "not here" >&2; exit 2', { kind: 'said', text: 'not here' }],
    [
      'exit 2 with a reason on standard output',
      'echo "not here"; exit 2',
      { kind: 'said', text: 'not here' },
    ],
    ['exit 2 without a reason', 'exit 2', { kind: 'said', text: 'it gave no reason' }],
    ['exit 1', 'echo broken >&2; exit 1', { kind: 'failed', text: 'exit code 1: broken' }],
    [
      'a command that is not there',
      'no-such-program',
      { kind: 'failed', text: expect.stringMatching(/^exit code 127/) },
    ],
    ['a signal', 'kill -9 $$', { kind: 'failed', text: 'it was killed by SIGKILL' }],
  ])('ends with %s', async (_, command, expected) => {
    const { answer } = await asked(command);
    if (expected === undefined) expect(answer).toBeUndefined();
    else expect(answer).toEqual({ hook: 'guard', ...expected });
  });

  it('takes an input larger than a pipe holds, read or not', async () => {
    const input = { content: 'x'.repeat(2_000_000) };
    expect((await asked('wc -c > size', { input })).answer).toBeUndefined();
    expect((await asked('exit 0', { input })).answer).toBeUndefined();
  });

  it('that hangs is killed at its time limit, with what it has started', async () => {
    const { answer, path } = await asked('(sleep 1; touch late) & sleep 60', {}, 300);
    expect(answer).toMatchObject({ kind: 'failed', text: 'it took longer than 0.3 s' });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(existsSync(path('late'))).toBe(false);
  });
});
