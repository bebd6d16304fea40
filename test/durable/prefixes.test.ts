import { describe, expect, it } from 'vitest';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { unanswered } from '../helpers/history.ts';
import { type Played, play } from '../helpers/stage.ts';
import { PLAYS } from '../journal/plays.ts';
import { answeredIn, recover } from './recovery.ts';

const DONE = { text: 'done' };
const LIFTED = { maxTurns: 20, tokenBudget: null, maxToolCalls: null };

/** How a prefix is gone on with: one that has ended needs something to do, and room. */
function goOn({ records, requests }: Played, replies: readonly object[], upTo: number) {
  const prefix = records.slice(0, upTo);
  const n = answeredIn(prefix);
  const fold = foldRecords(prefix);
  const hasEnded = fold.snapshot.status === 'done';
  const more = hasEnded && !fold.transcript.endsInPause ? { instruction: 'Go on.' } : {};
  return recover(prefix, [...replies.slice(n), DONE, DONE], requests.slice(0, n), {
    ...(hasEnded ? { ...more, limits: LIFTED } : {}),
  });
}

const finishedEffects = (records: readonly JournalRecord[]): number =>
  records.filter(({ type }) => type === 'tool.finished').length;

describe.each(PLAYS)('a crash in the middle of $title', ({ status, play: options }) => {
  it('is recovered from behind every record: the service takes every request, and each call has one result', async () => {
    const played = await play(options);
    for (let upTo = 1; upTo <= played.records.length; upTo += 1) {
      const prefix = played.records.slice(0, upTo);
      const after = prefix.at(-1)?.type;
      const first = await goOn(played, options.replies, upTo);
      expect({ upTo, after, violations: first.violations }).toEqual({ upTo, after, violations: [] });
      expect({ upTo, after, open: unanswered(first.outcome.messages) }).toEqual({ upTo, after, open: [] });
      expect(first.records.slice(0, upTo)).toEqual(prefix);
      const ids = first.records.flatMap((record) => (record.type === 'tool.finished' ? [record.callId] : []));
      expect({ upTo, after, ids: [...new Set(ids)] }).toEqual({ upTo, after, ids });
      expect(finishedEffects(prefix) + first.ran.length).toBeLessThanOrEqual(
        finishedEffects(first.records) + first.notices.length,
      );
      const wasOver = foldRecords(prefix).snapshot.status === 'done';
      if (!wasOver) expect({ upTo, after, status: first.outcome.status }).toEqual({ upTo, after, status });
    }
  });

  it('is recovered from in the same way each time, and by a recovery that is itself cut off', async () => {
    const played = await play(options);
    for (let upTo = 1; upTo <= played.records.length; upTo += 1) {
      const [first, second] = await Promise.all([
        goOn(played, options.replies, upTo),
        goOn(played, options.replies, upTo),
      ]);
      expect(second.records).toEqual(first.records);
      expect(second.requests).toEqual(first.requests);
      const cut = first.records.slice(0, upTo + 1);
      const n = answeredIn(cut);
      const third = await recover(
        cut,
        [...options.replies.slice(n), DONE, DONE],
        played.requests.slice(0, n),
      );
      expect({ upTo, violations: third.violations }).toEqual({ upTo, violations: [] });
      expect({ upTo, status: third.outcome.status }).toEqual({ upTo, status: first.outcome.status });
      expect({ upTo, messages: third.outcome.messages }).toEqual({ upTo, messages: first.outcome.messages });
    }
  });
});
