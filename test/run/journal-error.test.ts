import { describe, expect, it } from 'vitest';
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { RecordType } from '../../src/journal/record.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import { tools } from '../helpers/props.ts';
import { runOf } from './runs.ts';

const REPLIES = [{ calls: [{ name: 'set', input: { word: 'a' } }] }, { text: 'done' }];
const full = () => new JournalError('could not write the journal memory: no space left on the disk');

/** In memory, but records of one type cannot be written, or not be saved. */
function journalWithout(type: RecordType, how: 'append' | 'sync') {
  const journal = memoryJournal();
  let isBroken = false;
  let closed = 0;
  const wrapped: Journal = {
    location: 'memory',
    append(body) {
      isBroken ||= body.type === type;
      if (isBroken && how === 'append') throw full();
      return journal.append(body);
    },
    async sync() {
      if (isBroken) throw full();
    },
    async close() {
      closed += 1;
    },
  };
  return { journal: wrapped, records: journal.records, closed: () => closed };
}

async function runWithout(type: RecordType, how: 'append' | 'sync') {
  const { journal, records, closed } = journalWithout(type, how);
  let ran = 0;
  const counting = tools.map(
    (tool): Tool =>
      defineTool({
        ...tool,
        run: (input, context) => {
          ran += 1;
          return tool.run(input, context);
        },
      }),
  );
  const { outcome } = await runOf(REPLIES, { journal, tools: counting });
  return { outcome, records, closed, ran: () => ran };
}

describe.each(['append', 'sync'] as const)('a journal whose %s fails', (how) => {
  it.each(['run.started', 'reply.received', 'tool.started'] as const)(
    'at %s: the tool does not run, and the outcome says why',
    async (type) => {
      const { outcome, ran, closed } = await runWithout(type, how);
      expect(outcome).toMatchObject({
        status: 'journal_error',
        exitCode: 50,
        journal: 'memory',
        result: null,
      });
      expect(outcome.errors).toEqual(['could not write the journal memory: no space left on the disk']);
      expect([ran(), closed()]).toEqual([0, 1]);
    },
  );

  it('at tool.finished: nothing is asked after it', async () => {
    const { outcome, ran } = await runWithout('tool.finished', how);
    expect(outcome).toMatchObject({ status: 'journal_error', counters: { attempts: 1 } });
    expect(ran()).toBe(1);
  });

  it('at run.ended: the run has ended all the same, with a note', async () => {
    const { outcome } = await runWithout('run.ended', how);
    expect(outcome).toMatchObject({ status: 'answered', exitCode: 0, result: 'done' });
    expect(outcome.errors).toEqual(['The end of the run could not be noted in memory.']);
  });

  it('gets no record of the end: nothing is appended after the failure', async () => {
    const { records } = await runWithout('reply.received', how);
    expect(records.map(({ type }) => type)).not.toContain('run.ended');
  });
});
