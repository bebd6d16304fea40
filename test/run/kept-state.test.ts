import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileJournal, reopenJournal } from '../../src/journal/file.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { resume } from '../../src/resume.ts';
import { run } from '../../src/run.ts';
import { meansFor, optionsFor } from './runs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pawl-kept-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'a-run.jsonl');
const state = `${file}.state`;
const ROUND = { text: 'I look.', calls: [{ name: 'look', input: { word: 'a' } }] };
const MEANS = meansFor([]);

async function opened() {
  const found = await reopenJournal(file);
  await found.journal.close();
  return found;
}

beforeAll(async () => {
  const replies = [...Array.from({ length: 250 }, () => ROUND), { fault: { status: 401 } }];
  const limits = { maxTurns: 1_000, maxRepeats: null };
  await run({ ...optionsFor(replies), limits, journal: fileJournal(file) });
});

describe('the state of a long run', () => {
  it('is kept now and then, beside the journal, for its owner alone, and leaves no drafts', async () => {
    const { kept, records } = await opened();
    expect(kept?.context.turn).toBe(200);
    expect(records[kept?.seq ?? 0]).toMatchObject({ type: 'results.recorded', turn: 199 });
    expect(readdirSync(folder).sort()).toEqual(['a-run.jsonl', 'a-run.jsonl.state']);
  });

  it('leads to what the fold of all records leads to', async () => {
    const { kept, records } = await opened();
    for (let upTo = (kept?.seq ?? 0) + 1; upTo <= records.length; upTo += 1) {
      if (upTo % 25 !== 0 && upTo !== records.length) continue;
      const [quick, whole] = [foldRecords(records.slice(0, upTo), kept), foldRecords(records.slice(0, upTo))];
      expect(quick.snapshot.value).toEqual(whole.snapshot.value);
      expect(quick.snapshot.context).toEqual(whole.snapshot.context);
      expect(quick.persisted).toEqual(whole.persisted);
      expect(quick.transcript.messages).toEqual(whole.transcript.messages);
      expect(quick.header).toEqual(whole.header);
    }
  });

  it.each<[string, () => void]>([
    [
      'of other records',
      () => writeFileSync(state, readFileSync(state, 'utf8').replace(/"sum":"./, '"sum":"x')),
    ],
    ['that is damaged', () => writeFileSync(state, '{')],
    [
      'that is a link',
      () => {
        writeFileSync(path.join(folder, 'other'), readFileSync(state));
        rmSync(state);
        symlinkSync('other', state);
      },
    ],
    ['that is gone', () => rmSync(state)],
  ])('is passed over: one %s', async (_, harm) => {
    const before = readFileSync(state);
    harm();
    expect((await opened()).kept).toBeUndefined();
    rmSync(state, { force: true });
    writeFileSync(state, before);
    expect((await opened()).kept?.context.turn).toBe(200);
  });

  it('of another pawl means nothing: the run goes on all the same', async () => {
    writeFileSync(
      state,
      readFileSync(state, 'utf8').replace(
        /"pawl":"[^"]*","value":\{[^}]*\}/,
        '"pawl":"9.9.9","value":{"no":"such"}',
      ),
    );
    expect((await opened()).kept?.pawl).toBe('9.9.9');
    const found = await reopenJournal(file);
    const { client } = optionsFor([{ text: 'done' }]);
    const outcome = await resume(found, { ...MEANS, client });
    expect([outcome.status, outcome.counters.turns]).toEqual(['answered', 251]);
    expect(existsSync(state)).toBe(true);
  });
});
