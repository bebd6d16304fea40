/** Calls that wait for an approval, for the person who decides: each in full, with the commands that decide. */
import type { WaitingCall } from '../waiting.ts';
import { callToDecide } from './call-to-decide.ts';
import { commandLine, hint, shortName, wrapped } from './format.ts';
import { printableLine } from './printable.ts';
import type { Style } from './style.ts';
import { typed } from './typed.ts';

/**
 * @param run what pawl calls it. @param columns of the terminal; Infinity: nothing breaks
 * @param engine address of the engine that has the run, and goes on with it by itself
 */
export async function waitingLines(
  calls: readonly WaitingCall[],
  run: string,
  workspace: string,
  style: Style,
  columns: number,
  engine?: string,
): Promise<string[]> {
  const where = engine === undefined ? [] : ['--restate', shellWord(engine)];
  const lines: string[] = [];
  for (const { callId, tool, input, fingerprint, file } of calls) {
    const place = [shellWord(run), shellWord(callId)];
    const command = (...words: readonly string[]) => style.dim(commandLine([...words, ...where], columns));
    const head = [style.yellow('?'), style.bold(shortName(tool)), printableLine(callId)];
    lines.push(
      wrapped([...head, style.dim(`(hash ${fingerprint})`)], columns),
      await callToDecide({ tool, input, workspace, file }, style, columns),
      command(typed('approve'), ...place),
      command(typed('deny'), ...place, '--reason', '"…"'),
    );
  }
  return engine === undefined
    ? [...lines, style.dim(hint('then go on with', [typed('resume'), shellWord(run)], columns))]
    : lines;
}

/** "bash toolu_1 (hash 0123456789ab), …": one line for an error. */
export const waitingInShort = (calls: readonly WaitingCall[]): string =>
  calls.length === 0
    ? 'Nothing waits in it.'
    : `What waits: ${calls.map(({ callId, tool, fingerprint }) => `${callId} (${shortName(tool)}, hash ${fingerprint})`).join(', ')}.`;

/** To be copied into a shell: ids are made by the model, paths by anybody. */
export const shellWord = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${printableLine(text).replaceAll("'", "'\\''")}'`;
