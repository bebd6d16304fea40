import { describe, expect, it } from 'vitest';
import { type RulesPolicyOptions, rulesPolicy } from '../../src/index.ts';
import { MODES, type Mode } from '../../src/permissions/mode.ts';
import { folderWith, judge } from './support.ts';

const CALLS: Readonly<Record<string, readonly [string, unknown]>> = {
  read: ['read_file', { path: 'a' }],
  edit: ['write_file', { path: 'a' }],
  command: ['bash', { command: 'ls' }],
  redirection: ['bash', { command: '> a' }],
  unclear: ['bash', { command: '$X' }],
  code: ['run_python', { code: '1' }],
  foreign: ['mcp__files__write', {}],
};

const EXPECTED: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  ask: {
    read: 'allow',
    edit: 'ask',
    command: 'ask',
    redirection: 'ask',
    unclear: 'ask',
    code: 'ask',
    foreign: 'ask',
  },
  'accept-edits': {
    read: 'allow',
    edit: 'allow',
    command: 'ask',
    redirection: 'allow',
    unclear: 'ask',
    code: 'ask',
    foreign: 'ask',
  },
  plan: {
    read: 'allow',
    edit: 'deny',
    command: 'deny',
    redirection: 'deny',
    unclear: 'deny',
    code: 'deny',
    foreign: 'deny',
  },
  deny: {
    read: 'allow',
    edit: 'deny',
    command: 'deny',
    redirection: 'deny',
    unclear: 'deny',
    code: 'deny',
    foreign: 'deny',
  },
  bypass: {
    read: 'allow',
    edit: 'allow',
    command: 'allow',
    redirection: 'allow',
    unclear: 'allow',
    code: 'allow',
    foreign: 'allow',
  },
};

const decide = async (rules: RulesPolicyOptions, call: string): Promise<string> => {
  const [tool = '', input] = CALLS[call] ?? [];
  return (await judge(rules, tool, input, folderWith({ a: '' }))).decision;
};

describe('a mode decides what no rule is about', () => {
  it.each(MODES.flatMap((mode) => Object.keys(CALLS).map((call) => [mode, call] as const)))(
    '%s: %s',
    async (mode, call) => {
      expect(await decide({ mode }, call)).toBe(EXPECTED[mode][call]);
    },
  );

  it('that does not exist is refused', () => {
    expect(() => rulesPolicy({ mode: 'yolo' as Mode })).toThrow('the modes are ask, accept-edits');
  });
});

describe('among rules', () => {
  const [allow, ask, deny] = [['run_python'], ['run_python'], ['run_python']];
  it('deny beats ask, ask beats allow, and each beats the mode', async () => {
    expect(await decide({ allow }, 'code')).toBe('allow');
    expect(await decide({ allow, mode: 'deny' }, 'code')).toBe('allow');
    expect(await decide({ allow, mode: 'plan' }, 'code')).toBe('deny');
    expect(await decide({ allow, ask }, 'code')).toBe('ask');
    expect(await decide({ ask, mode: 'bypass' }, 'code')).toBe('ask');
    expect(await decide({ ask, mode: 'deny' }, 'code')).toBe('deny');
    expect(await decide({ allow, ask, deny, mode: 'bypass' }, 'code')).toBe('deny');
    expect(await decide({ deny: ['bash'], mode: 'bypass' }, 'redirection')).toBe('deny');
    expect(await decide({ deny: ['bash'], mode: 'bypass' }, 'unclear')).toBe('deny');
  });

  it.each([
    ['mcp__files__write', 'deny'],
    ['mcp__files', 'deny'],
    ['mcp__files__*', 'deny'],
    ['mcp__file', 'allow'],
    ['mcp__files__writ', 'allow'],
    ['mcp__other__*', 'allow'],
  ])('%s is about a tool of a server: %s', async (rule, expected) => {
    expect(await decide({ deny: [rule], mode: 'bypass' }, 'foreign')).toBe(expected);
  });
});

describe('the model is told', () => {
  const reason = async (rules: RulesPolicyOptions, call: string) => {
    const [tool = '', input] = CALLS[call] ?? [];
    const judged = await judge(rules, tool, input, folderWith({ a: '' }));
    return judged.decision === 'deny' ? judged.reason : undefined;
  };

  it('which rule denied which part, and what it can do', async () => {
    expect(await reason({ deny: ['bash(ls)'] }, 'command')).toMatch(
      /^Denied by the rule "deny bash\(ls\) from the options", which is about: ls\nNothing of this call was run\. Do the task without it/,
    );
  });

  it('what a plan is for', async () => {
    expect(await reason({ mode: 'plan' }, 'edit')).toMatch(/only looks and plans.*describe in your answer/);
  });

  it('how such calls can be allowed, where nobody is asked', async () => {
    expect(await reason({ mode: 'deny' }, 'command')).toMatch(
      /nobody is asked.*--allow RULE.*--permission-mode ask/,
    );
  });

  it('nothing of rules that would allow it, where it asks whatever they say', async () => {
    const told = await reason({ mode: 'deny', ask: ['bash(ls)'] }, 'command');
    expect(told).toMatch(/can be asked in the mode ask \(--permission-mode ask\)/);
    expect(told).not.toContain('--allow');
  });

  it('why a path cannot be used, in the words of the tool', async () => {
    const judged = await judge({ mode: 'bypass' }, 'read_file', { path: '/etc/passwd' }, folderWith({}));
    expect(judged).toMatchObject({
      decision: 'deny',
      isImpossible: true,
      reason: expect.stringContaining('leads outside the workspace'),
    });
  });
});

describe('a judgement', () => {
  it.each<[string, RulesPolicyOptions, string, unknown, boolean]>([
    ['a rule that asks', { ask: ['bash(ls)'] }, 'bash', { command: 'ls' }, true],
    ['what may be about a rule', { deny: ['bash(rm)'] }, 'bash', { command: '$X' }, true],
    ['a protected file', {}, 'write_file', { path: '.pawl/settings.json', content: '' }, true],
    ['one part of several', { ask: ['bash(ls)'] }, 'bash', { command: 'pwd; ls' }, true],
    ['an effect', {}, 'bash', { command: 'ls' }, false],
    ['what cannot be known', {}, 'bash', { command: '$X' }, false],
  ])('says whether it asks in every mode: %s', async (_, rules, tool, input, expected) => {
    const workspace = folderWith({});
    const judged = await judge(rules, tool, input, workspace);
    expect(judged.decision).toBe('ask');
    expect('inEveryMode' in judged && judged.inEveryMode).toBe(expected);
    expect((await judge({ ...rules, mode: 'bypass' }, tool, input, workspace)).decision).toBe(
      expected ? 'ask' : 'allow',
    );
  });

  it('names each part, what decided about it, and the rule with its place', async () => {
    const rules = { allow: ['bash(ls)'], deny: ['bash(rm)'] };
    const judged = await judge(rules, 'bash', { command: 'ls && rm x; $X' });
    expect(judged.rule).toBe('deny bash(rm) from the options');
    expect(judged.parts).toMatchObject([
      { part: 'ls', decision: 'allow', rule: { text: 'bash(ls)', source: 'the options' } },
      { part: 'rm x', decision: 'deny', rule: { text: 'bash(rm)' } },
      { part: '$X', decision: 'ask', why: expect.stringMatching(/not known before .*may be about it/) },
    ]);
  });

  it('that allows names all rules that were needed', async () => {
    const judged = await judge({ allow: ['bash(ls)', 'bash(git status)'] }, 'bash', {
      command: 'ls; git status; ls',
    });
    expect(judged.rule).toBe('allow bash(ls) from the options; allow bash(git status) from the options');
  });

  it('of a command that runs nothing is that of the tool', async () => {
    expect((await judge({}, 'bash', { command: '# nothing' })).decision).toBe('ask');
    expect((await judge({ deny: ['bash'], mode: 'bypass' }, 'bash', { command: 'x=1' })).decision).toBe(
      'deny',
    );
  });
});
