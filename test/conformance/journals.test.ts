import path from 'node:path';
import { expect, it } from 'vitest';
import { fileJournal, reopenJournal } from '../../src/journal/file.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { header } from '../helpers/records.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { journalSuite } from './journals.ts';

journalSuite({
  name: 'the journal in a file',
  open(now) {
    const file = path.join(scratchFolder(), 'runs', 'a-run.jsonl');
    return {
      journal: fileJournal(file, now),
      read: async () => (await readJournal(file)).records,
      reopen: async () => (await reopenJournal(file, now)).journal,
    };
  },
});

journalSuite({
  name: 'the journal in memory',
  open(now) {
    let journal = memoryJournal(now);
    return {
      journal,
      read: async () => journal.records,
      reopen: async () => {
        journal = memoryJournal(now, journal.records);
        return journal;
      },
    };
  },
});

it('a journal in memory shares nothing with the records that it begins with', () => {
  const stops = { maxTurns: 7 };
  const earlier = [{ seq: 0, at: '', ...header(), settings: stops }] satisfies JournalRecord[];
  const journal = memoryJournal(() => 0, earlier);
  stops.maxTurns = 8;
  journal.append(header());
  expect(journal.records).toHaveLength(2);
  expect(journal.records[0]).toMatchObject({ settings: { maxTurns: 7 } });
  expect(earlier).toHaveLength(1);
});
