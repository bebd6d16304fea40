import type { RunLog } from '../journal/run-log.ts';
import type { JobWork } from './job.ts';

/** Saves what the machine wants saved. `record.saved` is said only when the record is on the disk. */
export const appendJournal =
  (log: RunLog): JobWork<'appendJournal'> =>
  async ({ input: { record }, send }) => {
    await log.save(record);
    send({ type: 'record.saved', record: record.type, turn: record.turn });
  };
