/** Rules from flags, files and the agent file, as the command line takes them. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { permissionSettings } from '../../src/cli/permission-settings.ts';
import { builtinTools } from '../../src/index.ts';
import { Place } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(place.file('.pawl'));
  mkdirSync(path.join(place.home, '.config', 'pawl'), { recursive: true });
});
afterEach(() => place.remove());

const USER = '../home/.config/pawl/settings.json';
const PROJECT = '.pawl/settings.json';
const permissions = (lists: object, more: object = {}) => ({ permissions: lists, ...more });
const bash = (command: string) => JSON.stringify({ command });

interface Checked {
  readonly decision: string;
  readonly why: string;
  readonly reason: string | null;
  readonly parts: readonly {
    readonly part: string;
    readonly decision: string;
    readonly rule: object | null;
  }[];
}
async function check(command: string, ...flags: readonly string[]): Promise<Checked> {
  const { code, stdout } = await place.pawl([
    'permissions',
    'check',
    'bash',
    bash(command),
    '--json',
    ...flags,
  ]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Checked;
}

describe('pawl permissions', () => {
  it('check explains each part, the rule and the file it is from, and exits with 0', async () => {
    place.write(PROJECT, permissions({ deny: ['bash(rm *)'] }));
    const line = [
      'permissions',
      'check',
      '--allow',
      'bash(git status)',
      'bash',
      bash('git status && rm -rf build'),
    ];
    expect(await place.pawl(line)).toEqual({
      code: 0,
      stdout: [
        'deny: deny bash(rm *) from .pawl/settings.json',
        '  allow  git status    allow bash(git status) from --allow',
        '  deny   rm -rf build  deny bash(rm *) from .pawl/settings.json',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(await check('rm x')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('Denied by the rule'),
      parts: [{ rule: { list: 'deny', rule: 'bash(rm *)', source: PROJECT } }],
    });
    expect(place.has('build')).toBe(false);
  });

  it('check tells what the file tools refuse whatever the rules say: it is what a run does', async () => {
    place.write('.env', 'KEY=1');
    const input = '{"path": ".env"}';
    const { stdout } = await place.pawl(['permissions', 'check', 'read_file', input, '--yes']);
    expect(stdout).toMatch(/^deny: \.env was not touched: files of this name hold secrets/);
    place.write('s.json', [
      { calls: [{ name: 'read_file', input: JSON.parse(input) }] },
      { when: 'hold secrets', text: 'no' },
    ]);
    expect((await place.pawl(['run', '--script', 's.json', '--yes', 't'])).stdout).toBe('no\n');
    mkdirSync(place.file('venv/.env'), { recursive: true });
    const folder = ['permissions', 'check', 'list_files', '{"path": "venv/.env"}'];
    expect((await place.pawl(folder)).stdout).toMatch(/^allow: /);
    expect((await check('cat .env')).decision).not.toBe('deny');
  });

  it('list names the rules, where they are from, and which do not count', async () => {
    place.write(USER, permissions({ ask: ['bash(git push)'] }));
    place.write(PROJECT, permissions({ allow: ['bash'], deny: ['run_python'] }));
    const { code, stdout, stderr } = await place.pawl(['permissions', 'list', '--deny', 'mcp__web', '--yes']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'mode   bypass',
      'deny   mcp__web        --deny',
      `ask    bash(git push)  ${path.join(place.home, '.config/pawl/settings.json')}`,
      'deny   run_python      .pawl/settings.json',
      'allow  bash            .pawl/settings.json (does not count)',
      '',
    ]);
    expect(stderr).toMatch(
      /^1 allow rule in .* does not count, for anybody may have written it\. If it is yours, use --trust-project/m,
    );
    expect(stderr).not.toContain('permissions list');
    const json = await place.pawl(['permissions', 'list', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      mode: 'ask',
      rules: [{}, {}, { rule: 'bash', counts: false }],
    });
  });

  it('list without a rule says where rules stand, and what becomes of calls that none is about', async () => {
    const { stdout, stderr } = await place.pawl(['permissions', 'list', '--permission-mode', 'accept-edits']);
    expect(stdout).toBe('mode   accept-edits\n');
    expect(stderr).toBe(
      'There are no rules. They stand behind --allow, --ask and --deny, in agent files, in pawl/settings.json of your config folder, and in .pawl/settings.json here. What no rule is about: reads and edits in the workspace run, all else asks.\n',
    );
    const one = await place.pawl(['permissions', 'list', '--deny', 'bash(rm)']);
    expect(one.stderr).toBe('What no rule is about: reads run, all else asks.\n');
  });

  it('shows what a model made up without its control characters', async () => {
    const { stdout } = await place.pawl(['permissions', 'check', 'bash', bash("echo '\u001b[2J'")]);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('\\x1b[2J');
  });

  it.each([
    [['check', 'bash', '{'], 'must be JSON'],
    [['check', 'bash', '{}'], 'the key "command" is missing'],
    [['check', 'shell', '{}'], 'no tool named "shell"'],
    [['list', '--allow', 'bash(ls'], '--allow: the rule "bash(ls" cannot be used: it has no closing ")"'],
    [['list', '--allow', 'shell'], '--allow: there is no tool "shell". Known tools: read_file'],
    [
      ['list', '--allow', 'bsh(x)'],
      '--allow: there is no tool "bsh". Did you mean bash? Known tools: read_file',
    ],
    [['list', '--deny', ' read_fil ( x )'], '--deny: there is no tool "read_fil". Did you mean read_file?'],
    [['list', '--permission-mode', 'no'], 'must be one of ask, accept-edits, plan, deny, bypass, not "no"'],
    [['list', '--permission-mode', 'plan', '--yes'], '--yes is --permission-mode bypass, and plan'],
  ])('%j is refused in one line', async (words, problem) => {
    const { code, stdout, stderr } = await place.pawl(['permissions', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: [^\n]+\n$/);
    expect(stderr).toContain(problem);
  });
});

describe('a settings file', () => {
  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'it must be an object'],
    ['{"permission": {}}', 'it has the unknown key "permission"'],
    ['{"permissions": {"forbid": []}}', 'permissions has the unknown key "forbid"'],
    ['{"permissions": {"deny": "bash"}}', 'permissions.deny must be a list of rules'],
    ['{"permissions": {"deny": [1]}}', 'permissions.deny.0 must be a text'],
    ['{"trusted_folders": []}', 'it has the unknown key "trusted_folders"'],
  ])('%s of a project is refused, with file and key', async (content, problem) => {
    place.write(PROJECT, content);
    const { code, stderr } = await place.pawl(['permissions', 'list']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^pawl: The settings file \/[^\n]*\/work\/\.pawl\/settings\.json is not valid: [^\n]+\n$/,
    );
    expect(stderr).toContain(problem);
  });

  it.each([
    ['bash(rm', 'the rule "bash(rm" cannot be used'],
    ['Bash', 'there is no tool "Bash". Did you mean bash? Known tools:'],
  ])('with the rule %s is refused', async (rule, problem) => {
    place.write('.pawl/settings.local.json', permissions({ deny: [rule] }));
    const { code, stderr } = await place.pawl(['permissions', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain(`.pawl/settings.local.json: ${problem}`);
  });

  it('may have rules for tools that this run does not have', async () => {
    place.write(USER, permissions({ allow: ['mcp__a__b', 'lookup_order'] }));
    expect((await place.pawl(['permissions', 'list'])).code).toBe(0);
  });

  it('of the person is found in $XDG_CONFIG_HOME', async () => {
    mkdirSync(place.file('config/pawl'), { recursive: true });
    place.write('config/pawl/settings.json', permissions({ deny: ['bash(ls)'] }));
    const env = { XDG_CONFIG_HOME: place.file('config') };
    const { stdout } = await place.pawl(['permissions', 'check', 'bash', bash('ls')], env);
    expect(stdout).toContain(`deny bash(ls) from ${place.file('config/pawl/settings.json')}`);
  });
});

describe('what a project allows', () => {
  beforeEach(() => {
    place.write(PROJECT, permissions({ allow: ['bash(ls)'], deny: ['bash(rm)'] }));
    place.write('.pawl/settings.local.json', permissions({ allow: ['bash(pwd)'] }));
  });
  const decisions = async (...flags: readonly string[]) => {
    const { parts } = await check('ls; pwd; rm x', ...flags);
    return parts.map(({ decision }) => decision);
  };

  it('does not count in a folder that nobody trusts; what it forbids does', async () => {
    expect(await decisions()).toEqual(['ask', 'ask', 'deny']);
    expect(await decisions('--yes')).toEqual(['allow', 'allow', 'deny']);
  });

  it('counts with --trust-project', async () => {
    expect(await decisions('--trust-project')).toEqual(['allow', 'allow', 'deny']);
  });

  it('counts in the folders that the person trusts, and in those below', async () => {
    const unused = async (folder: string) => {
      place.write(USER, permissions({}, { trusted_folders: [folder] }));
      const sources = {
        flags: {},
        agent: undefined,
        workspace: place.folder,
        env: place.env,
        tools: builtinTools(),
      };
      return (await permissionSettings(sources)).unused.length;
    };
    for (const folder of [place.folder, `${place.folder}/`, place.base, '/', '~/../work'])
      expect(await unused(folder)).toBe(0);
    for (const folder of [`${place.folder}x`, place.folder.slice(0, -1), `${place.folder}/.pawl`, '~/work'])
      expect(await unused(folder)).toBe(2);
  });

  it('is told at the start of a run where it does not count', async () => {
    place.write('s.json', [{ calls: [{ name: 'bash', input: { command: 'ls' } }] }, { text: 'done' }]);
    const untrusted = await place.pawl(['run', '--script', 's.json', 't']);
    expect(untrusted.stderr).toMatch(
      /2 allow rules in .*\.pawl do not count.*Read them \(pawl permissions list\)\. .*--trust-project/s,
    );
    expect(untrusted.stderr).toContain('1 denied');
    const trusted = await place.pawl(['run', '--script', 's.json', '--trust-project', 't']);
    expect(trusted.stderr).not.toMatch(/do not count|denied/);
  });
});

describe('a run', () => {
  const script = (...commands: readonly string[]) =>
    place.write('s.json', [
      { calls: commands.map((command) => ({ name: 'bash', input: { command } })) },
      { text: 'done' },
    ]);
  const denials = async (...args: readonly string[]) => {
    const { stdout, stderr } = await place.pawl([
      'run',
      '--script',
      's.json',
      '--output-format',
      'json',
      ...args,
      't',
    ]);
    if (stdout === '') throw new Error(stderr);
    return (JSON.parse(stdout) as { permission_denials: { reason: string }[] }).permission_denials;
  };

  it('obeys the rules of its flags, its agent file and its settings files', async () => {
    place.write(USER, permissions({ deny: ['bash(touch c)'] }));
    place.write('a.md', '---\npermissions: { allow: ["bash(touch *)"], ask: ["bash(touch b)"] }\n---\n');
    script('touch a', 'touch b', 'touch c', 'touch d; rm a');
    await denials('--agent', 'a.md', '--deny', 'bash(rm)');
    expect(['a', 'b', 'c', 'd'].map((name) => place.has(name))).toEqual([true, false, false, false]);
  });

  it('records with each verdict the rule behind it', async () => {
    script('touch a', 'rm a', 'ls');
    await denials('--allow', 'bash(touch *)', '--deny', 'bash(rm)');
    const { stdout } = await place.shell('pawl log "$(ls $PAWL_HOME/runs/*.jsonl)" --json');
    const record = stdout.split('\n').find((line) => line.includes('calls.reviewed')) ?? '';
    expect((JSON.parse(record) as { verdicts: object[] }).verdicts).toMatchObject([
      { verdict: 'approve', rule: 'allow bash(touch *) from --allow' },
      {
        verdict: 'refuse',
        denied: true,
        rule: 'deny bash(rm) from --deny',
        reason: expect.stringContaining('rm a'),
      },
      { verdict: 'ask', rule: 'effects ask' },
    ]);
  });

  it('that plans offers the model tools that read, and no others', async () => {
    place.write('s.json', [{ calls: [{ name: 'bash', input: { command: 'touch a' } }] }, { text: 'done' }]);
    const { stdout } = await place.pawl([
      'run',
      '--script',
      's.json',
      '--permission-mode',
      'plan',
      '--transcript',
      't.json',
      't',
    ]);
    expect(stdout).toBe('done\n');
    expect(place.has('a')).toBe(false);
    expect(place.read('t.json')).toMatch(/no tool named .*bash.*read_file, list_files, search_files\./);
  });

  it('that is gone on with is still denied what it was; what was allowed is given anew', async () => {
    script('touch a');
    await denials('--allow', 'bash(touch a)', '--deny', 'bash(touch b)', '--ask', 'bash(touch c)');
    place.write('more.json', [
      { calls: ['touch b', 'touch c', 'touch d'].map((command) => ({ name: 'bash', input: { command } })) },
      { text: 'done' },
    ]);
    await place.pawl(['resume', '--last', '--script', 'more.json', '--yes', 'go on']);
    expect(['a', 'b', 'c', 'd'].map((name) => place.has(name))).toEqual([true, false, false, true]);
  });

  it('that is gone on with is still denied what files forbade, though they do not any more', async () => {
    const agent = (deny: string) => `---\npermissions: { deny: [${deny}] }\n---\n`;
    place.write('a.md', agent('"bash(touch a)"'));
    place.write('.pawl/settings.json', permissions({ deny: ['bash(touch b)'] }));
    script('ls');
    await denials('--agent', 'a.md');
    place.write('a.md', agent(''));
    place.write('.pawl/settings.json', permissions({ deny: [] }));
    const touch = ['a', 'b', 'c'].map((name) => ({ name: 'bash', input: { command: `touch ${name}` } }));
    place.write('more.json', [{ calls: touch }, { text: 'done' }]);
    const { stdout } = await place.pawl([
      'resume',
      '--last',
      '--script',
      'more.json',
      '--yes',
      '--output-format',
      'json',
      'go on',
    ]);
    expect(['a', 'b', 'c'].map((name) => place.has(name))).toEqual([false, false, true]);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('the start of the run');
  });
});
