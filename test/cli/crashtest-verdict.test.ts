import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../src/cli/crash-plan.ts';
import type { Trial } from '../../src/cli/crash-trial.ts';
import { judgeTrial, problemsOf } from '../../src/cli/crash-verdict.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { header, message, reply, text } from '../helpers/records.ts';

const recordsOf = (...bodies: readonly RecordBody[]): JournalRecord[] =>
  bodies.map((body, seq) => ({ seq, at: '2026-11-30T09:45:12.000Z', ...body }));
const answered = (words: string) => recordsOf(header(), reply(1, message('end_turn', text(words))));

const failed = (words: string): RecordBody => ({
  type: 'attempt.failed',
  turn: 1,
  attempt: 1,
  failure: { kind: 'script', message: words, retryable: false, delayMs: 0 },
});

const request = (task: string): LedgerEntry => ({
  is: 'request',
  request: {
    model: 'm',
    system: '',
    messages: [{ role: 'user', content: [text(task)] }],
    tools: [],
    toolsOff: false,
    maxOutputTokens: 1,
    effort: null,
  },
});
const effect = (callId: string): LedgerEntry => ({ is: 'effect', tool: 'bash', callId });

const trial = (changes: Partial<Trial> = {}): Trial => ({
  folder: '/nowhere',
  processes: 2,
  diedAt: 'after the request',
  ledger: [request('the task'), effect('a'), request('the task'), effect('b')],
  survivors: recordsOf(header()),
  records: answered('done'),
  isUnclear: false,
  problem: undefined,
  ...changes,
});

describe('the verdict on a trial', () => {
  it('finds nothing where the run went on as if nothing had been', () => {
    expect(problemsOf(judgeTrial(trial(), trial()))).toEqual([]);
  });

  it.each([
    [
      'an effect more than once, with how often',
      { ledger: [effect('a'), effect('a'), effect('b'), effect('a')] },
      { effectsDoneTwice: ['the call bash (a) was executed 3 times'] },
    ],
    [
      'records that are gone, and those that are other ones',
      { survivors: [...answered('other'), ...answered('done')].map((record, seq) => ({ ...record, seq })) },
      {
        lostRecords: [
          'record 1, reply.received, is gone or another one',
          'record 2, run.started, is gone or another one',
          'record 3, reply.received, is gone or another one',
        ],
      },
    ],
    [
      'a request that does not repeat the one before it',
      { ledger: [request('the task'), request('another task')] },
      { refusedHistories: ['request 2: block 0 is not as it was in the request before'] },
    ],
    [
      'another status, with what the run says of it',
      { records: recordsOf(header(), reply(1, message('refusal'))) },
      {
        differingEnds: [
          'it ended as refused, undisturbed as answered; it says: The model refused the request.',
        ],
      },
    ],
    [
      'a script that has no reply for what the model is told, in words of its own',
      { records: recordsOf(header(), failed('The script has no reply left.')) },
      {
        differingEnds: [
          'it ended as model_error, undisturbed as answered; it says: The script has no reply left.',
        ],
      },
    ],
    [
      'another answer',
      { records: answered('no') },
      { differingEnds: ['it answered "no", undisturbed "done"'] },
    ],
    [
      'a run that came to no end',
      { problem: 'the run has not ended' },
      { differingEnds: ['the run has not ended'] },
    ],
  ] as const)('tells %s', (_, changes, found) => {
    const verdict = judgeTrial(trial(changes), trial());
    expect(verdict).toMatchObject(found);
    expect(problemsOf(verdict)).toEqual(Object.values(found).flat());
  });

  it('lets the answer differ, but not the status, where nobody knows what came of a call', () => {
    const unclear = { isUnclear: true };
    expect(problemsOf(judgeTrial(trial({ ...unclear, records: answered('so?') }), trial()))).toEqual([]);
    const refused = recordsOf(header(), reply(1, message('refusal')));
    expect(problemsOf(judgeTrial(trial({ ...unclear, records: refused }), trial()))).toHaveLength(1);
  });
});
