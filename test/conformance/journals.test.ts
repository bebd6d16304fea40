import path from 'node:path';
import { fileJournal } from '../../src/journal/file.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { readJournal } from '../../src/journal/read.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { journalSuite } from './journals.ts';

journalSuite({
  name: 'the journal in a file',
  open(now) {
    const file = path.join(scratchFolder(), 'runs', 'a-run.jsonl');
    return { journal: fileJournal(file, now), read: async () => (await readJournal(file)).records };
  },
});

journalSuite({
  name: 'the journal in memory',
  open(now) {
    const journal = memoryJournal(now);
    return { journal, read: async () => journal.records };
  },
});
