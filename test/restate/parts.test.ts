/** Parts of the runner that need no engine. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../machines/reply.ts';
import { entryOf } from '../../src/cli/engine-runs.ts';
import { entryRecord, tableLines } from '../../src/cli/run-table.ts';
import { styleOf } from '../../src/cli/style.ts';
import { flagsOf, submittedOptions } from '../../src/cli/submission.ts';
import { fileJournal } from '../../src/journal/file.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { EngineRun } from '../../src/restate/admin.ts';
import { pack, unpack } from '../../src/restate/blobs.ts';
import { MACHINE_VERSION, recordKey, workflowName } from '../../src/restate/protocol.ts';
import { pullJournal } from '../../src/restate/pull.ts';
import { Slots } from '../../src/restate/slots.ts';
import { VERSION } from '../../src/version.ts';
import { finished, header, recorded } from '../helpers/records.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const never = new AbortController().signal;

describe('what is too large for the engine', () => {
  it('becomes a file that is named by its content, and comes back as it was', () => {
    const folder = path.join(scratchFolder(), 'blobs');
    const text = JSON.stringify({ long: 'é'.repeat(600_000) });
    const packed = pack(folder, text);
    expect(packed.length).toBeLessThan(100);
    expect(pack(folder, text)).toBe(packed);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(unpack(folder, packed)).toBe(text);
  });

  it('is no matter for what is small', () => {
    const folder = path.join(scratchFolder(), 'blobs');
    expect(pack(folder, '{"a":1}')).toBe('{"a":1}');
    expect(unpack(undefined, '{"a":1}')).toBe('{"a":1}');
  });

  it('is not read from a file that was changed, is gone, or is named by somebody else', () => {
    const folder = scratchFolder();
    const packed = pack(folder, JSON.stringify('x'.repeat(2_000_000)));
    expect(() => unpack(scratchFolder(), packed)).toThrow(/cannot be read/);
    expect(() => unpack(undefined, packed)).toThrow(/blobs/);
    expect(() => unpack(folder, 'blob ../../etc/passwd')).toThrow(/blobs/);
    writeFileSync(path.join(folder, readdirSync(folder)[0] ?? ''), 'something else');
    expect(() => unpack(folder, packed)).toThrow(/not what was written/);
  });
});

describe('the slots of a worker', () => {
  it('let so many be at work, and the others follow in their order', async () => {
    const slots = new Slots(2);
    const story: string[] = [];
    const work = (name: string) =>
      slots.use(never, async () => {
        story.push(`${name} begins`);
        await sleep(10);
        story.push(`${name} ends`);
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(work));
    expect(story.slice(0, 2)).toEqual(['a begins', 'b begins']);
    expect(story.indexOf('c begins')).toBeGreaterThan(story.indexOf('a ends'));
    expect(story.indexOf('d begins')).toBeGreaterThan(story.indexOf('b ends'));
  });

  it('are given back by work that fails', async () => {
    const slots = new Slots(1);
    await expect(slots.use(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.use(never, async () => 'yes')).resolves.toBe('yes');
  });

  it('are waited for no longer than somebody wants one', async () => {
    const slots = new Slots(1);
    const held = slots.use(never, () => sleep(50));
    const controller = new AbortController();
    const waiting = slots.use(controller.signal, async () => 'late');
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await held;
    await expect(slots.use(never, async () => 'free')).resolves.toBe('free');
  });

  it('are given to nobody once the worker leaves, and it waits for those at work', async () => {
    const slots = new Slots(2);
    let isDone = false;
    const atWork = slots.use(never, async () => {
      await sleep(20);
      isDone = true;
    });
    const left = slots.drain();
    const controller = new AbortController();
    const late = slots.use(controller.signal, async () => 'never');
    await left;
    expect(isDone).toBe(true);
    await atWork;
    controller.abort(new Error('gone'));
    await expect(late).rejects.toThrow('gone');
  });
});

describe('a journal that is pulled', () => {
  const records = [header(), finished(1, 'a', 'seen'), recorded(1, 'a')].map(
    (body, seq): JournalRecord => ({ seq, at: `2026-11-30T09:45:1${seq}.000Z`, ...body }),
  );
  const fileIn = (folder: string) => path.join(folder, 'a-run.jsonl');

  it('has the records with their numbers and times, and grows with the run', async () => {
    const file = fileIn(scratchFolder());
    await pullJournal(file, records.slice(0, 2));
    await pullJournal(file, records);
    expect((await readJournal(file)).records).toEqual(records);
    await pullJournal(file, records);
    expect(readdirSync(path.dirname(file))).toEqual(['a-run.jsonl']);
  });

  it('replaces no other one: neither of another run, nor one that was gone on with here', async () => {
    const file = fileIn(scratchFolder());
    await pullJournal(file, records);
    await expect(pullJournal(file, records.slice(0, 2))).rejects.toThrow(/something else than the engine/);
    const other = fileIn(scratchFolder());
    const journal = fileJournal(other, () => 0);
    journal.append(header({ task: 'another' }));
    await journal.close();
    const before = readFileSync(other);
    await expect(pullJournal(other, records)).rejects.toThrow(/something else than the engine/);
    expect(readFileSync(other)).toEqual(before);
  });
});

describe('what was submitted and no run could be made of', () => {
  const at = Date.parse('2026-11-30T10:00:00.000Z');
  const submitted: EngineRun = {
    runId: '20261130-094512-k3x9q',
    workflow: 'pawl-run-1',
    startedAt: '2026-11-30T09:45:12.000Z',
    state: 'completed',
    failure: { code: 400, message: 'No key.\nExport one.' },
    trouble: null,
    glance: {
      task: 'the  task',
      model: '',
      workspace: '',
      status: 'rejected',
      isWaiting: false,
      turns: 0,
      usage: NO_USAGE,
      costUsd: 0,
    },
  };
  const listed = (run: EngineRun, width = 120) => {
    const entry = entryOf(run, 'http://engine:9070');
    return { entry, row: tableLines([entry], at, width, styleOf(false))[1] };
  };

  it('is listed as rejected, with the reason, its time and its task', () => {
    const { entry, row } = listed(submitted);
    expect(row).toMatch(
      /^20261130-094512-k3x9q +14 min +rejected +- +- +- +No key\..*Export one\. · the task$/,
    );
    expect(entryRecord(entry)).toMatchObject({
      status: 'rejected',
      started_at: submitted.startedAt,
      task: 'the  task',
      problem: 'No key.\nExport one.',
      num_turns: null,
    });
  });

  it('is so where nobody could read what was submitted, and without a task then', () => {
    expect(listed({ ...submitted, glance: null }).entry).toMatchObject({ status: 'rejected', task: null });
  });

  it('is told from a run that a defect has ended, before it has begun or later', () => {
    const defect = { code: 500, message: 'a bug' };
    for (const glance of [
      null,
      submitted.glance && { ...submitted.glance, status: 'internal_error' as const },
    ])
      expect(listed({ ...submitted, failure: defect, glance }).entry).toMatchObject({
        status: 'damaged',
        problem: 'a bug',
      });
  });
});

describe('the names that an engine keeps a run under', () => {
  it('carry the version of pawl and of its machines', () => {
    expect(workflowName(MACHINE_VERSION)).toMatch(new RegExp(`^pawl-run-${VERSION}-[0-9a-f]{8}$`));
  });

  it('sort as the records are numbered', () => {
    const keys = [0, 9, 10, 99, 100, 12_345].map(recordKey);
    expect([...keys].sort()).toEqual(keys);
  });
});

describe('the options of a run on their way to a worker', () => {
  it('are those that say how it runs, with whole paths', () => {
    const flags = {
      summary: true,
      outputFormat: 'json',
      yes: true,
      script: 's.yaml',
      verbose: true,
    } as const;
    const sent = submittedOptions({ ...flags, allow: ['bash(ls)'] }, '/here');
    expect(sent).toEqual({ summary: true, yes: true, script: '/here/s.yaml', allow: ['bash(ls)'] });
    expect(flagsOf(sent)).toEqual({ ...sent, outputFormat: 'text' });
  });

  it.each([
    ['cd', '/'],
    ['transcript', '/etc/passwd'],
    ['constructor', 'x'],
    ['yes', 'true'],
    ['allow', 'bash'],
    ['allow', [1]],
    ['maxTurns', 5],
  ])('are refused where they are none: %s as %j', (name, value) => {
    expect(() => flagsOf({ [name]: value })).toThrow(`option "${name}"`);
  });
});

it('what is kept beside the engine is readable by its owner alone', () => {
  const folder = path.join(scratchFolder(), 'deep', 'blobs');
  pack(folder, JSON.stringify('x'.repeat(2_000_000)));
  const [name = ''] = readdirSync(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
});
