/** A journal that fails, dies and loses its end as its process's fate says. */
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { Life } from './life.ts';
import type { Watch } from './watch.ts';
import type { World } from './world.ts';

/** Its records are the world's from here on. Like a file, it takes nothing more once a write has failed. */
export function simulatedJournal(world: World, life: Life, watch: Watch): Journal {
  const inner = memoryJournal(() => life.clock.now, world.records);
  world.records = inner.records;
  const { fate } = life;
  let appends = 0;
  let syncs = 0;
  let failure: JournalError | undefined;
  const fail = (what: string): JournalError => {
    failure ??= new JournalError(`the simulated disk failed to ${what}`);
    life.failedIn ??= life.step;
    return failure;
  };
  return {
    location: 'simulation',
    append(body) {
      life.beat();
      if (failure) throw failure;
      appends += 1;
      if (appends === fate.failAppendAt) throw fail('write');
      const record = inner.append(body);
      watch.onRecord(record);
      life.beat();
      return record;
    },
    async sync() {
      const upTo = inner.records.length;
      syncs += 1;
      const isLast = syncs === fate.failSyncAt;
      await life.moment(world.random.chance(0.5) ? 0 : world.random.int(1, 3));
      if (failure || isLast) throw failure ?? fail('sync');
      world.synced = Math.max(world.synced, upTo);
      await life.moment(0);
    },
    async close() {
      if (!life.isOver) await inner.close();
    },
  };
}

/** What the next process finds. A power cut leaves some of what was not synced, from its beginning on. */
export function survive(world: World, isPowerCut: boolean): void {
  const { records, random } = world;
  const synced = isPowerCut ? random.int(world.synced, records.length) : world.synced;
  world.restore(isPowerCut ? records.slice(0, synced) : [...records], synced);
}
