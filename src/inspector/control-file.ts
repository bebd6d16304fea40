/**
 * Where a run can be steered from: a file beside its journal, for its owner alone, that holds the address of its server
 * and the token. It is gone when the run has ended; one that a killed process has left names a server that no longer answers.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';

export interface ControlFile {
  readonly runId: string;
  readonly address: string;
  readonly token: string;
  readonly pid: number;
}

export const controlPath = (journal: string): string => journal.replace(/(\.jsonl)?$/, '.inspect');

/** @throws the system's error */
export function writeControlFile(journal: string, content: ControlFile): void {
  const draft = `${controlPath(journal)}.${randomUUID()}`;
  try {
    fs.writeFileSync(draft, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
    fs.renameSync(draft, controlPath(journal));
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** What another process has put in its place meanwhile stays. */
export function removeControlFile(journal: string, { token }: ControlFile): void {
  if (readControlFile(journal)?.token === token) fs.rmSync(controlPath(journal), { force: true });
}

/** undefined: there is none, or nothing that pawl writes. An address that is not on this machine is not believed. */
export function readControlFile(journal: string): ControlFile | undefined {
  try {
    const fd = fs.openSync(controlPath(journal), TO_LOOK);
    try {
      const found = fs.fstatSync(fd);
      if (!found.isFile() || found.size > LARGEST_BYTES) return undefined;
      const { runId, address, token, pid } = JSON.parse(fs.readFileSync(fd, 'utf8')) as Partial<ControlFile>;
      if (typeof runId !== 'string' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
      return /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(address ?? '') && address
        ? { runId, address, token, pid }
        : undefined;
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

const TO_LOOK = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW;
const LARGEST_BYTES = 4_096;
