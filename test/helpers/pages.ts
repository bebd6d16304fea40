/** Pages of documentation: their blocks, and their commands as a person would type them. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { exampleNames } from '../../examples/scenarios.ts';
import { says } from '../field/support.ts';
import { startStrictServer } from './strict-server.ts';

export const root = path.resolve(import.meta.dirname, '../..');

export const readPage = (page: string): string => readFileSync(path.join(root, page), 'utf8');

/** All beside the README. */
export const pageNames = (): string[] => [
  ...readdirSync(path.join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  'examples/README.md',
  ...exampleNames().map((name) => `examples/${name}/README.md`),
];

/** What stands between the fences of a language. */
export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (match) => match[1] ?? '',
  );

export const commandsOf = (page: string): string[] =>
  blocksOf(page, 'sh').flatMap((block) => block.split('\n').filter((line) => line !== ''));

/** They install, run the tests, or play what has tests of its own: `npm run examples` is run by the long ones. */
export const NOT_HERE = /^(npm ci && npm (start|test)|npm run examples\b|export ANTHROPIC_API_KEY)/;

/** Runs a command with the command line that was built, a home of its own, and a service that answers "fine". */
export async function shell(command: string, home: string, cwd: string) {
  const service = await startStrictServer([says('fine')]);
  const pawl = `"${process.execPath}" "${root}/dist/cli.js"`;
  const define = `npx() { if [ "$1" = pawl ]; then shift; ${pawl} "$@"; else "${root}/node_modules/.bin/$1" "\${@:2}"; fi; }`;
  mkdirSync(home, { recursive: true });
  const child = spawn('bash', ['-c', `${define}; ${command}`], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: service.url,
      PAWL_HOME: path.join(home, 'state'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, stdout, stderr] = await Promise.all([
    new Promise((resolve) => child.on('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  await service.close();
  return { code, stdout, stderr };
}
