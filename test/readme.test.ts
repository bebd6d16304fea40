import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, PAGES } from '../scripts/docs.ts';
import { callPawl } from './cli/called.ts';
import { CLI } from './cli/support.ts';
import { blocksOf, commandsOf, NOT_HERE, readPage, root, shell as shellAt } from './helpers/pages.ts';

const readme = readPage('README.md');
const blocks = (language: string) => blocksOf(readme, language);
const commands = commandsOf(readme);

const folder = mkdtempSync(path.join(tmpdir(), 'pawl-readme-'));

beforeAll(() => {
  mkdirSync(path.join(folder, 'project'));
  writeFileSync(path.join(folder, 'reviewer.md'), 'not there yet');
  execFileSync('bash', ['-c', 'git init -q && git add reviewer.md'], { cwd: folder });
  // A change, for the command that pipes one.
  writeFileSync(path.join(folder, 'reviewer.md'), blocks('markdown')[0] ?? '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const state = { PATH: process.env.PATH, HOME: folder, PAWL_HOME: path.join(folder, 'state') };

const shell = (command: string, cwd = folder) => shellAt(command, folder, cwd);

/** What only prepares needs no process. */
const pawl = (words: string) => callPawl(CLI, words.split(' '), folder, state);

/** Makes a run that stopped at its turn limit, and a newer one whose request failed. @returns the id of the former */
async function makeRuns(): Promise<string> {
  const call = { calls: [{ name: 'list_files', input: {} }] };
  writeFileSync(path.join(folder, 'limit.json'), JSON.stringify([call, { text: 'fine' }]));
  writeFileSync(
    path.join(folder, 'failure.json'),
    JSON.stringify([{ fault: { status: 401 } }, { text: 'fine' }]),
  );
  const limited = await pawl('run --script limit.json --max-turns 1 --no-summary --output-format json go');
  const failed = await pawl('run --script failure.json go');
  expect([limited.code, failed.code]).toEqual([10, 25]);
  return (JSON.parse(limited.stdout) as { run_id: string }).run_id;
}

/** Makes a run whose call waits for an approval. @returns the words that name both */
async function makeSuspended(): Promise<string> {
  const call = { calls: [{ name: 'bash', id: 'toolu_1', input: { command: 'true' } }] };
  writeFileSync(path.join(folder, 'ask.json'), JSON.stringify([call, { text: 'fine' }]));
  const { code, stdout } = await pawl('run --script ask.json --on-ask suspend --output-format json go');
  expect(code).toBe(30);
  return `${(JSON.parse(stdout) as { run_id: string }).run_id} toolu_1`;
}
const pushes = JSON.stringify([
  { calls: ['ls', 'git push'].map((command) => ({ name: 'bash', input: { command } })) },
  { text: 'fine' },
]);

describe('the README', () => {
  it('shows the chart and the statuses that the code has', () => {
    expect(fill(readme, PAGES['README.md'])).toBe(readme);
  });

  it.each(commands.filter((command) => !NOT_HERE.test(command)))(
    'shows a command that works: %s',
    async (command) => {
      const usesExamples = command.includes('examples');
      const run = command.includes('pawl resume') ? await makeRuns() : '';
      const waiting = /pawl (approv|deny)/.test(command) ? await makeSuspended() : '';
      const { code, stdout, stderr } = await shell(
        command.replace('RUN CALL', waiting).replace('RUN', run),
        usesExamples ? root : folder,
      );
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).not.toBe('');
    },
  );

  it('has a demonstration that prints what it shows', async () => {
    const { code, stdout, stderr } = await shell('npm start --silent', root);
    expect(code).toBe(0);
    expect(stdout).toContain('ZeroDivisionError');
    expect(stderr).toContain('export ANTHROPIC_API_KEY');
    const shown = blocks('console')[0] ?? '';
    expect(shown).toContain(stdout.trim());
  });

  it('has a script that plays', async () => {
    writeFileSync(path.join(folder, 'shown.yaml'), blocks('yaml')[0] ?? '');
    const run = 'npx pawl run --yes --sandbox off -C examples/run-main/workspace';
    const { code, stdout } = await shell(`${run} --script "${folder}/shown.yaml" go`, root);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It divides by zero.\n' });
  });

  it('leads to a guide with hooks that work', async () => {
    const settings = path.join(folder, '.config', 'pawl');
    mkdirSync(settings, { recursive: true });
    writeFileSync(path.join(settings, 'settings.json'), blocksOf(readPage('docs/guide.md'), 'json')[0] ?? '');
    writeFileSync(path.join(folder, 'push.json'), pushes);
    const { code, stderr } = await shell('npx pawl run --yes --sandbox off --script push.json go');
    rmSync(settings, { recursive: true });
    expect(code).toBe(0);
    expect(stderr).toContain('Denied by the hook no-push: Do not push.');
    expect(stderr).toContain('1 ok');
  });

  it('has a library example that runs', async () => {
    const [example = ''] = blocks('ts');
    const file = path.join(root, 'dist', `readme-${process.pid}.mjs`);
    writeFileSync(file, example.replace("from 'pawl'", `from '${root}/dist/index.js'`));
    const { code, stdout, stderr } = await shell(`"${process.execPath}" "${file}"`);
    rmSync(file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('answered It has been shipped.\n');
  });

  it('has a transition that runs as a pure function', async () => {
    const [, example = ''] = blocks('ts');
    const file = path.join(root, 'dist', `readme-transition-${process.pid}.mjs`);
    writeFileSync(file, example.replace("from 'pawl'", `from '${root}/dist/index.js'`));
    const { code, stdout, stderr } = await shell(`"${process.execPath}" "${file}"`);
    rmSync(file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      "{ asking: 'requesting' } { persisting: 'closing' } { status: 'cancelled', signal: 'SIGINT' }",
    );
  });

  it('names commands that exist', async () => {
    const named = [...readme.matchAll(/`pawl ([a-z][a-z-]*)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(20);
    const { stdout } = await shell('npx pawl --help');
    const known = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([]);
  });
});
