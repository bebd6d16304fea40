/** Crashes behind the records of a run, and how it is gone on with. */
import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../machines/status.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { checksIn, exitingSandbox, playChecked } from '../helpers/checked.ts';
import { unanswered } from '../helpers/history.ts';
import { someOf } from '../helpers/some-of.ts';
import { play } from '../helpers/stage.ts';
import { CHECKED_PLAYS, PLAYS } from '../journal/plays.ts';
import { answeredIn, recover } from './recovery.ts';

const DONE = { text: 'done' };
const LIFTED = { maxTurns: 20, tokenBudget: null, maxToolCalls: null };

interface Played {
  readonly records: readonly JournalRecord[];
  readonly requests: readonly ModelRequest[];
}

interface Run {
  readonly title: string;
  readonly status: RunStatus;
  readonly replies: readonly ScriptReply[];
  /** What the checks of its answers exit with. */
  readonly codes: readonly number[];
  readonly played: () => Promise<Played>;
}

const RUNS: readonly Run[] = [
  ...PLAYS.map(({ title, status, play: options }) => ({
    ...{ title, status, replies: options.replies, codes: [] },
    played: () => play(options),
  })),
  ...CHECKED_PLAYS.map(({ title, status, play: options }) => ({
    ...{ title, status, replies: options.replies, codes: options.codes },
    played: () => playChecked(options),
  })),
];

/** Goes on behind these records, with what is left of script and checks. */
function goOnBehind(
  records: readonly JournalRecord[],
  { replies, codes }: Run,
  played: Played,
  more: object,
) {
  const n = answeredIn(records);
  const sandbox = exitingSandbox(codes.slice(checksIn(records)));
  return recover(records, [...replies.slice(n), DONE, DONE], played.requests.slice(0, n), {
    sandbox,
    ...more,
  });
}

/** How a prefix is gone on with: one that has ended needs something to do, and room. */
function goOn(played: Played, one: Run, upTo: number) {
  const prefix = played.records.slice(0, upTo);
  const fold = foldRecords(prefix);
  const more = fold.transcript.endsInPause ? {} : { instruction: 'Go on.' };
  return goOnBehind(prefix, one, played, fold.status === null ? {} : { ...more, limits: LIFTED });
}

const finishedEffects = (records: readonly JournalRecord[]): number =>
  records.filter(({ type }) => type === 'tool.finished').length;

/** @param every behind which of the records a run is cut: every one for 1, each third for 3 */
export function describeCrashes(every: number): void {
  const where = every === 1 ? 'every record' : `one record in ${every}`;

  describe.each(RUNS)('a crash in the middle of $title', (one) => {
    const { status } = one;
    const cuts = ({ records }: Played) => someOf(records, every, one.replies.length).map((at) => at + 1);

    it(`is recovered from behind ${where}: the service takes every request, and each call has one result`, async () => {
      const played = await one.played();
      for (const upTo of cuts(played)) {
        const prefix = played.records.slice(0, upTo);
        const after = prefix.at(-1)?.type;
        const first = await goOn(played, one, upTo);
        expect({ upTo, after, violations: first.violations }).toEqual({ upTo, after, violations: [] });
        expect({ upTo, after, open: unanswered(first.outcome.messages) }).toEqual({ upTo, after, open: [] });
        expect(first.records.slice(0, upTo)).toEqual(prefix);
        const ids = first.records.flatMap((record) =>
          record.type === 'tool.finished' ? [record.callId] : [],
        );
        expect({ upTo, after, ids: [...new Set(ids)] }).toEqual({ upTo, after, ids });
        expect(finishedEffects(prefix) + first.ran.length).toBeLessThanOrEqual(
          finishedEffects(first.records) + first.notices.length,
        );
        const wasOver = foldRecords(prefix).status !== null;
        if (!wasOver) expect({ upTo, after, status: first.outcome.status }).toEqual({ upTo, after, status });
        if (!wasOver) expect(checksIn(first.records)).toBe(checksIn(played.records));
      }
    });

    it(`is recovered from in the same way each time, and by a recovery that is itself cut off (${where})`, async () => {
      const played = await one.played();
      for (const upTo of cuts(played)) {
        const [first, second] = await Promise.all([goOn(played, one, upTo), goOn(played, one, upTo)]);
        expect(second.records).toEqual(first.records);
        expect(second.requests).toEqual(first.requests);
        const cut = first.records.slice(0, upTo + 1);
        const third = await goOnBehind(cut, one, played, {});
        expect({ upTo, violations: third.violations }).toEqual({ upTo, violations: [] });
        expect({ upTo, status: third.outcome.status }).toEqual({ upTo, status: first.outcome.status });
        expect({ upTo, messages: third.outcome.messages }).toEqual({
          upTo,
          messages: first.outcome.messages,
        });
      }
    });
  });
}
