/** What every journal must do, whatever it writes to. */
import { describe, expect, it } from 'vitest';
import { type Journal, JournalError } from '../../src/journal/journal.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';

export interface JournalSubject {
  readonly name: string;
  /** A new journal, what a reader finds in it, and a journal that goes on with it once it is closed. */
  open(now: () => number): {
    journal: Journal;
    read(): Promise<readonly JournalRecord[]>;
    reopen(): Promise<Journal>;
  };
}

const BODIES: readonly RecordBody[] = [
  header(),
  reply(1, message('tool_use', text('I look.'), toolUse('a'))),
  finished(1, 'a', 'seen'),
  recorded(1, 'a'),
];

export function journalSuite({ name, open }: JournalSubject): void {
  const opened = () => open(() => Date.UTC(2026, 10, 30, 9, 45, 12, 7));

  describe(name, () => {
    it('numbers records from 0 in the order in which they were appended', async () => {
      const { journal, read } = opened();
      for (const body of BODIES) journal.append(body);
      await journal.sync();
      const records = await read();
      expect(records.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
      expect(records.map(({ type }) => type)).toEqual(BODIES.map(({ type }) => type));
    });

    it('notes the time of writing in UTC', () => {
      const { journal } = opened();
      expect(journal.append(header()).at).toBe('2026-11-30T09:45:12.007Z');
    });

    it('returns each record as a reader will find it', async () => {
      const { journal, read } = opened();
      const returned = BODIES.map((body) => journal.append(body));
      await journal.sync();
      expect(await read()).toEqual(returned);
    });

    it('keeps every character, every key and the order of keys', async () => {
      const { journal, read } = opened();
      const input = JSON.parse('{"z":1,"a":{"__proto__":"p","":null},"m":[0.1,-7,1e21]}');
      const odd = 'line\nend\r\u2028\u2029\u0000 é é 𝄞 \ud800 "\\';
      journal.append(header({ task: odd }));
      journal.append(reply(1, message('tool_use', { ...toolUse('a', odd, input), new_field: {} })));
      await journal.sync();
      const [first, second] = await read();
      expect(first).toMatchObject({ task: odd });
      const stored = second?.type === 'reply.received' ? second.message.content[0] : undefined;
      expect(JSON.stringify(stored)).toBe(JSON.stringify({ ...toolUse('a', odd, input), new_field: {} }));
    });

    it('holds nothing that can be changed through what was handed in', async () => {
      const { journal, read } = opened();
      journal.append(header());
      const content = [text('as it was')];
      const returned = journal.append(reply(1, { ...message('end_turn'), content }));
      const before = structuredClone(returned);
      content.push(text('added later'));
      await journal.sync();
      expect(returned).toEqual(before);
      expect((await read())[1]).toEqual(before);
    });

    it('takes many syncs at once, and records between them', async () => {
      const { journal, read } = opened();
      journal.append(header());
      const early = Array.from({ length: 20 }, () => journal.sync());
      journal.append(recorded(1, 'a'));
      const late = Array.from({ length: 20 }, async () => {
        await early[0];
        journal.append(recorded(2, 'b'));
        await journal.sync();
      });
      await Promise.all([...early, ...late]);
      const records = await read();
      expect(records).toHaveLength(22);
      expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index));
    });

    it('lets a sync that was asked for end before it closes', async () => {
      const { journal, read } = opened();
      journal.append(header());
      const synced = journal.sync();
      await journal.close();
      await expect(synced).resolves.toBeUndefined();
      expect(await read()).toHaveLength(1);
    });

    it('refuses everything once it is closed, but to be closed again', async () => {
      const { journal, read } = opened();
      journal.append(header());
      await journal.sync();
      await journal.close();
      expect(() => journal.append(recorded(1))).toThrow(JournalError);
      await expect(journal.sync()).rejects.toThrow(JournalError);
      await expect(journal.close()).resolves.toBeUndefined();
      expect(await read()).toHaveLength(1);
    });

    it('goes on numbering when it is opened again, and keeps what it has', async () => {
      const { journal, read, reopen } = opened();
      const earlier = BODIES.map((body) => journal.append(body));
      await journal.close();
      const again = await reopen();
      expect(await read()).toEqual(earlier);
      const later = [again.append(recorded(2, 'b')), again.append(recorded(3, 'c'))];
      await again.sync();
      expect(later.map(({ seq }) => seq)).toEqual([4, 5]);
      expect(await read()).toEqual([...earlier, ...later]);
      expect(again.location).toBe(journal.location);
    });

    it('may be opened again many times, also without a new record', async () => {
      const { journal, read, reopen } = opened();
      journal.append(header());
      await journal.close();
      for (let round = 0; round < 6; round += 1) {
        const again = await reopen();
        if (round % 2 === 1) again.append(recorded(round));
        await again.close();
      }
      expect((await read()).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    });

    it('takes nothing through the closed journal once it is opened again', async () => {
      const { journal, read, reopen } = opened();
      journal.append(header());
      await journal.close();
      const again = await reopen();
      expect(() => journal.append(recorded(1))).toThrow(JournalError);
      await journal.close();
      again.append(recorded(1));
      await again.sync();
      expect(await read()).toHaveLength(2);
    });
  });
}
