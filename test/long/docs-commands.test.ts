/** The commands of the pages beside the README: those of a page run in order, as one story. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandsOf, NOT_HERE, pageNames, readPage, root, shell } from '../helpers/pages.ts';

const base = mkdtempSync(path.join(tmpdir(), 'pawl-docs-'));
afterAll(() => rmSync(base, { recursive: true }));

/** What the commands with such a part print: a limit is left with its own code, and not with any. */
const SAYS: Readonly<Record<string, RegExp>> = {
  'by-hand.ts': /^answered, 4 messages: main\.py failed/,
  '--max-turns 1 ': /^left with 10\n$/,
  '--max-turns 2 ': /^So far I have read three files[\s\S]*\nleft with 10\n$/,
  'script-cut.yaml': /left with 21\n$/,
  'flow-command.ts': /"status":"needs_clarification"/,
  'permissions check': /^deny: deny bash\(sudo\)/,
  'pawl trial': /3 of 3 runs passed/,
  'pawl log': /run\.started[\s\S]*run\.ended +answered/,
};

/** The newest run that the page has made. */
function newestRun(home: string): string {
  const runs = path.join(home, 'state', 'runs');
  const names = existsSync(runs) ? readdirSync(runs).filter((name) => name.endsWith('.jsonl')) : [];
  return names.sort().at(-1)?.replace('.jsonl', '') ?? '';
}

describe.each(
  pageNames().filter((name) => commandsOf(readPage(name)).some((command) => !NOT_HERE.test(command))),
)('%s', (name) => {
  const home = path.join(base, name.replaceAll('/', '-'));
  const commands = commandsOf(readPage(name));

  it.each(commands.filter((command) => !NOT_HERE.test(command)))(
    'shows a command that works: %s',
    async (command) => {
      const { code, stdout, stderr } = await shell(command.replace(/\bRUN\b/, newestRun(home)), home, root);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).toMatch(Object.entries(SAYS).find(([part]) => command.includes(part))?.[1] ?? /\S/);
    },
  );
});
