import { UNKNOWN } from '../wildcard.ts';
import type { Part } from './part.ts';
import { Walk } from './walk.ts';

/** The parts of a command line, as `bash -c` in the workspace would run it. The parser is loaded when first needed. */
export async function analyse(command: string): Promise<readonly Part[]> {
  const walk = new Walk(await import('unbash'));
  walk.script(command);
  const moves = walk.parts.some((part) => part.is === 'command' && isElsewhere(part.words.map(String)));
  return walk.parts.map((part) => {
    if ((part.is !== 'write' && part.is !== 'read') || part.path === UNKNOWN) return part;
    // The shell follows links before "..", and behind a cd the path begins in another folder.
    const isCertain = !part.path.split('/').includes('..') && (!moves || part.path.startsWith('/'));
    return isCertain ? part : { ...part, path: UNKNOWN };
  });
}

/** What stands behind it, or is run by it, works in another folder: env -C DIR, sudo -D DIR. */
const isElsewhere = ([program = '', ...words]: readonly string[]): boolean =>
  /(^|\/)(cd|pushd|popd)$/.test(program) ||
  (/(^|\/)(env|sudo)$/.test(program) && words.some((word) => /^(-\w*[CD]|--chd)/.test(word)));
