import { appendFileSync, rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/inspector/server.ts';
import { MemorySource, type RecordSource } from '../../src/inspector/source.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { reviewed } from '../cli/journals.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';
import { linesOf } from '../journal/lines.ts';
import { ask, bearer, controls, FeedReader, journalOf, serve, stateFolder } from './support.ts';

const BODIES: readonly RecordBody[] = [
  header(),
  reply(1, message('tool_use', text('</script>\n\ndata: no'), toolUse('a'))),
  reviewed(1, 'a'),
  { type: 'tool.started', turn: 1, callId: 'a' },
  finished(1, 'a', 'event: no\n\n'),
  recorded(1, 'a'),
  reply(2, message('end_turn', text('done'))),
];
const LINES = linesOf(BODIES);
const RECORDS = LINES.map((line) => {
  const { sum: _, ...record } = JSON.parse(line) as JournalRecord & { sum: string };
  return record;
});
const { length: COUNT } = BODIES;

describe('the feed of a run', () => {
  it('is its records to the letter, numbered, and then what is live', async () => {
    const server = await serve({ folder: stateFolder({ r: BODIES }) });
    const reader = await FeedReader.of(server, 'r');
    await reader.until(({ events }) => events.includes('live'));
    expect(reader.told).toEqual([
      { event: 'held', id: null, data: false },
      ...RECORDS.map((data) => ({ event: 'record', id: String(data.seq), data })),
      { event: 'live', id: null, data: null },
    ]);
    expect(reader.response.headers['content-type']).toBe('text/event-stream');
  });

  it('says whether a process works on it, and when that changes', async () => {
    const folder = stateFolder({ r: BODIES.slice(0, 2) });
    const lock = acquireLock(journalOf(folder, 'r'));
    const reader = await FeedReader.of(await serve({ folder }), 'r');
    const heard = () => reader.told.flatMap(({ event, data }) => (event === 'held' ? [data] : []));
    await reader.until(({ events }) => events.includes('live'));
    expect(heard()).toEqual([true]);
    lock.release();
    await reader.until(() => heard().length === 2);
    expect(heard()).toEqual([true, false]);
  });

  it('says first which engine has it', async () => {
    const source = new MemorySource();
    const runs = {
      list: async () => [],
      find: async () => ({ source, engine: 'http://e:8080', command: null }),
    };
    const server = await startServer(runs, 0);
    onTestFinished(() => server.close());
    const reader = await FeedReader.of(server, 'r');
    await reader.until(({ events }) => events.includes('live'));
    expect(reader.told[0]).toEqual({ event: 'engine', id: null, data: { url: 'http://e:8080' } });
  });

  it.each([0, 2, COUNT - 1])('goes on behind record %d where the reader has been before', async (last) => {
    const folder = stateFolder({ r: BODIES.slice(0, COUNT - 1) });
    const server = await serve({ folder });
    const reader = await FeedReader.of(server, 'r', { 'Last-Event-ID': String(last) });
    await reader.until(({ events }) => events.includes('live'));
    appendFileSync(journalOf(folder, 'r'), LINES[COUNT - 1] ?? '');
    await reader.until(({ seqs }) => last === COUNT - 1 || seqs.at(-1) === COUNT - 1);
    expect(reader.seqs).toEqual(RECORDS.map(({ seq }) => seq).filter((seq) => seq > last));
  });

  it('tells many readers of a run that another process writes, each from where it began', async () => {
    const folder = stateFolder({ r: BODIES.slice(0, 1) });
    const server = await serve({ folder });
    const readers = await Promise.all([1, 2, 3].map(() => FeedReader.of(server, 'r')));
    for (const line of LINES.slice(1)) appendFileSync(journalOf(folder, 'r'), line);
    for (const reader of readers) {
      await reader.until(({ seqs }) => seqs.length === COUNT);
      expect(reader.seqs).toEqual([0, 1, 2, 3, 4, 5, 6]);
    }
  });

  it('ends where the journal is deleted, and is not found from then on', async () => {
    const folder = stateFolder({ r: BODIES });
    const server = await serve({ folder });
    const reader = await FeedReader.of(server, 'r');
    await reader.until(({ events }) => events.includes('live'));
    rmSync(journalOf(folder, 'r'));
    await reader.until(({ isOver }) => isOver);
    expect(reader.events.at(-1)).toBe('gone');
    expect((await ask(server, '/api/runs/r/records', { headers: bearer(server) })).status).toBe(404);
  });

  it('ends with the damage and what it is', async () => {
    const folder = stateFolder({ r: BODIES.slice(0, 2) });
    appendFileSync(journalOf(folder, 'r'), (LINES[2] ?? '').replace('approve', 'Approve'));
    const reader = await FeedReader.of(await serve({ folder }), 'r');
    await reader.until(({ isOver }) => isOver);
    expect(reader.told.slice(-1)).toEqual([
      { event: 'damaged', id: null, data: { problem: expect.stringContaining('line 3: the line does not') } },
    ]);
    expect(reader.seqs).toEqual([0, 1]);
  });

  it('of a run without a journal comes from memory, with what else there is to see of it', async () => {
    const source = new MemorySource();
    for (const record of RECORDS.slice(0, 2)) source.add(record);
    const own = { runId: 'own', source, controls: controls(), command: null };
    const server = await serve({ folder: stateFolder(), own });
    const reader = await FeedReader.of(server, 'own');
    await reader.until(({ events }) => events.includes('live'));
    own.controls.transition({ from: 'a', state: 'b', event: 'e', turn: 1 });
    own.controls.command({ command: 'pause' });
    for (const record of RECORDS.slice(2)) source.add(record);
    await reader.until(({ seqs, events }) => seqs.length === COUNT && events.includes('transition'));
    expect(reader.events.slice(0, 4)).toEqual(['control', 'record', 'record', 'live']);
    expect(reader.told.find(({ event }) => event === 'transition')?.data).toMatchObject({
      from: 'a',
      state: 'b',
    });
    expect(reader.told.findLast(({ event }) => event === 'control')?.data).toMatchObject({ isPaused: true });
    expect(reader.seqs).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const list = JSON.parse((await ask(server, '/api/runs', { headers: bearer(server) })).body);
    expect(list).toEqual([
      expect.objectContaining({ runId: 'own', task: 'the task', turns: 2, isLive: true }),
    ]);
    await server.close();
    await reader.until(({ isOver }) => isOver);
    expect(reader.told.at(-1)).toEqual({ event: 'over', id: null, data: { command: null } });
  });

  it('says at the end of the process how the run is seen again, behind the last record', async () => {
    const folder = stateFolder({ r: BODIES.slice(0, COUNT - 1) });
    const server = await serve({ folder });
    const reader = await FeedReader.of(server, 'r');
    await reader.until(({ events }) => events.includes('live'));
    appendFileSync(journalOf(folder, 'r'), LINES[COUNT - 1] ?? '');
    await server.close();
    await reader.until(({ isOver }) => isOver);
    expect(reader.told.slice(-2)).toEqual([
      expect.objectContaining({ event: 'record', id: String(COUNT - 1) }),
      { event: 'over', id: null, data: { command: 'pawl inspect r' } },
    ]);
  });

  it('waits for a reader that does not read, keeps nothing for it, and lets the process end all the same', async () => {
    const [first = RECORDS[0]] = RECORDS;
    let pulled = 0;
    const source: RecordSource = {
      async *follow() {
        for (let seq = 0; seq < 100; seq += 1) {
          pulled += 1;
          const record = { ...first, seq, task: 'x'.repeat(500_000) } as JournalRecord;
          yield { type: 'records', records: [record] };
        }
      },
    };
    const own = { runId: 'own', source, controls: controls(), command: null };
    const server = await serve({ folder: stateFolder(), own });
    const stuck = await FeedReader.of(server, 'own');
    stuck.response.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pulled).toBeLessThan(50);
    stuck.response.resume();
    await stuck.until(({ seqs }) => seqs.length > 20);
    stuck.response.pause();
    const startedAt = performance.now();
    await server.close();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('that a reader has left is followed no longer', async () => {
    const folder = stateFolder({ r: BODIES });
    const server = await serve({ folder });
    const before = process.getActiveResourcesInfo().length;
    const readers = await Promise.all([1, 2, 3, 4].map(() => FeedReader.of(server, 'r')));
    for (const reader of readers) await reader.until(({ events }) => events.includes('live'));
    for (const { response } of readers) response.destroy();
    const deadline = performance.now() + 30_000;
    while (process.getActiveResourcesInfo().length > before && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});

describe('the list of runs', () => {
  it('has those of the state folder, newest first, with what is wrong with a damaged one', async () => {
    const folder = stateFolder({ '20261130-a': BODIES, '20261201-b': [header({ task: 'other' })] });
    appendFileSync(journalOf(folder, '20261202-c'), 'nonsense\n');
    const server = await serve({ folder });
    const { body } = await ask(server, '/api/runs', { headers: bearer(server) });
    expect(JSON.parse(body)).toEqual([
      expect.objectContaining({
        runId: '20261202-c',
        status: null,
        isLive: false,
        problem: expect.any(String),
      }),
      expect.objectContaining({
        runId: '20261201-b',
        task: 'other',
        status: null,
        isLive: false,
        problem: null,
      }),
      expect.objectContaining({ runId: '20261130-a', status: 'answered', turns: 2, tokens: 10 }),
    ]);
  });

  it('leaves out none of the journals that were named, wherever they lie', async () => {
    const elsewhere = stateFolder({ 'a b': BODIES });
    const named = new Map([['a b', journalOf(elsewhere, 'a b')]]);
    const server = await serve({ folder: stateFolder(), named });
    const reader = await FeedReader.of(server, 'a b');
    await reader.until(({ seqs }) => seqs.length === COUNT);
  });
});
