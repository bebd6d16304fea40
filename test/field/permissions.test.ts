/** Rules that let more through than they say, links that lead out, answers that reach the wrong call. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ApprovalRequest, type Approver, allowAll, rulesPolicy } from '../../src/index.ts';
import { call, calls, place, play, resultsIn, says } from './support.ts';

const shell = (id: string, command: string) => call(id, 'bash', { command });

describe('a rule for one command', () => {
  const policy = rulesPolicy({ allow: ['bash(git status)', 'bash(ls)'], deny: ['bash(rm)'] });

  it.each([
    'git status && touch pwned',
    'ls; touch pwned',
    'ls | tee pwned',
    'git status || touch pwned',
    'cd . && rm keep',
    'git statusfoo',
    'lsof -i',
    'ls & touch pwned',
  ])('lets nothing else through: %s', async (command) => {
    const at = place();
    at.write('keep', '');
    const { outcome, server } = await play([calls(shell('toolu_bh1', command)), says('ok')], {
      at,
      options: { policy },
    });
    expect(outcome.denials).toMatchObject([{ callId: 'toolu_bh1', tool: 'bash' }]);
    expect(resultsIn(server, 2)).toMatchObject([
      { is_error: true, content: expect.stringMatching(/^Denied/) },
    ]);
    expect(existsSync(path.join(at.folder, 'pwned'))).toBe(false);
    expect(existsSync(path.join(at.folder, 'keep'))).toBe(true);
  });

  it.each(['cd . && rm keep', 'rm keep', 'ls && rm -rf keep'])(
    'that denies it denies all that contains it, with nobody asked: %s',
    async (command) => {
      const at = place();
      at.write('keep', '');
      const asked: ApprovalRequest[] = [];
      const approver: Approver = {
        ask: async (request) => {
          asked.push(request);
          return { granted: true };
        },
      };
      const { records } = await play([calls(shell('toolu_bh2', command)), says('ok')], {
        at,
        options: { policy, approver },
      });
      expect(asked).toEqual([]);
      expect(existsSync(path.join(at.folder, 'keep'))).toBe(true);
      expect(records.find(({ type }) => type === 'calls.reviewed')).toMatchObject({
        verdicts: [{ verdict: 'refuse', denied: true, rule: 'deny bash(rm) from the options' }],
      });
    },
  );

  it.each(['git status', 'ls', 'ls && git status'])('lets that run: %s', async (command) => {
    const { outcome } = await play([calls(shell('toolu_bh3', command)), says('ok')], { options: { policy } });
    expect(outcome.denials).toEqual([]);
  });
});

describe('a path that leads outside the work folder', () => {
  it.each([
    ['all is allowed', allowAll],
    [
      'rules allow all',
      rulesPolicy({ allow: ['read_file', 'write_file', 'read_file(**)', 'write_file(**)'], mode: 'bypass' }),
    ],
  ])('is refused even where %s; one that stays inside works', async (_, policy) => {
    const at = place();
    const outside = `${at.folder}-outside`;
    const evil = `${at.folder}-evil`;
    onTestFinished(() => {
      for (const folder of [outside, evil]) rmSync(folder, { recursive: true });
    });
    for (const folder of [outside, evil, ...['inner', 'a'].map((name) => path.join(at.folder, name))])
      mkdirSync(folder);
    writeFileSync(path.join(outside, 'file'), 'secret\n');
    symlinkSync(outside, path.join(at.folder, 'outbox'));
    symlinkSync('inner', path.join(at.folder, 'alias'));
    const { server } = await play(
      [
        calls(
          call('toolu_bg1', 'write_file', { path: 'outbox/x', content: 'x' }),
          call('toolu_bg2', 'read_file', { path: 'outbox/file' }),
          call('toolu_bg3', 'read_file', { path: `a/../../${path.basename(outside)}/file` }),
          call('toolu_bg4', 'read_file', { path: '/etc/hostname' }),
          call('toolu_bg5', 'write_file', { path: `../${path.basename(evil)}/y`, content: 'y' }),
          call('toolu_bg6', 'write_file', { path: 'alias/ok.txt', content: 'ok' }),
        ),
        says('ok'),
      ],
      { at, options: { policy } },
    );
    const results = resultsIn(server, 2);
    expect(results.map(({ is_error }) => is_error === true)).toEqual([true, true, true, true, true, false]);
    expect(JSON.stringify(results)).not.toContain('secret\\n');
    expect([path.join(outside, 'x'), path.join(evil, 'y')].map((file) => existsSync(file))).toEqual([
      false,
      false,
    ]);
    expect(at.read('inner/ok.txt')).toBe('ok');
  });
});

describe('calls of one reply that need an answer', () => {
  it.each([[[false, true]], [[true, false]], [[false, true, false]], [[true, false, true]]])(
    'get each its own, and nothing runs before it: %j',
    async (answers) => {
      const at = place();
      const names = answers.map((_, index) => `${index}.txt`);
      const seen: string[] = [];
      const approver: Approver = {
        ask: async ({ callId, input }) => {
          const { command } = input as { command: string };
          const index = seen.length;
          seen.push(`${callId} ${command}`);
          expect(names.some((name, later) => later >= index && existsSync(path.join(at.folder, name)))).toBe(
            false,
          );
          return answers[index] ? { granted: true } : { granted: false, reason: `no to ${callId}` };
        },
      };
      const uses = names.map((name, index) => shell(`toolu_bk${index}`, `echo ${index} > ${name}`));
      const { server } = await play([calls(...uses), says('ok')], {
        at,
        options: { policy: rulesPolicy(), approver },
      });
      expect(seen).toEqual(names.map((name, index) => `toolu_bk${index} echo ${index} > ${name}`));
      expect(names.map((name) => existsSync(path.join(at.folder, name)))).toEqual(answers);
      expect(resultsIn(server, 2)).toMatchObject(
        answers.map((granted, index) =>
          granted
            ? { tool_use_id: `toolu_bk${index}`, content: expect.stringContaining('exit_code=0') }
            : { tool_use_id: `toolu_bk${index}`, content: `no to toolu_bk${index}`, is_error: true },
        ),
      );
    },
  );
});
