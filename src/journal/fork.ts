/** A run that begins as another one did: its records up to a place, under a new header. */
import fs from 'node:fs';
import path from 'node:path';
import { attempt } from './failure.ts';
import { foldRecords } from './fold.ts';
import { makeFolder, syncFolder } from './folders.ts';
import { encodeLine, GENESIS } from './line.ts';
import { type JournalRecord, RECORD_VERSION } from './record.ts';

export interface Fork {
  readonly runId: string;
  /** Of the pawl that forks. */
  readonly pawl: string;
  /** Another task where nothing but the header is taken along; else a word for the model behind the records. */
  readonly task?: string;
  /** Milliseconds. */
  readonly now: number;
}

/** The model paused in the middle of a turn, and no word may come between. */
export class CannotInstruct extends Error {
  override readonly name = 'CannotInstruct';
}

/**
 * The records of the new run. A run.ended at the end is taken along like any other: whether a run goes on is up to who
 * resumes it. Times stay as they were; when it was forked is in the header.
 * @param origin its records up to the last one that is taken along; the first one must be run.started
 * @throws CannotInstruct
 */
export function forkedRecords(
  origin: readonly JournalRecord[],
  { runId, pawl, task, now }: Fork,
): JournalRecord[] {
  const [started, ...rest] = origin;
  if (started?.type !== 'run.started') throw new Error('the records do not begin with run.started');
  const from = { runId: started.runId, seq: rest.length, at: new Date(now).toISOString() };
  const header = { ...started, runId, origin: from };
  if (task === undefined) return [header, ...rest];
  if (rest.length === 0) return [{ ...header, task }];
  const { header: current, transcript, task: checked } = foldRecords(origin);
  if (transcript.endsInPause)
    throw new CannotInstruct(
      'the model has paused in the middle of its turn there, and no word may come between',
    );
  const { workspace, limits } = current;
  return [
    header,
    ...rest,
    {
      seq: origin.length,
      at: new Date(now).toISOString(),
      type: 'run.resumed',
      version: RECORD_VERSION,
      pawl,
      workspace,
      limits,
      ...(current.check && { repairs: checked.context.repairs }),
      instruction: task,
    },
  ];
}

/**
 * Writes a whole journal, readable by its owner alone. It is on the disk before it has its name.
 * @throws JournalError if there is such a file, or it cannot be written
 */
export function writeJournal(file: string, records: readonly JournalRecord[]): void {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  attempt('write', file, () => {
    makeFolder(path.dirname(file));
    try {
      fs.writeFileSync(draft, textOf(records), { flag: 'wx', mode: 0o600, flush: true });
      fs.linkSync(draft, file);
    } finally {
      fs.rmSync(draft, { force: true });
    }
    syncFolder(path.dirname(file));
  });
}

/** The checksums follow from the header, so each line gets a new one. */
function textOf(records: readonly JournalRecord[]): string {
  let sum = GENESIS;
  return records
    .map((record) => {
      const line = encodeLine(record, sum);
      sum = line.sum;
      return line.text;
    })
    .join('');
}
