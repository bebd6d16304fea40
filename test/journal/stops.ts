/** Runs that are stopped from outside at any moment: what their records say is what the machine knew. */
import { describe, expect, it } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { stateName } from '../../machines/state-name.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import { unanswered } from '../helpers/history.ts';
import { someOf } from '../helpers/some-of.ts';
import { type Play, type Played, play, type Shot, stage } from '../helpers/stage.ts';
import { PLAYS } from './plays.ts';

const foldedShot = (records: readonly JournalRecord[]): Shot => {
  const { snapshot } = foldRecords(records);
  return { state: stateName(snapshot.value), context: snapshot.context };
};

/** What came from outside reaches the records with the closing: until then they cannot tell of it. */
function isUntold({ context: { stop } }: Shot, records: readonly JournalRecord[]): boolean {
  const told = records.some((record) => record.type === 'run.closing' && record.stop.status === stop?.status);
  return (stop?.status === 'cancelled' || stop?.status === 'time_limit') && !told;
}

const spent = ({ context: { usage, counters, calls } }: Shot) => ({ usage, counters, calls });

/** @param stoppedAfter records that were there when the event came; what was before it is seen in the undisturbed run */
function expectFoldsToAgree({ records, shots, final, transcript }: Played, stoppedAfter: number): void {
  for (const { seq, type } of records.slice(stoppedAfter)) {
    const shot = shots.get(seq);
    if (type === 'run.ended' || shot === undefined)
      throw new Error(`the machine never knew of ${seq} ${type}`);
    const known = records.slice(0, seq + 1);
    const view = isUntold(shot, known) ? spent : (one: Shot) => one;
    expect({ seq, type, ...view(foldedShot(known)) }).toEqual({ seq, type, ...view(shot) });
  }
  const end = foldedShot(records);
  expect(end.state).toBe(final.state);
  if (!isUntold(final, records)) expect(end).toEqual(final);
  expect(foldRecords(records).transcript.messages).toEqual(transcript.messages);
}

const CANCEL: LoopEvent = { type: 'run.cancelled', signal: 'SIGTERM' };
const EXPIRE: LoopEvent = { type: 'time.expired' };

/** Plays once and sends the event at the n-th moment. */
async function stopAt(options: Play, n: number, event: LoopEvent) {
  const late: string[] = [];
  let count = 0;
  let stoppedAfter = 0;
  const running = stage({
    ...options,
    moment: (name) => {
      if (count >= n && /^(run|ask|question)/.test(name)) late.push(name);
      count += 1;
      if (count !== n) return;
      stoppedAfter = running.records.length;
      running.send(event);
    },
  });
  return { played: await running.played(), late, stoppedAfter };
}

async function momentsOf(options: Play): Promise<string[]> {
  const moments: string[] = [];
  await play({ ...options, moment: (name) => moments.push(name) });
  return moments;
}

/** @param every at which of the moments of a run it is stopped: every one for 1, each third for 3 */
export function describeStops(every: number): void {
  const moment = every === 1 ? 'every moment' : `one moment in ${every}`;

  describe.each(PLAYS)('$title', ({ status, play: options }) => {
    const tried = (moments: readonly string[]) => someOf(moments, every, options.replies.length);

    it(`can be cancelled at ${moment}: nothing new begins, no call stays open, and the fold agrees`, async () => {
      const moments = await momentsOf(options);
      for (const index of tried(moments)) {
        const moment = moments[index];
        const { played, late, stoppedAfter } = await stopAt(options, index + 1, CANCEL);
        expect({ moment, late }).toEqual({ moment, late: [] });
        expect(['cancelled', status]).toContain(played.final.state);
        expect(unanswered(played.transcript.messages)).toEqual([]);
        expectFoldsToAgree(played, stoppedAfter);
        expect(verifyRecords(played.records)).toBeUndefined();
      }
    });

    it(`can run out of time at ${moment}, with a summary, and the fold agrees`, async () => {
      const replies = [...options.replies, { text: 'so far' }, { text: 'so far' }];
      for (const index of tried(await momentsOf(options))) {
        const { played, stoppedAfter } = await stopAt({ ...options, replies }, index + 1, EXPIRE);
        expect(unanswered(played.transcript.messages)).toEqual([]);
        expectFoldsToAgree(played, stoppedAfter);
        expect(verifyRecords(played.records)).toBeUndefined();
      }
    });
  });
}
