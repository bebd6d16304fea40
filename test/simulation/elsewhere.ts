/** Other processes, which decide about what waits. They die and fail like those that run. */
import { type CallDecision, CannotDecide, decide } from '../../src/decide.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { JournalError } from '../../src/journal/journal.ts';
import { type WaitingCall, waitingCalls } from '../../src/waiting.ts';
import { simulatedJournal, survive } from './disk.ts';
import type { Life } from './life.ts';
import { must } from './must.ts';
import { newLife, untilTheEnd } from './process.ts';
import { answerOf } from './tools.ts';
import { Watch } from './watch.ts';
import type { World } from './world.ts';

/** @returns how many decisions there are more */
export async function decideElsewhere(world: World): Promise<number> {
  const decided = () => world.records.filter(({ type }) => type.startsWith('approval.')).length;
  const earlier = decided();
  while (world.books.round?.asked.length && world.random.chance(0.7)) {
    const before = waitingCalls(foldRecords(world.records));
    const life = newLife(world, false);
    const watch = new Watch(world, life);
    watch.mustWait(before);
    const end = await untilTheEnd(world, life, decideOnce(world, life, watch, before));
    if (end === 'killed') survive(world, life.fate.isPowerCut);
    if (world.violation) throw world.violation;
  }
  return Math.max(0, decided() - earlier);
}

async function decideOnce(
  world: World,
  life: Life,
  watch: Watch,
  before: readonly WaitingCall[],
): Promise<'decided'> {
  const { records, random } = world;
  const decisions = decisionsOf(world, before);
  const isWrong = random.chance(0.1);
  if (isWrong) decisions.push({ callId: before[0]?.callId ?? '', granted: true, fingerprint: 'of another' });
  const journal = simulatedJournal(world, life, watch);
  try {
    const waiting = await decide({ journal, records, tornBytes: 0 }, decisions);
    must(!isWrong, 'a decision about another input is refused');
    must(world.synced === world.records.length, 'a decision is on the disk before it is told');
    watch.mustWait(waiting);
  } catch (error) {
    if (error instanceof JournalError) must(life.failedIn !== null, 'a journal error is one');
    else if (!(error instanceof CannotDecide)) throw error;
    else
      must(
        isWrong && world.records.length === records.length,
        'what is refused leaves no record',
        error.message,
      );
  }
  return 'decided';
}

/** What somebody decides elsewhere: about some of what waits, in any order; now and then about what does not. */
function decisionsOf({ random }: World, waiting: readonly WaitingCall[]): CallDecision[] {
  const chosen = waiting.filter(() => random.chance(0.6));
  if (random.chance(0.5)) chosen.reverse();
  return chosen.map(({ callId, fingerprint }) => ({
    callId,
    ...answerOf(random),
    ...(random.chance(0.5) && { fingerprint }),
  }));
}
