import { describe, expect, it } from 'vitest';
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { RecordType } from '../../src/journal/record.ts';
import { RunLog } from '../../src/journal/run-log.ts';
import { Transcript } from '../../src/journal/transcript.ts';
import { header, message, reply, text } from '../helpers/records.ts';

const full = new JournalError('could not write the journal: no space left on the disk');

function logOn(journal: Journal) {
  const seen: RecordType[] = [];
  const transcript = new Transcript();
  return { log: new RunLog(journal, transcript, ({ type }) => seen.push(type)), transcript, seen };
}

describe('the log of a run', () => {
  it('notes a record in the journal, then in the transcript, then tells of it', () => {
    const journal = memoryJournal();
    const { log, transcript, seen } = logOn(journal);
    log.note(header({ task: 'the task' }));
    expect(journal.records).toHaveLength(1);
    expect(transcript.messages).toEqual([{ role: 'user', content: [text('the task')] }]);
    expect(seen).toEqual(['run.started']);
  });

  it('saves when the journal has synced, and not before', async () => {
    let release = () => {};
    const synced = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { log, seen } = logOn({ ...memoryJournal(), sync: () => synced });
    let isSaved = false;
    const saving = log.save(header()).then(() => {
      isSaved = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([seen, isSaved]).toEqual([['run.started'], false]);
    release();
    await saving;
    expect(isSaved).toBe(true);
  });

  it('neither shows nor tells what could not be appended, and remembers why', () => {
    const append = () => {
      throw full;
    };
    const { log, transcript, seen } = logOn({ ...memoryJournal(), append });
    expect(() => log.note(header())).toThrow(full);
    expect([transcript.messages, seen, log.failure]).toEqual([[], [], full]);
  });

  it('remembers the first failure of a sync', async () => {
    const failures = [full, new JournalError('again')];
    const sync = async () => {
      throw failures.shift();
    };
    const { log } = logOn({ ...memoryJournal(), sync });
    await expect(log.save(header())).rejects.toBe(full);
    await expect(log.save(reply(1, message('end_turn')))).rejects.toThrow('again');
    expect(log.failure).toBe(full);
  });

  it('takes another error for what it is, a defect', async () => {
    const defect = new TypeError('not what was agreed');
    const sync = async () => {
      throw defect;
    };
    const { log } = logOn({ ...memoryJournal(), sync });
    await expect(log.save(header())).rejects.toBe(defect);
    expect(log.failure).toBeUndefined();
  });
});
