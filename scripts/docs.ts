/** Fills the parts of README.md that come from the code. `--check` changes nothing and fails if something differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine, overviewMermaid } from '../machines/describe.ts';
import { loopMachine } from '../machines/loop.machine.ts';
import { END_STATUSES, OTHER_EXIT_CODES } from '../machines/status.ts';

const README = new URL('../README.md', import.meta.url);

function statusTable(): string {
  const rows = Object.entries({ ...END_STATUSES, ...OTHER_EXIT_CODES }).map(
    ([name, { exitCode, meaning }]) => ({
      exitCode,
      text: `| \`${name}\` | ${name === 'cancelled' ? '130, 143' : exitCode} | ${meaning} |`,
    }),
  );
  rows.sort((a, b) => a.exitCode - b.exitCode);
  return ['| status | exit code | meaning |', '| --- | --- | --- |', ...rows.map((row) => row.text)].join(
    '\n',
  );
}

/** They lead from everywhere to the same place; the text below the picture says it. */
const EVERYWHERE = ['run.cancelled', 'time.expired', 'record.failed'];

const PARTS = {
  'picture of the machine': () =>
    `\`\`\`mermaid\n${overviewMermaid(describeMachine(loopMachine), EVERYWHERE).trim()}\n\`\`\``,
  'stop statuses': statusTable,
};

/** @throws Error if a part's markers are missing. */
export function fill(readme: string): string {
  return Object.entries(PARTS).reduce((text, [name, make]) => {
    const [start, end] = [`<!-- ${name}: made by \`npm run docs\` -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`README.md lacks the markers of "${name}"`);
    return `${text.slice(0, from + start.length)}\n\n${make()}\n\n${text.slice(to)}`;
  }, readme);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const before = readFileSync(README, 'utf8');
  const after = fill(before);
  if (process.argv.includes('--check')) process.exitCode = before === after ? 0 : 1;
  else writeFileSync(README, after);
}
