/** `pawl doctor`: whether what a run needs is there. Asks no model, creates nothing, shows no key. */
import path from 'node:path';
import { type Check, checks } from '../doctor-checks.ts';
import { hung } from '../format.ts';
import { outputColumns } from '../log-lines.ts';
import { hasColours, styleOf } from '../style.ts';

const NOT_POSSIBLE_EXIT_CODE = 2;

/** @returns 0 where at least scripted runs are possible */
export async function doctorCommand(folder: string | undefined, asJson: boolean): Promise<number> {
  const found = await checks(path.resolve(folder ?? '.'), process.cwd(), process.env);
  const isPossible = found.every(({ level }) => level !== 'problem');
  process.stdout.write(
    asJson ? `${JSON.stringify({ ok: isPossible, checks: found }, null, 2)}\n` : asText(found),
  );
  return isPossible ? 0 : NOT_POSSIBLE_EXIT_CODE;
}

function asText(found: readonly Check[]): string {
  const { green, yellow, red, dim } = styleOf(hasColours(process.stdout, process.env));
  const marks = { ok: green('✓'), note: yellow('!'), problem: red('✗') };
  const width = Math.max(...found.map(({ name }) => name.length));
  const [columns, indent] = [outputColumns(), width + 4];
  return found
    .map(({ name, level, found: what, remedy }) => {
      const line = `${hung(`${marks[level]} ${name.padEnd(width)}  `, what, columns, indent)}\n`;
      return remedy === null ? line : `${line}${dim(hung(' '.repeat(indent), remedy, columns))}\n`;
    })
    .join('');
}
