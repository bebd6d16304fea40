/** The runner of the examples, and the form that their folders have. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { playScenario } from '../../examples/play.ts';
import { exampleNames, readExample, scenarioOf } from '../../examples/scenarios.ts';
import { says } from '../field/support.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { startStrictServer } from '../helpers/strict-server.ts';

function examples(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'examples/run.ts', ...words],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

describe('npm run examples', () => {
  it('prints a row for each case, and leaves with 0 where all came to what they should', () => {
    const { status, stdout } = examples('run-main', 'request');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^example +scenario +status +turns +calls +errors +what is seen\n/);
    expect(stdout).toMatch(/^run-main +request +suspended +1 +0 +0 +✓ +one request/m);
  });

  it('prints its usage for --help, and behind one line about a flag that it does not know', () => {
    const help = examples('--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(/^npm run examples .*\n.*NAME \[SCENARIO\]/);
    const { status, stderr } = examples('--lives');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: Unknown option '--lives'.*\nnpm run examples /);
  });

  it.each([
    [['--live'], /Name the example to be played live: bash-agent/],
    [['run-main', 'refused', '--live'], /can only be played offline/],
  ])('refuses %j with what there is', (words, message) => {
    const { status, stdout, stderr } = examples(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('with --live asks the service that the environment names, in a copy of the workspace that stays', async () => {
    const server = await startStrictServer([says('Which order is it about?')]);
    const home = scratchFolder();
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, PAWL_HOME: path.join(home, 'state') };
    const service = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const words = ['--import', 'tsx', 'examples/run.ts', 'refund-desk', 'no-tool', '--live'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
      env: { ...env, ...service },
    });
    await server.close();
    expect(stdout).toBe('Which order is it about?\n');
    expect(server.requests.map(({ violations }) => violations)).toEqual([[]]);
    const [, workspace = ''] = /^workspace: (.+)$/m.exec(stderr) ?? [];
    expect(existsSync(path.join(workspace, 'orders.json'))).toBe(true);
  });

  it('knows what there is', () => {
    expect(() => readExample('none')).toThrow(
      /^There is no example none\. There are: bash-agent, .*run-main/,
    );
    const missing = () => scenarioOf(readExample('run-main'), 'constructor');
    expect(missing).toThrow(/has no scenario constructor\. It has: reported, request/);
  });

  it('finds every figure and text that is not as expected', async () => {
    const example = readExample('run-main');
    const { request } = example.scenarios;
    if (request === undefined) throw new Error('the scenario is gone');
    const expect_ = { status: 'answered', turns: 2, calls: 1, errors: 1, messages: 4, result: 'x' };
    const scenario = { ...request, expect: { ...expect_, files: { 'main.py': null, 'no.txt': 'x' } } };
    const wrong = { ...example, scenarios: { wrong: scenario } };
    const { differences } = await playScenario(wrong, 'wrong', scratchFolder());
    expect(differences.map((line) => line.split(':')[0])).toEqual([
      ...['status', 'turns', 'calls', 'errors', 'messages', 'result', 'main.py', 'no.txt'],
    ]);
  });
});

it('the examples use the public interface alone', () => {
  const files = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|mjs)$/.test(name),
  );
  const taken = files.flatMap((name) => [
    ...readFileSync(path.join('examples', name), 'utf8').matchAll(
      /from '(?:\.\.\/)+((?:src|machines|test)\/[^']+)'/g,
    ),
  ]);
  expect(taken.length).toBeGreaterThan(2);
  expect([...new Set(taken.map(([, file]) => file))]).toEqual(['src/index.ts']);
});

const linksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);

describe.each(exampleNames())('the example %s', (name) => {
  const { folder, scenarios } = readExample(name);
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');

  it('has an agent, a page, and is named on the page of all examples and in the README', () => {
    expect(existsSync(path.join(folder, 'agent.md'))).toBe(true);
    expect(linksOf('examples/README.md')).toContain(`${name}/README.md`);
    expect(linksOf('README.md')).toContain(`examples/${name}/README.md`);
  });

  it('has no script that nobody plays, and plays none that there is not', () => {
    const written = readdirSync(folder).filter((file) => file.startsWith('script'));
    const played = new Set(Object.values(scenarios).map(({ script }) => script));
    expect([...played].sort()).toEqual(written.sort());
  });

  it('can be played live: its first scenario lies in no script', () => {
    expect(Object.values(scenarios)[0]?.live).toBe(true);
    expect(readme).toContain(`npm run examples -- ${name}`);
    expect(readme).toContain('--live');
  });
});
