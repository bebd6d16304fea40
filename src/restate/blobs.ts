/**
 * What is too large for the engine, as files that are named by their content. The engine takes messages of 32 MiB at most,
 * and a call with a larger one waits for ever; it also keeps everything several times. All workers of a pool, and whoever
 * reads runs, must see the same folder: a disk that they share, or a mounted object store.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Longer texts become files. */
const LONGEST_TEXT_BYTES = 1_000_000;

/** Begins no JSON: what it begins is the name of a file. */
const MARK = 'blob ';

/** What the engine has the name of cannot be read or written here. It may be so elsewhere, or later. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
}

/** @param text JSON. @returns the text, or what stands for it. @throws BlobError */
export function pack(folder: string, text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_TEXT_BYTES) return text;
  const digest = createHash('sha256').update(bytes).digest('hex');
  const file = path.join(folder, digest);
  try {
    if (!fs.existsSync(file)) {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = `${file}.${process.pid}`;
      fs.writeFileSync(draft, bytes, { mode: 0o600, flush: true });
      fs.renameSync(draft, file);
    }
  } catch (error) {
    throw new BlobError(
      `A record of ${bytes.length} bytes cannot be kept in ${folder}: ${messageOf(error)}.`,
    );
  }
  return `${MARK}${digest}`;
}

/** @throws BlobError where the file is gone, or is not what was written */
export function unpack(folder: string | undefined, packed: string): string {
  if (!packed.startsWith(MARK)) return packed;
  const digest = packed.slice(MARK.length);
  if (folder === undefined || !/^[0-9a-f]{64}$/.test(digest))
    throw new BlobError(`A record is in the file ${JSON.stringify(digest)} of the workers' blobs.`);
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(path.join(folder, digest));
  } catch (error) {
    throw new BlobError(`The record ${digest} cannot be read from ${folder}: ${messageOf(error)}.`);
  }
  if (createHash('sha256').update(bytes).digest('hex') !== digest)
    throw new BlobError(`The file ${digest} in ${folder} is not what was written.`);
  return bytes.toString('utf8');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
