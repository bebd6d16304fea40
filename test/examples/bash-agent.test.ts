/** The example bash-agent: one tool, its limits, what its rules are about, and where it finds the service. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../src/cli/agent-file.ts';
import { rulesPolicy } from '../../src/index.ts';
import { call, calls, says } from '../field/support.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { startStrictServer } from '../helpers/strict-server.ts';
import { playAll, playLive, violationsOf } from './played.ts';

const AGENT = 'examples/bash-agent/agent.md';

describe('bash-agent, offline', () => {
  const played = playAll('bash-agent');

  it('makes hello.py, and a command that prints nothing says so', () => {
    expect(played('hello').results.map(({ content }) => content)).toEqual([
      'exit_code=0\n(no output)',
      'exit_code=0\nhello\n',
    ]);
  });

  it('tells of each dangerous command which rule denied it', () => {
    const rules = ['bash(rm * /*)', 'bash(sudo)', 'bash(shutdown)', 'bash(reboot)', 'write_file(**/dev/**)'];
    const { results } = played('dangerous');
    expect(results).toHaveLength(rules.length);
    rules.forEach((rule, at) => {
      expect(results[at]).toMatchObject({
        is_error: true,
        content: expect.stringContaining(`Denied by the rule "deny ${rule}`),
      });
    });
  });

  it('keeps beginning and end of a long output', () => {
    const [result] = played('long-output').results;
    expect(String(result?.content).length).toBeLessThan(51_000);
    expect(String(result?.content).length).toBeGreaterThan(49_000);
  });

  it('ends what takes too long, with what it has left in the background', () => {
    expect(played('slow').results[0]?.content).toMatch(/^timed out after 1 s[\s\S]*begun/);
  });
});

describe('the rules of bash-agent', () => {
  const { deny = [] } = parseAgent(AGENT, readFileSync(AGENT, 'utf8')).settings.permissions ?? {};
  // As with --yes: whatever no rule is about would run.
  const policy = rulesPolicy({ deny, mode: 'bypass' });
  const decide = async (command: string) =>
    (
      await policy.decide({
        tool: 'bash',
        input: { command },
        effect: 'effectful',
        workspace: scratchFolder(),
      })
    ).decision;

  it.each(['rm -rf /', 'sudo ls', 'shutdown now', 'reboot', 'echo x > /dev/sda'])(
    'deny %s',
    async (command) => expect(await decide(command)).toBe('deny'),
  );

  it.each([
    'rm -fr /',
    'rm -r -f /home',
    'rm -rf ~',
    '/usr/bin/sudo ls',
    'su"do" ls',
    'bash -c "sudo ls"',
    'x=$(sudo id)',
    'env A=1 reboot',
    'ls | xargs sudo rm',
  ])('deny %s, which no search for a text would find, or be right about', async (command) =>
    expect(await decide(command)).toBe('deny'),
  );

  it.each(['$(echo sudo) ls', 'x=sudo; $x ls', 'cd / && echo x > dev/sda'])(
    'ask about %s, for nobody knows it beforehand',
    async (command) => expect(await decide(command)).toBe('ask'),
  );

  it.each(['grep sudo notes.txt', 'echo "no reboot"', 'ls > /dev/null 2>&1', 'rm -rf build'])(
    'have nothing against %s',
    async (command) => expect(await decide(command)).toBe('allow'),
  );
});

describe('bash-agent, live', () => {
  it('finds model and service in .env, and makes the file', async () => {
    const replies = [
      calls(call('toolu_1', 'bash', { command: 'echo \'print("hello")\' > hello.py' })),
      says('Made.'),
    ];
    const server = await startStrictServer(replies);
    const base = scratchFolder();
    const lines = [
      'ANTHROPIC_API_KEY=test-key',
      'MODEL_ID=claude-sonnet-5-5',
      `ANTHROPIC_BASE_URL=${server.url}`,
    ];
    writeFileSync(path.join(base, '.env'), lines.join('\n'));
    const lived = await playLive('bash-agent', [], base, { env: {} });
    await server.close();
    expect(lived).toMatchObject({ code: 0, document: { status: 'answered', result: 'Made.' } });
    expect(server.requests.map(({ violations }) => violations)).toEqual([[], []]);
    expect(server.requests[0]?.body).toMatchObject({
      model: 'claude-sonnet-5-5',
      max_tokens: 8000,
      tools: [{ name: 'bash' }],
    });
    expect(readFileSync(path.join(lived.workspace, 'hello.py'), 'utf8')).toBe('print("hello")\n');
    expect(violationsOf(lived)).toEqual([]);
  });

  it('has a template for .env that names what is read', () => {
    const names = readFileSync('examples/bash-agent/.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm);
    expect(names).toEqual(['ANTHROPIC_API_KEY', 'MODEL_ID', 'ANTHROPIC_BASE_URL']);
  });
});
