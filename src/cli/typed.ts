/** How a person calls this program here, for hints that can be typed as they stand. */
import path from 'node:path';

/** @param words of the command behind the program's name: "resume RUN" */
export const typed = (words: string): string => `${program()} ${words}`;

/** The same for an example, which may have several commands. */
export const asTyped = (example: string): string => example.replaceAll(/\bpawl (?=[a-z-])/g, `${program()} `);

/** `pawl` only where a shell finds it: npm puts its own folder of programs into the PATH of what it starts. */
function program(): string {
  const {
    argv: [, script = ''],
    env,
  } = process;
  if (env.npm_command === 'exec' || script.includes(`${path.sep}node_modules${path.sep}.bin${path.sep}`))
    return 'npx pawl';
  if (path.basename(script) !== 'cli.js') return 'pawl';
  const file = fromHere(script);
  return `node ${/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`;
}

/** The folder that the person is in may be gone. */
function fromHere(script: string): string {
  try {
    const near = path.relative(process.cwd(), script);
    return near.startsWith('..') ? script : near;
  } catch {
    return script;
  }
}
