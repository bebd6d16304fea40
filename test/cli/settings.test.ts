import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunFlags } from '../../src/cli/run-flags.ts';
import { resolveSettings } from '../../src/cli/settings.ts';
import { Place } from './support.ts';

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write('script.json', [{ text: 'done' }]);
  place.write(
    'agent.md',
    '---\nmodel: from-agent\neffort: low\ntools: [read_file, bash]\nlimits: { max_turns: 3, token_budget: 500, summary: false }\npermissions: { allow: [write_file, bash], deny: [bash] }\n---\nFrom the agent.\n',
  );
});
afterAll(() => place.remove());

const resolve = (
  flags: Partial<RunFlags> = {},
  env: NodeJS.ProcessEnv = {},
  words = ['do', 'it'],
  input = '',
) =>
  resolveSettings(
    words,
    { summary: true, outputFormat: 'text', sandbox: 'off', script: 'script.json', ...flags },
    { folder: place.folder, env, input: Readable.from([input]) },
  );
const modelOf = async (flags: Partial<RunFlags>, env: NodeJS.ProcessEnv) => {
  const all = { summary: true, outputFormat: 'text', sandbox: 'off', ...flags };
  const surroundings = {
    folder: place.folder,
    env: { ...env, ANTHROPIC_API_KEY: 'k' },
    input: Readable.from([]),
  };
  return (await resolveSettings(['do', 'it'], all, surroundings)).options.model;
};

describe('the model', () => {
  const env = { ANTHROPIC_MODEL: 'from-env', MODEL_ID: 'older-name' };

  it('is taken from the flag, else the agent file, else the environment, else the default', async () => {
    expect(await modelOf({ model: 'from-flag', agent: 'agent.md' }, env)).toBe('from-flag');
    expect(await modelOf({ agent: 'agent.md' }, env)).toBe('from-agent');
    expect(await modelOf({}, env)).toBe('from-env');
    expect(await modelOf({}, { MODEL_ID: 'older-name' })).toBe('older-name');
    expect(await modelOf({}, { ANTHROPIC_MODEL: ' ' })).toMatch(/^claude-/);
  });

  it('is called scripted where a script plays it, unless it is named', async () => {
    expect((await resolve({}, env)).options.model).toBe('scripted');
    expect((await resolve({ model: 'mine' }, env)).options.model).toBe('mine');
  });

  it('may come from .env, of which nothing else is taken', async () => {
    place.write('.env', 'ANTHROPIC_MODEL=from-file\nPAWL_HOME=/elsewhere\n');
    try {
      expect(await modelOf({}, {})).toBe('from-file');
      expect(await modelOf({}, env)).toBe('from-env');
      expect(process.env.ANTHROPIC_MODEL).toBeUndefined();
    } finally {
      place.write('.env', '');
    }
  });
});

describe('limits', () => {
  it('are taken from flags, else the agent file', async () => {
    const { limits } = (await resolve({ agent: 'agent.md', maxTurns: '9' })).options;
    expect(limits).toMatchObject({ maxTurns: 9, tokenBudget: 500, summary: false });
  });

  it('that nobody sets are left to their defaults', async () => {
    const { limits } = (await resolve()).options;
    expect(limits).toEqual({ outputCeiling: expect.any(Number), summary: true });
  });

  it('let the output grow at least to what was asked for', async () => {
    const { limits } = (await resolve({ model: 'unheard-of', maxOutputTokens: '100000' })).options;
    expect(limits).toMatchObject({ maxOutputTokens: 100_000, outputCeiling: 100_000 });
  });

  it('leave no summary where the flag or the agent says so', async () => {
    expect((await resolve({ summary: false })).options.limits?.summary).toBe(false);
    expect((await resolve({ agent: 'agent.md' })).options.limits?.summary).toBe(false);
  });
});

describe('the system prompt', () => {
  const systemOf = async (flags: Partial<RunFlags>) => (await resolve(flags)).options.system;

  it('is the flag, else the body of the agent file, else the default', async () => {
    expect(await systemOf({ systemPrompt: 'From the flag.', agent: 'agent.md' })).toBe('From the flag.');
    expect(await systemOf({ agent: 'agent.md' })).toBe('From the agent.');
    expect(await systemOf({})).toContain('Report truthfully');
  });

  it('can be added to', async () => {
    expect(await systemOf({ agent: 'agent.md', appendSystemPrompt: 'Briefly.' })).toBe(
      'From the agent.\n\nBriefly.',
    );
  });
});

describe('tools', () => {
  const namesOf = async (flags: Partial<RunFlags>) =>
    (await resolve(flags)).options.tools?.map(({ name }) => name);

  it('are those of the flag, else of the agent file, else all', async () => {
    expect(await namesOf({ tools: 'bash, write_file', agent: 'agent.md' })).toEqual(['write_file', 'bash']);
    expect(await namesOf({ agent: 'agent.md' })).toEqual(['read_file', 'bash']);
    expect((await namesOf({}))?.length).toBeGreaterThan(5);
  });

  it('that do not exist are named together with those that do', async () => {
    await expect(resolve({ tools: 'read_file,shell' })).rejects.toThrow(
      /^--tools: there is no tool "shell"\. Known tools: read_file, .*bash\.$/,
    );
    await expect(resolve({ tools: 'constructor' })).rejects.toThrow('there is no tool "constructor"');
  });

  it.each(['', ' ', 'bash,', ',bash'])('%j is no list of names', async (tools) => {
    await expect(resolve({ tools })).rejects.toThrow('--tools needs names separated by commas');
  });

  it('that a permission names must exist', async () => {
    place.write('shell.md', '---\npermissions: { deny: [shell] }\n---\n');
    await expect(resolve({ agent: 'shell.md' })).rejects.toThrow('shell.md: there is no tool "shell"');
  });
});

describe('permissions', () => {
  const decide = async (flags: Partial<RunFlags>, tool: string, effect: 'read' | 'effectful') => {
    const { policy, workspace = '' } = (await resolve(flags)).options;
    return (await policy?.decide({ tool, input: {}, effect, workspace }))?.decision;
  };

  it('let reads run and ask for effects', async () => {
    expect(await decide({}, 'read_file', 'read')).toBe('allow');
    expect(await decide({}, 'bash', 'effectful')).toBe('ask');
  });

  it('allow everything with --yes', async () => {
    expect(await decide({ yes: true }, 'bash', 'effectful')).toBe('allow');
  });

  it('of an agent file allow by name, and what it denies stays denied, whatever else allows it', async () => {
    expect(await decide({ agent: 'agent.md' }, 'write_file', 'effectful')).toBe('allow');
    expect(await decide({ agent: 'agent.md' }, 'bash', 'effectful')).toBe('deny');
    expect(await decide({ agent: 'agent.md', yes: true }, 'bash', 'effectful')).toBe('deny');
  });
});

describe('the task', () => {
  it('is what the words say', async () => {
    expect((await resolve({}, {}, ['fix', 'the build'])).options.task).toBe('fix the build');
  });

  it('is standard input where the only word is "-"', async () => {
    expect((await resolve({}, {}, ['-'], 'from a pipe\n\n')).options.task).toBe('from a pipe');
    expect((await resolve({}, {}, ['a', '-'])).options.task).toBe('a -');
  });

  it('is refused where words stand behind "-"', async () => {
    await expect(resolve({}, {}, ['-', 'extra'], 'x')).rejects.toThrow('no other words can stand behind it');
  });

  it('that cannot be read is refused with the reason', async () => {
    const broken = Object.assign(new Error('EISDIR: read'), { code: 'EISDIR' });
    const input = new Readable({ read: () => input.destroy(broken) });
    const flags = { summary: true, outputFormat: 'text', script: 'script.json' };
    await expect(resolveSettings(['-'], flags, { folder: place.folder, env: {}, input })).rejects.toThrow(
      'Standard input cannot be read: it is a folder.',
    );
  });

  it('keeps characters whole that came in pieces, without a byte order mark', async () => {
    const bytes = Buffer.from('\ufeffgrüße 😀');
    const input = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
    const flags = { summary: true, outputFormat: 'text', script: 'script.json' };
    const { options } = await resolveSettings(['-'], flags, { folder: place.folder, env: {}, input });
    expect(options.task).toBe('grüße 😀');
  });

  it.each([
    [[''], ''],
    [[' ', '\t'], ''],
    [['-'], ''],
    [['-'], ' \n'],
  ])('%j with the input %j is empty, and refused', async (words, input) => {
    await expect(resolve({}, {}, words, input)).rejects.toThrow('The task is empty');
  });
});

describe('a way to the model', () => {
  it('needs a key, and the message names both variables and the alternative', async () => {
    const flags = { summary: true, outputFormat: 'text' };
    const surroundings = { folder: place.folder, env: {}, input: Readable.from([]) };
    await expect(resolveSettings(['t'], flags, surroundings)).rejects.toThrow(
      /ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.*--script/,
    );
  });

  it('is not looked for where a script answers, however wrong its settings are', async () => {
    place.write('.env', 'ANTHROPIC_BASE_URL=https://elsewhere.example\n');
    try {
      const { how } = await resolve({}, { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: '' });
      expect(how.isScripted).toBe(true);
    } finally {
      place.write('.env', '');
    }
  });
});

describe('a setting that cannot work', () => {
  it.each([
    [{ outputFormat: 'xml' }, '--output-format must be one of text, json, stream-json, not "xml".'],
    [{ effort: 'huge' }, '--effort must be one of low, medium, high, xhigh, max, not "huge".'],
    [{ model: ' ' }, '--model must not be empty.'],
    [{ cd: 'nowhere' }, /The workspace .*nowhere does not exist\. Name an existing folder with --cd\./],
    [{ cd: 'script.json' }, /The workspace .*script\.json is no folder\./],
    [{ transcript: 'nowhere/t.json' }, /--transcript: there is no folder .*nowhere\. Create it first\./],
    [{ script: 'wrong.json' }, /wrong\.json, reply 1: .*txt.* Check the file given with --script\./],
    [{ tokenBudget: '0' }, '--token-budget must be a positive whole number'],
    [{ maxOutputTokens: '1.5' }, '--max-output-tokens must be a positive whole number'],
    [{ maxToolCalls: 'x' }, '--max-tool-calls must be a positive whole number'],
    [{ toolTimeout: '2147484' }, '--tool-timeout must be at most 2147483'],
    [{ toolTimeout: 'soon' }, '--tool-timeout must be a time such as 90s, 10m or 1h, not "soon".'],
  ])('%j is refused, with the remedy', async (flags, problem) => {
    place.write('wrong.json', [{ txt: 'done' }]);
    await expect(resolve(flags)).rejects.toThrow(problem);
  });
});
