import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { RunLog } from '../../src/journal/run-log.ts';
import { Transcript } from '../../src/journal/transcript.ts';

/**
 * The log of a run that has come as far as the records say. `story` tells in order what is written ("write …") and what
 * has reached the disk ("disk"); tests add what else happened.
 */
export function logOf(...records: readonly RecordBody[]) {
  const journal = memoryJournal(() => 0);
  const story: string[] = [];
  const log = new RunLog(
    {
      ...journal,
      append(body) {
        story.push(`write ${body.type}`);
        return journal.append(body);
      },
      async sync() {
        await nextTurn();
        story.push('disk');
      },
    },
    new Transcript(),
    () => {},
  );
  for (const record of records) log.note(record);
  story.length = 0;
  /** Records since then, without number and time. */
  const written = () => journal.records.slice(records.length).map(({ seq, at, ...body }) => body);
  return { log, story, written };
}
