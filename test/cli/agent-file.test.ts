import { describe, expect, it } from 'vitest';
import { parseAgent, readAgentFile } from '../../src/cli/agent-file.ts';

const agent = (matter: string, body = '') => parseAgent('/agents/a.md', `---\n${matter}\n---\n${body}`);

describe('an agent file', () => {
  it('holds settings in front and the system prompt behind them', () => {
    const read = agent(
      [
        'name: reviewer',
        'description: reads, never writes',
        'model: claude-x',
        'effort: high',
        'tools: [read_file, bash]',
        'limits: { max_turns: 5, token_budget: 1000, summary: false, tool_timeout: 10 }',
        'permissions: { allow: [bash], deny: [write_file] }',
      ].join('\n'),
      '\nYou review.\n\nBriefly.\n',
    );
    expect(read.system).toBe('You review.\n\nBriefly.');
    expect(read.settings).toEqual({
      name: 'reviewer',
      description: 'reads, never writes',
      model: 'claude-x',
      effort: 'high',
      tools: ['read_file', 'bash'],
      limits: { max_turns: 5, token_budget: 1000, summary: false, tool_timeout: 10_000 },
      permissions: { allow: ['bash'], deny: ['write_file'] },
    });
  });

  it('names its tool module relative to itself', () => {
    expect(agent('tool_module: ../tools/mine.mjs').toolModule).toBe('/tools/mine.mjs');
  });

  it('may leave out everything', () => {
    const read = parseAgent('/a.md', '---\n---\n');
    expect(read).toEqual({ file: '/a.md', settings: {}, system: undefined, toolModule: undefined });
  });

  it('may have Windows line ends, a byte order mark, and "---" in its body', () => {
    const read = parseAgent('/a.md', '\ufeff---\r\nname: a\r\n---\r\nOne\r\n---\r\ntwo\r\n');
    expect(read.settings).toEqual({ name: 'a' });
    expect(read.system).toBe('One\r\n---\r\ntwo');
  });

  it.each([
    [
      'modle: x',
      'unknown key "modle". Allowed: name, description, model, effort, tools, tool_module, limits, permissions',
    ],
    ['limits: { turns: 3 }', 'unknown key "limits.turns". Allowed in limits: max_turns, token_budget'],
    [
      'permissions: { forbid: [bash] }',
      'unknown key "permissions.forbid". Allowed in permissions: allow, ask, deny',
    ],
    ['permissions: { deny: bash }', 'permissions.deny must be a list of rules'],
    ['limits: { max_turns: 0 }', 'limits.max_turns must be a positive whole number'],
    ['limits: { max_turns: 1.5 }', 'limits.max_turns must be a positive whole number'],
    ['limits: { max_turns: "5" }', 'limits.max_turns must be a positive whole number'],
    ['limits: { token_budget: 9007199254740993 }', 'limits.token_budget must be a positive whole number'],
    ['limits: { tool_timeout: 9999999 }', 'limits.tool_timeout must be at most 2147483s'],
    ['limits: { summary: maybe }', 'limits.summary must be true or false'],
    ['limits: 5', 'limits must be a list of limits'],
    ['effort: extreme', 'effort must be one of low, medium, high, xhigh, max'],
    ['tools: bash', 'tools must be a list of tool names'],
    ['tools: [1]', 'tools.0 must be the name of a tool'],
    ['name: ""', 'name must not be empty'],
    ['model: 5', 'model must be a text'],
    ['- a', 'the front matter must be settings, one "key: value" a line'],
    ['a: [', 'the front matter is no YAML: '],
    ['name: a\nname: b', 'the front matter is no YAML: Map keys must be unique at line 3, column 1'],
    ['name: *x', 'the front matter is no YAML: Unresolved alias'],
  ])('that says %j is refused in one line', (matter, problem) => {
    const refused = /^The agent file \/agents\/a\.md is not valid: [^\n]+\.$/;
    expect(() => agent(matter)).toThrow(refused);
    expect(() => agent(matter)).toThrow(problem);
  });

  it.each(['', 'just text', 'name: a\n---\nbody', '---\nname: a\n'])(
    'without front matter (%j) is refused',
    (content) => {
      expect(() => parseAgent('/a.md', content)).toThrow('it must begin with front matter');
    },
  );

  it('that does not exist is named', async () => {
    await expect(readAgentFile('/nowhere/a.md')).rejects.toThrow(
      'The agent file /nowhere/a.md cannot be read: there is no such file. Check the path.',
    );
  });
});
