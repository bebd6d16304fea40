/**
 * What files were before a run changed them, beside its journal and named by their content: what is there already is not
 * written again. Readable by the owner alone, whatever the file was.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, syncFolder } from './folders.ts';

const folderOf = (journal: string): string => `${journal}.files`;

/** Where a content is kept. @param journal path of the journal */
export const keptPath = (journal: string, digest: string): string => path.join(folderOf(journal), digest);

/** On the disk when it returns. @returns the digest that it is found by. @throws Error of the system */
export function keepContent(journal: string, content: Uint8Array): string {
  const digest = digestOf(content);
  const file = keptPath(journal, digest);
  if (fs.existsSync(file)) return digest;
  makeFolder(folderOf(journal));
  const draft = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(draft, content, { mode: 0o600, flush: true });
    fs.renameSync(draft, file);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  syncFolder(folderOf(journal));
  return digest;
}

/** undefined: it is gone, or is not what was kept. */
export function keptContent(journal: string, digest: string): Buffer | undefined {
  try {
    const content = fs.readFileSync(keptPath(journal, digest));
    return digestOf(content) === digest ? content : undefined;
  } catch {
    return undefined;
  }
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
