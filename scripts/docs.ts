/** Fills the parts of the pages that come from the code. `--check` changes nothing and fails if something differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine, overviewMermaid } from '../machines/describe.ts';
import { loopMachine } from '../machines/loop.machine.ts';
import { END_STATUSES, OTHER_EXIT_CODES } from '../machines/status.ts';
import { builtinTools, toolRegistry } from '../src/tools/registry.ts';

/** Each page, and which parts it has. */
export const PAGES: Readonly<Record<string, readonly Part[]>> = {
  'README.md': ['picture of the machine', 'stop statuses'],
  'README.zh-CN.md': ['picture of the machine'],
  'docs/guide.md': ['inputs of the tools'],
  'docs/limits-and-statuses.md': ['stop statuses'],
};

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

interface Field {
  readonly type?: string;
  readonly description?: string;
}

/** What a script, a rule or a hook needs to know of the tools that come with pawl. */
function inputTable(): string {
  const rows = toolRegistry(builtinTools()).specs.flatMap(({ name, inputSchema }) => {
    const { properties = {}, required = [] } = inputSchema as {
      readonly properties?: Readonly<Record<string, Field>>;
      readonly required?: readonly string[];
    };
    const fields = Object.entries(properties);
    if (fields.length === 0) return [`| \`${name}\` | | |`];
    return fields.map(([field, { type, description }], at) => {
      const tool = at === 0 ? `\`${name}\`` : '';
      const need = required.includes(field) ? '' : ', optional';
      const text = (description ?? '').replace(/[|*\\]/g, '\\$&');
      return `| ${tool} | \`${field}\` | ${type}${need}. ${text} |`;
    });
  });
  return ['| tool | field | |', '| --- | --- | --- |', ...rows].join('\n');
}

/** They lead from everywhere to the same place; the text below the picture says it. */
const EVERYWHERE = ['run.cancelled', 'time.expired', 'record.failed'];

type Part = 'picture of the machine' | 'stop statuses' | 'inputs of the tools';

const MADE: Readonly<Record<Part, () => string>> = {
  'picture of the machine': () =>
    `\`\`\`mermaid\n${overviewMermaid(describeMachine(loopMachine), EVERYWHERE).trim()}\n\`\`\``,
  'stop statuses': statusTable,
  'inputs of the tools': inputTable,
};

/** @throws Error if a part's markers are missing. */
export function fill(
  text: string,
  parts: readonly Part[] = ['picture of the machine', 'stop statuses'],
): string {
  return parts.reduce((page, name) => {
    const [start, end] = [`<!-- ${name}: made by \`npm run docs\` -->`, `<!-- /${name} -->`];
    const [from, to] = [page.indexOf(start), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the page lacks the markers of "${name}"`);
    return `${page.slice(0, from + start.length)}\n\n${MADE[name]()}\n\n${page.slice(to)}`;
  }, text);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const [name, parts] of Object.entries(PAGES)) {
    const page = new URL(`../${name}`, import.meta.url);
    const before = readFileSync(page, 'utf8');
    const after = fill(before, parts);
    if (!process.argv.includes('--check')) writeFileSync(page, after);
    else if (before !== after) process.exitCode = 1;
  }
}
