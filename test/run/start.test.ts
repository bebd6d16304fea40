import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { OptionsError } from '../../src/checks/options-error.ts';
import { readJournal } from '../../src/journal/read.ts';
import { RECORD_VERSION } from '../../src/journal/record.ts';
import type { RunOptions } from '../../src/options.ts';
import { run } from '../../src/run.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { VERSION } from '../../src/version.ts';
import { tools } from '../helpers/props.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { optionsFor, runOf } from './runs.ts';

const DONE = { text: 'done' };
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('what no run can be made of', () => {
  const rows: readonly [what: string, change: Partial<RunOptions>, message: RegExp][] = [
    ['an empty task', { task: '' }, /The task is empty/],
    ['a blank task', { task: ' \n\t' }, /The task is empty/],
    ['a workspace that is not there', { workspace: '/nowhere/at/all' }, /\/nowhere\/at\/all is not a folder/],
    ['no client', { client: undefined as never }, /client must be an object with ask\(\)/],
    ['a run id that leads elsewhere', { runId: '../../mine' }, /run id must be/],
    ['no model', { model: '' }, /no model/],
    [
      'a misspelt limit',
      { limits: { max_turns: 1 } as never },
      /^limits does not know "max_turns"\. Did you mean maxTurns\?$/,
    ],
    [
      'a limit that is no number',
      { limits: { maxTurns: Number.NaN } },
      /maxTurns must be a whole number from 1/,
    ],
    [
      'limits of tools that are no object',
      { limits: { maxCallsByTool: 5 as never } },
      /maxCallsByTool must be an object/,
    ],
    [
      'a limit of a tool that is no number',
      { limits: { maxCallsByTool: { bash: '5' as never } } },
      /maxCallsByTool\.bash must be a whole number from 0/,
    ],
    ['a limit below its least', { limits: { tokenBudget: 0 } }, /tokenBudget must be a whole number from 1/],
    ['a limit that cannot be left out', { limits: { maxTurns: null as never } }, /maxTurns must be/],
    ['a money budget of nothing', { limits: { maxCostUsd: 0 } }, /maxCostUsd must be a sum above 0/],
    ['a text as a tool', { tools: ['bash'] as never }, /^The tools are not valid: tool 1 is no object\.$/],
    ['two tools of one name', { tools: [...tools, ...tools] }, /There are two tools named/],
    [
      'a tool whose input cannot be told to the model',
      { tools: [{ ...(tools[0] as Tool), input: z.strictObject({ at: z.date() }) }] },
      /cannot be written as JSON Schema/,
    ],
    ['a workspace that is a file', { workspace: import.meta.filename }, /is not a folder/],
  ];
  it.each(rows)('%s is an OptionsError, and nothing is created', async (_, change, message) => {
    const home = path.join(scratchFolder(), 'pawl');
    vi.stubEnv('PAWL_HOME', home);
    let asked = 0;
    const client = {
      name: 'test',
      ask: async () => {
        asked += 1;
        throw new Error('asked');
      },
    };
    const started = run({ ...optionsFor([]), client, ...change });
    await expect(started).rejects.toThrow(OptionsError);
    await expect(started).rejects.toThrow(message);
    expect([existsSync(home), asked]).toEqual([false, 0]);
  });
});

describe('the header', () => {
  it('has everything that a later process needs', async () => {
    const folder = scratchFolder();
    const link = path.join(folder, 'link');
    mkdirSync(path.join(folder, 'work'));
    symlinkSync('work', link);
    const { records } = await runOf([DONE], {
      task: 'half \ud800 a character',
      system: 'be good \udc00',
      workspace: link,
      effort: 'high',
      limits: { maxTurns: 3 },
      runId: 'mine',
    });
    expect(records[0]).toMatchObject({
      seq: 0,
      type: 'run.started',
      version: RECORD_VERSION,
      pawl: VERSION,
      runId: 'mine',
      task: 'half \ufffd a character',
      workspace: path.join(folder, 'work'),
      model: 'a-model',
      system: 'be good \ufffd',
      effort: 'high',
      limits: { ...DEFAULT_LIMITS, maxTurns: 3 },
    });
    const [header] = records;
    const specs = header?.type === 'run.started' ? header.tools : [];
    expect(specs.map(({ name, effect }) => `${name} ${effect}`)).toContain('look read');
    expect(specs[0]).toMatchObject({ description: 'look', inputSchema: { type: 'object' } });
  });

  it('says what was not given: no system text, no effort, the current folder, all built-in tools', async () => {
    const { tools: _, workspace: __, ...rest } = optionsFor([DONE]);
    const events: unknown[] = [];
    vi.stubEnv('PAWL_HOME', scratchFolder());
    await run({ ...rest, onEvent: (event) => void (event.type === 'record' && events.push(event.record)) });
    expect(events[0]).toMatchObject({ system: '', effort: null, workspace: process.cwd() });
    expect(events[0]).toHaveProperty('tools.0.name', 'read_file');
  });
});

describe('where no journal is given', () => {
  it('one is made in the state folder, named like the run, whole to the last record', async () => {
    const home = scratchFolder();
    vi.stubEnv('PAWL_HOME', home);
    const outcome = await run(optionsFor([DONE]));
    expect(outcome.journal).toBe(path.join(home, 'runs', `${outcome.runId}.jsonl`));
    const { records, tornBytes } = await readJournal(outcome.journal ?? '');
    expect(records.map(({ type }) => type)).toEqual(['run.started', 'reply.received', 'run.ended']);
    expect(tornBytes).toBe(0);
  });

  it('and none can be made, the run ends before anything happens', async () => {
    const inTheWay = path.join(scratchFolder(), 'a-file');
    writeFileSync(inTheWay, '');
    vi.stubEnv('PAWL_HOME', inTheWay);
    const outcome = await run(optionsFor([DONE]));
    expect(outcome).toMatchObject({ status: 'journal_error', exitCode: 50, journal: null, result: null });
    expect(outcome.errors).toEqual([expect.stringContaining(inTheWay)]);
    expect(outcome.counters.attempts).toBe(0);
  });

  it('a run of the same name is not written over', async () => {
    vi.stubEnv('PAWL_HOME', scratchFolder());
    const first = await run(optionsFor([DONE], { runId: 'twice' }));
    const second = await run(optionsFor([DONE], { runId: 'twice' }));
    expect(second).toMatchObject({ status: 'journal_error', journal: null });
    expect(second.errors).toEqual([expect.stringContaining('the file exists already')]);
    expect((await readJournal(first.journal ?? '')).records.at(-1)?.type).toBe('run.ended');
  });
});
