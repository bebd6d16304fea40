/** A machine that was restored does nothing a second time. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  allowAll,
  defineTool,
  foldRecords,
  type JournalRecord,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  type Tool,
} from '../../src/index.ts';
import { play } from '../helpers/stage.ts';
import { PLAYS } from '../journal/plays.ts';

const prefixesOf = (records: readonly JournalRecord[]) => records.map((_, at) => records.slice(0, at + 1));

describe('the state that a crash leaves', () => {
  it.each(PLAYS)('is plain JSON after every record of $title', async ({ play: options }) => {
    const { records } = await play(options);
    for (const prefix of prefixesOf(records)) {
      const { snapshot, persisted } = foldRecords(prefix);
      expect(JSON.parse(JSON.stringify(snapshot.context))).toEqual(snapshot.context);
      expect(JSON.parse(JSON.stringify(persisted))).toEqual(persisted);
    }
  });

  it('hands a restored job what is so now, not what was so when its state was entered', async () => {
    const [, rounds] = PLAYS;
    const { records } = await play(rounds?.play ?? { replies: [] });
    const executing = prefixesOf(records)
      .map((prefix) => foldRecords(prefix))
      .filter(({ snapshot }) => snapshot.matches('executing'));
    expect(executing.length).toBeGreaterThan(8);
    for (const { persisted, snapshot } of executing) {
      const { children } = JSON.parse(JSON.stringify(persisted)) as {
        children: Record<string, { src: string; snapshot: { input: { calls: unknown } } }>;
      };
      const job = Object.values(children).find(({ src }) => src !== 'watchClock');
      expect(job?.src).toBe('executeTools');
      expect(job?.snapshot.input.calls).toEqual(snapshot.context.calls);
    }
  });

  it('has no call executed again only because the machine was restored', async () => {
    const ran: string[] = [];
    const append = defineTool({
      name: 'append',
      description: 'Appends.',
      input: z.strictObject({ line: z.string() }),
      effect: 'effectful',
      run: async ({ line }) => {
        ran.push(line);
        return 'appended';
      },
    }) as Tool;
    const lines = ['a', 'b', 'c'];
    const means = (replies: readonly object[]) => ({
      client: scriptedModel(replies),
      tools: [append],
      policy: allowAll,
    });
    const journal = memoryJournal();
    const round = { calls: lines.map((line) => ({ name: 'append', input: { line } })) };
    await run({ ...means([round, { text: 'ok' }]), task: 't', model: 'm', journal });
    const firstStart = journal.records.findIndex(({ type }) => type === 'tool.started');
    for (const prefix of prefixesOf(journal.records).slice(firstStart)) {
      if (foldRecords(prefix).snapshot.status === 'done') continue;
      const started = prefix.filter(({ type }) => type === 'tool.started').length;
      ran.length = 0;
      const isAnswered = prefix.some(
        ({ type, turn }: { type: string; turn?: number }) => type === 'reply.received' && turn === 2,
      );
      await resume(
        { journal: memoryJournal(Date.now, prefix), records: prefix, tornBytes: 0 },
        means(isAnswered ? [] : [{ text: 'ok' }]),
      );
      expect(ran).toEqual(lines.slice(started));
    }
  });
});
