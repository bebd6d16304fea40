import { describe, expect, it } from 'vitest';
import { stateName } from '../../machines/state-name.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { factOf } from '../../visualizer/film/facts.ts';
import { Film, type Frame } from '../../visualizer/film/film.ts';
import { machine, stateId } from '../../visualizer/film/machine.ts';
import { lastAsked } from '../../visualizer/film/verdicts.ts';
import { gaugesOf } from '../../visualizer/gauges/gauge-values.ts';
import { bandOf } from '../../visualizer/timeline/band.ts';
import { longJournal, recordsOf, shortRun } from './journals.ts';

function filmOf(records: readonly JournalRecord[]): Film {
  const film = new Film();
  for (const [index, record] of records.entries()) film.add(record, records[index + 1]);
  return film;
}
const call = { name: 'look', input: {} };
const failing = (status: number) => ({ fault: { status } });

describe('a film', () => {
  it('is at each record in the state that the journal folds to', async () => {
    const records = await recordsOf([{ calls: [call] }, failing(529), { calls: [call] }, { text: 'Done.' }], {
      limits: { tokenBudget: 90_000 },
    });
    const film = filmOf(records);
    const folded = records.map((_, seq) => foldRecords(records.slice(0, seq + 1)).snapshot);
    expect(film.frames.map(({ state }) => state)).toEqual(folded.map(({ value }) => stateName(value)));
    expect(film.frames.map(({ context }) => context)).toEqual(folded.map(({ context }) => context));
  });

  it('keeps the steps through states that are left at once', async () => {
    const film = filmOf(await shortRun());
    const reply = film.frames.find(({ record }) => record?.type === 'reply.received');
    expect(reply?.steps.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      'asking.requesting -> persisting.response',
      'persisting.response -> validating.gate',
      'validating.gate -> validating.reviewing',
    ]);
  });

  it('names for each step an edge that leads from the one state to the other', async () => {
    const film = filmOf(await shortRun());
    for (const { from, to, edges } of film.frames
      .flatMap(({ steps }) => steps)
      .filter((step) => step.from !== ''))
      for (const edge of edges) {
        const { source, target } = machine.edges[edge] ?? {};
        expect(`${from}.`.startsWith(`${source}.`)).toBe(true);
        if (target) expect(`${to}.`.startsWith(`${target}.`)).toBe(true);
      }
  });

  it('passes over records that it has, and those that do not follow', async () => {
    const records = await shortRun();
    const film = filmOf(records);
    film.add(records[2] as JournalRecord);
    film.add({ ...(records[2] as JournalRecord), seq: 99 });
    expect(film.frames.length).toBe(records.length);
  });

  it('goes on behind records that make no sense, and says so', async () => {
    const [header] = await shortRun();
    const film = filmOf([
      header,
      { type: 'results.recorded', seq: 1, at: '', turn: 7, callIds: ['nobody'], notice: null },
    ] as JournalRecord[]);
    expect(film.problem).toContain('nobody');
    expect(film.frames.length).toBe(2);
  });

  it('shows a run that ended and was taken up again', async () => {
    const records = await shortRun({ limits: { maxTurns: 1, summary: false } });
    const resumed = {
      type: 'run.resumed',
      version: 2,
      pawl: '0.1.0',
      workspace: '/tmp',
      limits: { ...(records[0] as { limits: object }).limits, maxTurns: 9 },
      instruction: null,
      seq: records.length,
      at: records.at(-1)?.at,
    };
    const film = filmOf([...records, resumed as JournalRecord]);
    expect(film.frames.at(-2)?.state).toBe('max_turns');
    expect(film.last?.state).toBe('asking.requesting');
    expect(film.markers.map(({ kind }) => kind)).toEqual(['limit', 'end', 'resume']);
  });
});

describe('the tally', () => {
  const records = longJournal(1_200);
  const film = filmOf(records);

  it('is at any frame the sum of all before it', () => {
    for (const index of [0, 1, 255, 256, 257, 700, 1_199]) {
      const alone = filmOf(records.slice(0, index + 1));
      expect(film.countsAt(index)).toEqual(alone.countsAt(index));
    }
  });

  it('counts visits and time of a state, and of those around it', () => {
    const { visits, timeMs } = film.countsAt(1_199);
    const rounds = records.filter(({ type }) => type === 'reply.received').length;
    expect(visits[stateId('executing.running')]).toBe(visits[stateId('executing')]);
    expect(visits[stateId('validating.gate')]).toBe(rounds);
    expect(timeMs[stateId('executing')]).toBeGreaterThan(0);
    expect(timeMs[stateId('loop')]).toBe(1_199 * 250);
  });
});

describe('guards', () => {
  it('are told with what they last said, in the order in which they were asked', async () => {
    const film = filmOf(await recordsOf([{ calls: [call] }, { text: 'sum' }], { limits: { maxTurns: 1 } }));
    const asked = lastAsked(film.frames, film.frames.length - 1, 'asking.checking', 'always');
    expect(asked?.verdicts.slice(0, 3)).toMatchObject([
      { holds: false, fact: 'stop reason: none' },
      { holds: true, fact: '1 of 1 turns' },
      { holds: null, fact: '' },
    ]);
    expect(film.frames[asked?.index ?? 0]?.record?.type).toBe('results.recorded');
  });

  it('are told as of the frame that is shown', async () => {
    const film = filmOf(await recordsOf([{ calls: [call] }, { text: 'sum' }], { limits: { maxTurns: 1 } }));
    expect(lastAsked(film.frames, 0, 'asking.checking', 'always')?.verdicts[1]).toMatchObject({
      holds: false,
      fact: '0 of 1 turns',
    });
    expect(lastAsked(film.frames, 0, 'validating.reviewing', 'calls.reviewed')).toBeNull();
  });

  it.each([
    [
      'asking.measuring',
      'prompt.measured',
      'isTooLarge',
      /^[\d,]+ of 90,000 tokens; input of [\d,]+ tokens$/,
    ],
    ['validating.gate', 'always', 'isContradiction', /^the reply is: answer$/],
    ['validating.reviewing', 'calls.reviewed', 'hasApproved', /^approve$/],
    ['asking.requesting', 'model.failed', 'isWorthAnotherTry', /^worth it; 0 of 5 retries$/],
    ['persisting.response', 'record.saved', 'isSaved', /^reply.received, awaited reply.received$/],
  ])(
    '%s, %s: %s looked at figures that are shown',
    async (source, event, guard, fact) => {
      const film = filmOf(
        await recordsOf([{ calls: [call] }, failing(529), { text: 'Done.' }], {
          limits: { tokenBudget: 90_000 },
        }),
      );
      const asked = lastAsked(film.frames, film.frames.length - 1, source, event);
      const found = asked?.verdicts.find(({ edge }) => machine.edges[edge]?.guard === guard);
      expect(found?.fact).toMatch(fact);
    },
    30_000,
  );
});

describe('gauges', () => {
  it('tell what was used of what, and what is kept back for the summary', async () => {
    const film = filmOf(await shortRun({ limits: { tokenBudget: 90_000, maxTurns: 7, timeoutMs: 60_000 } }));
    const last = film.frames.at(-1);
    const [turns, tokens, money, time] = last ? gaugesOf(last, film.frames[0]?.at ?? 0) : [];
    expect(turns).toMatchObject({ used: '2', of: '7', cap: 7, note: '1 call' });
    expect(tokens?.of).toBe('90k');
    expect(tokens?.reserve).toBeGreaterThan(2_000);
    expect(money).toMatchObject({ used: 'unknown', cap: null, reserve: 0 });
    expect(time?.of).toBe('60 s');
  });

  it('show what a reply that broke off may have taken, beside what is known', async () => {
    const film = filmOf(await shortRun({ limits: { tokenBudget: 90_000 } }));
    const last = film.frames.at(-1) as Frame;
    const before = gaugesOf(last, 0)[1];
    const context = { ...last.context, unsettled: { tokens: 5_000, costUsd: 0 } };
    const tokens = gaugesOf({ ...last, context }, 0)[1];
    expect(tokens?.used).toBe(before?.used);
    expect(tokens?.reserve).toBe((before?.reserve ?? 0) + 5_000);
    expect(tokens?.note).toMatch(/5k more for replies that broke off/);
    const event = { type: 'run.cancelled', signal: 'SIGINT' } as const;
    expect(factOf('isOutOfTokens', { context, event })).toMatch(/of 90,000 tokens, or up to 5,000 more/);
  });
});

describe('entries', () => {
  it('join a call and its result by id, and grow with the frames', async () => {
    const film = filmOf(await shortRun({ results: ['!no such place'] }));
    const reply = film.entries.all.find((entry) => entry.kind === 'reply');
    const [seen] = reply?.kind === 'reply' ? reply.calls : [];
    const settled = seen?.moments.at(-1);
    expect(settled).toMatchObject({ is: 'settled', how: 'finished', isError: true });
    expect(seen?.moments.map(({ is }) => is)).toEqual(['reviewed', 'started', 'settled']);
    expect(film.entries.countAt(0)).toBe(1);
    expect(film.entries.countAt(film.frames.length)).toBe(film.entries.all.length);
  });

  it('say what was new in each request', async () => {
    const film = filmOf(await shortRun());
    const requests = film.entries.all.flatMap((entry) => (entry.kind === 'request' ? [entry.news] : []));
    expect(requests).toEqual([['the task'], ['its own reply', '1 result']]);
  });
});

it('the band has no more stretches than there is room for, and covers all', () => {
  const band = bandOf(filmOf(longJournal(500)).frames, 80);
  expect(band.length).toBeLessThanOrEqual(80);
  expect([band[0]?.from, band.at(-1)?.to]).toEqual([0, 1]);
  expect(band.every(({ from }, place) => place === 0 || from === band[place - 1]?.to)).toBe(true);
});
