import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'pawl-package-'));
const env = { ...process.env, PAWL_HOME: path.join(folder, 'state') };
const exec = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: folder, env, encoding: 'utf8' });
let files: string[] = [];
let installing = '';

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const [report] = JSON.parse(packed.slice(packed.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  files = report.files.map((file) => file.path);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}');
  const words = ['install', '--no-audit', '--no-fund', `./${report.filename}`];
  const { stderr, status } = spawnSync('npm', words, { cwd: folder, env, encoding: 'utf8' });
  installing = stderr;
  expect([status, stderr]).toEqual([0, expect.any(String)]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the packed tarball, installed into an empty folder', () => {
  it('holds what runs and what explains it, the machine with it, and no other sources or tests', () => {
    expect(files).toContain('dist/cli.js');
    expect(files).toContain('LICENSE');
    expect(files).toContain('machines/loop.machine.ts');
    expect(files.filter((file) => /^(src|test|scripts|visualizer|node_modules)\//.test(file))).toEqual([]);
  });

  it('holds what its pages link to', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(path.join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
        ([, to = '']) => path.join(path.dirname(page), to),
      ),
    );
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter((link) => !files.includes(link))).toEqual([]);
  });

  it('is installed without a word: it has no script that would run then', () => {
    expect(installing).not.toContain('warn');
  });

  it('runs a scripted task from the command line', () => {
    writeFileSync(path.join(folder, 'script.json'), JSON.stringify([{ text: 'done' }]));
    expect(exec('npx', ['pawl', 'run', '--script', 'script.json', 'say something'])).toBe('done\n');
  });

  it('runs a task from the library, with a tool of its own', () => {
    writeFileSync(
      path.join(folder, 'embed.mjs'),
      `import { defineTool, loopMachine, run, scriptedModel } from 'pawl';
       import { z } from 'zod';
       const add = defineTool({ name: 'add', description: 'Adds.', effect: 'read', input: z.strictObject({ a: z.number(), b: z.number() }), run: async ({ a, b }) => String(a + b) });
       const client = scriptedModel([{ calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, { when: '^5$', text: 'five' }]);
       const outcome = await run({ task: 'add', client, model: 'scripted', tools: [add] });
       console.log(outcome.status, outcome.result, Object.keys(loopMachine.states).length > 10);`,
    );
    expect(exec(process.execPath, ['embed.mjs'])).toBe('answered five true\n');
  });

  it('gives its types to a strict TypeScript project', () => {
    writeFileSync(
      path.join(folder, 'typed.ts'),
      `import { run, scriptedModel, type RunOutcome } from 'pawl';
       export const outcome: Promise<RunOutcome> = run({ task: 't', client: scriptedModel([{ text: 'x' }]), model: 'm' });`,
    );
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    writeFileSync(path.join(folder, 'example.ts'), /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? '');
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    const typeRoots = path.join(root, 'node_modules/@types');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--skipLibCheck',
      'false',
    ];
    expect(
      exec(tsc, [...options, '--types', 'node', '--typeRoots', typeRoots, 'typed.ts', 'example.ts']),
    ).toBe('');
  });

  it('comes without the packages for Restate, and says how they are had where they are needed', () => {
    expect(readdirSync(path.join(folder, 'node_modules'))).not.toContain('@restatedev');
    for (const words of [
      ['runs', '--restate', 'http://127.0.0.1:8080'],
      ['worker', '--restate', 'http://127.0.0.1:8080'],
    ]) {
      const { status, stderr } = spawnSync('npx', ['pawl', ...words], { cwd: folder, env, encoding: 'utf8' });
      expect(status).toBe(2);
      expect(stderr).toContain('npm install @restatedev/restate-sdk @restatedev/restate-sdk-clients');
    }
  });

  it('names its version as package.json does', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(exec('npx', ['pawl', '--version']).trim()).toBe(version);
  });
});
