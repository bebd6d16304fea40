/** A journal that takes no more, from any record on. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileJournal } from '../../src/journal/file.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import { GENESIS } from '../../src/journal/line.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { readJournal } from '../../src/journal/read.ts';
import { journalWriter } from '../../src/journal/writer.ts';
import type { ModelClient } from '../../src/model/client.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { run } from '../../src/run.ts';
import { approver, policy } from '../helpers/props.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { counted, recover } from './recovery.ts';

const REPLIES = [
  {
    calls: [
      { name: 'look', input: { word: 'a' } },
      { name: 'write', input: { word: 'please' } },
      { name: 'set', input: {} },
    ],
  },
  { calls: [{ name: 'write', input: { word: 'please' } }] },
  { text: 'done' },
];

/** Refuses a record, or the sync behind it, and everything after that. */
function failingAt(journal: Journal, seq: number, at: 'append' | 'sync'): Journal {
  let count = 0;
  const full = () =>
    new JournalError(`could not write the journal ${journal.location}: no space left on the disk`);
  return {
    ...journal,
    append(body) {
      if (count > seq || (count === seq && at === 'append')) throw full();
      count += 1;
      return journal.append(body);
    },
    async sync() {
      if (count > seq) throw full();
      return journal.sync();
    },
  };
}

async function runOn(journal: Journal) {
  const ran: string[] = [];
  const requests: object[] = [];
  const model = scriptedModel(REPLIES);
  const client: ModelClient = {
    ...model,
    ask: (request, options) => {
      requests.push(request);
      return model.ask(request, options);
    },
  };
  const outcome = await run({
    task: 't',
    model: 'm',
    client,
    tools: counted(ran),
    policy,
    approver,
    journal,
  });
  return { outcome, ran, requests };
}

describe.each(['append', 'sync'] as const)('a journal whose %s fails', (at) => {
  it('at any record stops the run before anything else happens, and what is there can be gone on with', async () => {
    const whole = memoryJournal();
    await runOn(whole);
    // The last record is a note for readers: the run has its outcome without it.
    for (let seq = 0; seq < whole.records.length - 1; seq += 1) {
      const file = path.join(scratchFolder(), 'a-run.jsonl');
      const { outcome, ran, requests } = await runOn(failingAt(fileJournal(file), seq, at));
      expect({ seq, status: outcome.status, exitCode: outcome.exitCode }).toEqual({
        seq,
        status: 'journal_error',
        exitCode: 50,
      });
      expect(outcome.errors.join()).toContain(`${file}: no space left on the disk`);
      const saved = seq + (at === 'append' ? 0 : 1);
      const before = whole.records.slice(0, saved);
      const effects = new Set(['write', 'set']);
      const started = before.filter(({ type }) => type === 'tool.started').length;
      expect({ seq, ran: ran.filter((name) => effects.has(name)).length <= started }).toEqual({
        seq,
        ran: true,
      });
      const answers = before.filter(({ type }) => type === 'reply.received').length;
      expect(requests.length).toBeLessThanOrEqual(answers + 1);
      if (saved === 0) continue;
      const { records } = await readJournal(file);
      expect(records).toHaveLength(saved);
      if (foldRecords(records).snapshot.status === 'done') continue;
      const { outcome: later, violations } = await recover(records, REPLIES.slice(answers), []);
      expect({ seq, status: later.status, violations }).toEqual({ seq, status: 'answered', violations: [] });
    }
  });
});

describe('a full disk', () => {
  it('at the first record lets nothing begin: no request, no call, and the message says what is wrong', async () => {
    const fd = fs.openSync('/dev/full', 'a');
    const nobody = { release: () => {} };
    const journal = journalWriter('/dev/full', fd, nobody, { offset: 0, seq: 0, sum: GENESIS }, Date.now);
    const { outcome, ran, requests } = await runOn(journal);
    expect(outcome).toMatchObject({
      status: 'journal_error',
      exitCode: 50,
      errors: [expect.stringContaining('could not write the journal /dev/full: no space left on the disk')],
    });
    expect({ ran, requests }).toEqual({ ran: [], requests: [] });
  });
});
