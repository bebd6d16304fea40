/** What is wrong is said in one line, with the remedy, and nothing has happened. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { Place } from './support.ts';

let place: Place;
let before: readonly string[];
beforeAll(() => {
  place = new Place();
  place.write('s.json', [{ text: 'done' }]);
  before = place.files;
});
afterAll(() => {
  const after = place.files;
  place.remove();
  expect(after).toEqual(before);
});

const scripted = ['run', '--script', 's.json'];

describe('a wrong command line', () => {
  it.concurrent.each([
    [['frobnicate'], "unknown command 'frobnicate'", 'pawl run "task"'],
    [['show', '--jsn', 'x'], "unknown option '--jsn'", 'Did you mean --json?'],
    [['run', 'x', '--turns', '3'], "unknown option '--turns'", 'pawl run --help'],
    [['run'], "missing required argument 'task'", 'pawl run --help'],
    [[...scripted, '--max-tool-calls', '1e3', 'x'], '--max-tool-calls', '"1e3"'],
    [[...scripted, '--agent', 'no.md', 'x'], 'no.md cannot be read', 'Check the path'],
    [['run', '--script', 'no.json', 'x'], 'no.json cannot be read', '--script'],
    [[...scripted, '-'], 'The task is empty', 'standard input'],
    [[...scripted, '-', 'extra'], '"-" reads the task from standard input', 'Put all of the task there'],
    [['run', '--model', 'claude-haiku-4-5', '--effort', 'low', 'x'], 'has no effort', 'take another model'],
    [[...scripted, '--verify', ' ', 'x'], '--verify must not be empty', 'npm test'],
    [[...scripted, '--max-repairs', '3', 'x'], '--max-repairs is about a check', '--verify'],
    [[...scripted, '--verify', 'x', '--max-repairs', 'few', 'x'], '--max-repairs', '"few"'],
    [['run', 'x'], 'No key', 'ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN'],
    [['show', '20260101-000000-abcde'], 'There is no run', 'id of a run'],
  ])('%j is refused: %s … %s', async (args, thing, remedy) => {
    const { code, stdout, stderr } = await place.pawl(args);
    expect(stderr).toMatch(/^pawl: [^\n]+\n$/);
    expect(stderr).toContain(thing);
    expect(stderr).toContain(remedy);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each(['json', 'stream-json'])('leaves standard output empty with %s too', async (format) => {
    const { code, stdout } = await place.pawl(['run', '--output-format', format, 'x']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('refuses a base address without a scheme before anything is asked', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'localhost:8080' };
    const { code, stderr } = await place.pawl(['run', 'x'], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^pawl: The base address \(ANTHROPIC_BASE_URL\) must start with http:\/\/ or https:\/\/[^\n]*\n$/,
    );
  });
});

describe('a current folder that was deleted', () => {
  it.each(['run --script s.json x', 'run x', 'doctor', 'show ./r.jsonl'])('is named (%s)', async (words) => {
    const { code, stdout, stderr } = await place.shell(`mkdir gone; cd gone; rmdir ../gone; pawl ${words}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('pawl: The current folder does not exist any more. Change to another one.\n');
  });
});

describe('standard input', () => {
  it.each([
    ['/dev/zero', 'The task is too long: more than 16.0 MB came from standard input.'],
    ['/dev/null', 'The task is empty'],
  ])('%s is no task', async (input, problem) => {
    const { code, stdout, stderr } = await place.shell(`pawl run --script s.json - < ${input}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: [^\n]+\n$/);
    expect(stderr).toContain(problem);
  });
});

describe('commands that need no key', () => {
  it('show help with examples, for pawl and for each command', async () => {
    const commands = [
      'run',
      'resume',
      'runs',
      'show',
      'log',
      'diff',
      'replay',
      'fork',
      'diagram',
      'exit-codes',
      'doctor',
    ];
    const texts = await Promise.all(
      [[], ...commands.map((name) => [name])].map((args) => place.pawl([...args, '--help'])),
    );
    for (const { code, stdout, stderr } of texts) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Examples:\n  ');
    }
  });

  it('show the version', async () => {
    expect(await place.pawl(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('show the help on standard error where no command is given', async () => {
    const { code, stdout, stderr } = await place.pawl([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: pawl');
  });

  it('list every exit code, for people and for scripts', async () => {
    const [text, json] = await Promise.all([
      place.pawl(['exit-codes']),
      place.pawl(['exit-codes', '--json']),
    ]);
    const codes = JSON.parse(json.stdout) as { exit_code: number; status: string }[];
    expect(codes.map(({ exit_code }) => exit_code)).toEqual([
      0, 1, 2, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 30, 40, 50, 130, 143,
    ]);
    for (const { exit_code, status } of codes)
      expect(text.stdout).toMatch(new RegExp(`^ *${exit_code}  ${status} `, 'm'));
  });

  it('print the chart of the machine', async () => {
    const [text, json] = await Promise.all([place.pawl(['diagram']), place.pawl(['diagram', '--json'])]);
    expect(text.stdout).toMatch(/^stateDiagram-v2\n/);
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'loop' });
  });

  it('check what a run needs, and never show the key', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-very-secret' };
    const [text, json] = await Promise.all([
      place.pawl(['doctor'], env),
      place.pawl(['doctor', '--json'], env),
    ]);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('ANTHROPIC_API_KEY is set');
    expect(text.stdout + json.stdout).not.toContain('very-secret');
    const { ok, checks } = JSON.parse(json.stdout) as { ok: boolean; checks: { name: string }[] };
    expect(ok).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual([
      'node',
      'key',
      'address',
      'model',
      'bash',
      'grep',
      'python3',
      'state',
      'workspace',
      'sandbox',
    ]);
  });

  it('name a problem that keeps runs from working, with the remedy', async () => {
    const { code, stdout } = await place.pawl(['doctor', '--cd', 'nowhere', '--json'], {
      PAWL_HOME: place.file('s.json/state'),
    });
    expect(code).toBe(2);
    const { checks } = JSON.parse(stdout) as {
      checks: { level: string; name: string; remedy: string | null }[];
    };
    const problems = checks.filter(({ level }) => level === 'problem');
    expect(problems.map(({ name }) => name)).toEqual(['state', 'workspace']);
    expect(problems.every(({ remedy }) => remedy !== null)).toBe(true);
  });
});
