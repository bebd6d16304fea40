import { closeSync } from 'node:fs';
import { basename, relative } from 'node:path';
import * as z from 'zod';
import { beforeCut } from '../sandbox/cut.ts';
import type { Captured, ProcessResult } from '../sandbox/sandbox.ts';
import { fileFailure } from './file-failure.ts';
import { assertAt, openChecked } from './opened.ts';
import { findAny, shownPath } from './paths.ts';
import { type ProcessLimits, seconds } from './process-limits.ts';
import { processOutput } from './process-output.ts';
import { firstMatches } from './search-output.ts';
import { assertInclude, assertPattern } from './search-pattern.ts';
import { SECRET_PATTERNS } from './secret-files.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** What grep may print before its middle is left out; far more than is shown, so that one long line does not hide the others. */
const CAPTURED_CHARACTERS = 1_000_000;

const LONGEST_REMARK = 1_000;

const CLOSED = ['.git', 'node_modules'];

/** grep searches: in a process of its own, in linear time, stopped by the deadline. Nothing here evaluates the pattern. */
export function searchFilesTool({ timeoutMs = 30_000 }: Partial<Pick<ProcessLimits, 'timeoutMs'>> = {}) {
  return defineTool({
    name: 'search_files',
    description: `Searches the text files of the workspace for lines that match a pattern, and returns them as path:line:text. The pattern is a POSIX extended regular expression, as \`grep -E\` takes it, and case counts. Binary files and the content of .git and node_modules are left out (unless the path names such a folder), and so are .env files. Long lines are cut, and of many matches the first are returned. Time limit ${seconds(timeoutMs)}.`,
    input: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .describe(
          'Extended regular expression for a part of one line. Escape . [ ( ) * + ? { | ^ $ to mean them literally. \\w \\s \\b work; for a digit write [0-9].',
        ),
      path: z
        .string()
        .min(1)
        .default('.')
        .describe('Folder or file to search, relative to the workspace. Default: all of it.'),
      include: z
        .string()
        .min(1)
        .optional()
        .describe('Only files whose name (without folders) matches this shell pattern, such as *.ts.'),
    }),
    effect: 'read',
    async run({ pattern, path, include }, context) {
      const { workspace, sandbox, signal, closed = [] } = context;
      assertPattern(pattern);
      if (include !== undefined) assertInclude(include);
      const { real, isFolder } = await findAny(context, path);
      const target = shownPath(workspace, real);
      const args = [
        '-rnHIE',
        // grep would also leave out the folder that was asked for by name.
        ...CLOSED.filter((name) => name !== basename(target)).map((name) => `--exclude-dir=${name}`),
        ...(include === undefined ? [] : [`--include=${include}`]),
        // Behind include: the last one that fits decides. A file that was asked for by its path has been checked.
        ...(isFolder ? SECRET_PATTERNS.map((name) => `--exclude=${name}`) : []),
        ...['-e', pattern, '--', target === '.' ? '.' : `./${target}`],
      ];
      const limits = { timeoutMs, maxCharacters: CAPTURED_CHARACTERS };
      const request = { command: 'grep', args, cwd: workspace, signal, ...limits };
      const found = await whileAt(real, () => sandbox.run(request)).catch((error: unknown) => {
        throw fileFailure(error, 'search', path);
      });
      const result = withoutLines(
        found,
        closed.map((beginning) => `./${relative(workspace, beginning)}${beginning.endsWith('/') ? '/' : ''}`),
      );
      return result.end.kind === 'exited' ? matches(result, result.end.exitCode) : failed(result, timeoutMs);
    },
  });
}

/**
 * grep is given a path, and nobody can look over its shoulder. So what it found counts only if the same file or folder
 * lies there before and after. A link that comes and goes in between is not noticed.
 */
async function whileAt<Result>(real: string, work: () => Promise<Result>): Promise<Result> {
  const handle = openChecked(real);
  try {
    const result = await work();
    assertAt(handle, real);
    return result;
  } finally {
    closeSync(handle);
  }
}

/** What is closed is found where no sandbox hides it: by its name alone, grep cannot be told to leave out a folder of many. */
function withoutLines(result: ProcessResult, beginnings: readonly string[]): ProcessResult {
  if (beginnings.length === 0) return result;
  const isOpen = (line: string) => !beginnings.some((beginning) => line.startsWith(beginning));
  const open = ({ text, ...rest }: Captured) => ({
    ...rest,
    text: text.split('\n').filter(isOpen).join('\n'),
  });
  return { ...result, stdout: open(result.stdout), stderr: open(result.stderr) };
}

/** grep: 0 found, 1 not found, 2 something went wrong, perhaps with one file only while others matched. */
function matches(result: ProcessResult, exitCode: number): string {
  const said = result.stderr.text.trim();
  const remarks = said.length > LONGEST_REMARK ? beforeCut(said.slice(0, LONGEST_REMARK)).trimEnd() : said;
  if (exitCode > 1 && result.stdout.text === '')
    throw new ToolFailure(
      `The search failed: ${remarks || `grep ended with exit code ${exitCode}`}\nCorrect the pattern or the path and try again.`,
    );
  const found = result.stdout.text === '' ? 'No matches.' : firstMatches(result.stdout);
  return remarks === '' ? found : `${found}\n[grep says: ${remarks}]`;
}

/** What was found before a deadline is of use; all of it is too much. */
function failed(result: ProcessResult, timeoutMs: number) {
  const stdout = { ...result.stdout, text: result.stdout.text === '' ? '' : firstMatches(result.stdout) };
  return processOutput({ ...result, stdout }, timeoutMs);
}
