/**
 * Files that by custom hold keys and passwords. What a file tool returns goes to the model service and into the journal,
 * so these files are closed to all of them. That keeps secrets from getting there by the way; it is no wall: a process
 * that the model starts can read every file that the person can.
 */
import { basename } from 'node:path';
import { spell } from './names.ts';
import { ToolFailure } from './tool.ts';

/** Case does not count, since on some systems `.ENV` opens `.env`. */
const SECRET = /^\.env(?!\.(example|sample|template)$)(\..*)?$/is;

/** The same as patterns of grep's, which knows no exceptions: the harmless ones have to be searched by their path. */
export const SECRET_PATTERNS: readonly string[] = ['.[eE][nN][vV]', '.[eE][nN][vV].*'];

/** @param real where the path leads. @throws ToolFailure when either of the two names such a file */
export function assertNoSecrets(path: string, real: string): void {
  if (!SECRET.test(basename(path)) && !SECRET.test(basename(real))) return;
  throw new ToolFailure(
    `${spell(path)} was not touched: files of this name hold secrets. Ask the person for what is needed from it or in it. ` +
      'Files named .env.example, .env.sample and .env.template can be used.',
  );
}
