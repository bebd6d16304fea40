import { describe, expect, it } from 'vitest';
import { foldRecords } from '../../src/journal/fold.ts';
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import { approver, policy, tools } from '../helpers/props.ts';
import { type Play, play } from '../helpers/stage.ts';

const word = (word: string) => ({ word });
const PLAY: Play = {
  replies: [
    {
      calls: [
        { name: 'look', input: word('a') },
        { name: 'look', input: word('b') },
        { name: 'write', input: word('please') },
        { name: 'set', input: word('c') },
        { name: 'write', input: word('now') },
      ],
    },
    { fault: { status: 529, retry_after: 0.001 } },
    { calls: [{ name: 'guarded', input: {} }] },
    { calls: [{ name: 'look', input: word('late') }] },
  ],
  limits: { maxTurns: 2 },
  tools,
  policy,
  approver,
};

/** A journal whose n-th call of a method fails, and every later one of any method: as a full disk does. */
function failing(method: 'append' | 'sync', n: number, onFailure: () => void) {
  let left = n;
  let isBroken = false;
  const check = (called: 'append' | 'sync') => {
    if (called === method) left -= 1;
    if (left === 0 && !isBroken) {
      isBroken = true;
      onFailure();
    }
    if (isBroken) throw new JournalError('could not write the journal memory: no space left on the disk');
  };
  return (journal: Journal): Journal => ({
    ...journal,
    append(body) {
      check('append');
      return journal.append(body);
    },
    async sync() {
      check('sync');
      await journal.sync();
    },
  });
}

async function countsOf() {
  const counts = { append: 0, sync: 0 };
  await play({
    ...PLAY,
    wrap: (journal) => ({
      ...journal,
      append(body) {
        counts.append += 1;
        return journal.append(body);
      },
      sync() {
        counts.sync += 1;
        return journal.sync();
      },
    }),
  });
  return counts;
}

describe.each(['append', 'sync'] as const)('a journal whose %s fails', (method) => {
  it('ends the run as journal_error, before any further effect, wherever it happens', async () => {
    const count = (await countsOf())[method];
    expect(count).toBeGreaterThan(10);
    // The first one is the header's, before there is a machine.
    for (let n = 2; n <= count; n += 1) {
      const afterwards: string[] = [];
      let hasFailed = false;
      const { final, records } = await play({
        ...PLAY,
        wrap: failing(method, n, () => {
          hasFailed = true;
        }),
        moment: (name) => {
          if (hasFailed) afterwards.push(name);
        },
      });
      expect({ n, state: final.state, afterwards }).toEqual({ n, state: 'journal_error', afterwards: [] });
      expect(() => foldRecords(records)).not.toThrow();
    }
  });
});
