import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileJournal, reopenJournal } from '../../src/journal/file.ts';
import { keptPath } from '../../src/journal/kept-files.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { allowAll } from '../../src/permissions/policy.ts';
import { resume } from '../../src/resume.ts';
import { run } from '../../src/run.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { planUndo } from '../../src/undo.ts';
import { workspace } from '../tools/support.ts';
import { optionsFor } from './runs.ts';

const write = (file: string, content: string) => ({ name: 'write_file', input: { path: file, content } });
const edit = (file: string, old_string: string, new_string: string) => ({
  name: 'edit_file',
  input: { path: file, old_string, new_string },
});
const DONE: ScriptReply = { text: 'done' };

/** A run over files, with its journal beside the workspace. */
async function ran(
  files: Readonly<Record<string, string | Uint8Array>>,
  ...calls: ScriptReply['calls'] & object
) {
  const w = await workspace(files);
  const file = path.join(w.outside, 'runs', 'r.jsonl');
  const means = { workspace: w.root, tools: builtinTools(), policy: allowAll };
  const play = async (name = 'r') => {
    const options = optionsFor([{ calls }, DONE], { ...means, now: Date.now });
    const journal = fileJournal(path.join(w.outside, 'runs', `${name}.jsonl`));
    return run({ ...options, journal });
  };
  const outcome = await play();
  const records = async () => (await readJournal(file)).records;
  const plan = async (after = 0, upTo = Number.POSITIVE_INFINITY) =>
    planUndo(file, (await records()).slice(0, upTo), w.root, after);
  const read = (name: string) => readFileSync(w.path(name), 'utf8');
  return { ...w, file, outcome, records, plan, read, means };
}

const actions = (steps: readonly { path: string; action: string }[]) =>
  steps.map((step) => `${step.action} ${step.path}`);

describe('undo', () => {
  it('gives back content and mode, and removes what the run created, with the folders for it', async () => {
    const latin = Buffer.from([0xe9, 0x0d, 0x0a, 0x61, 0x0a]);
    const {
      plan,
      path: at,
      root,
      outcome,
    } = await ran(
      { 'a.txt': latin, 'run.sh': 'echo old\r\n', 'there/x.txt': 'x' },
      edit('a.txt', 'a', 'b'),
      write('run.sh', 'echo new\n'),
      write('new/deep/b.txt', 'b'),
      write('new/c.txt', 'c'),
      write('there/y.txt', 'y'),
      edit('new/c.txt', 'c', 'd'),
    );
    expect(outcome.status).toBe('answered');
    chmodSync(at('run.sh'), 0o700);
    const { steps, apply } = await plan();
    const expected = [
      'restore a.txt',
      'restore run.sh',
      'remove new/deep/b.txt',
      'remove new/c.txt',
      'remove there/y.txt',
    ];
    expect(actions(steps)).toEqual(expected);
    expect(readFileSync(at('new/c.txt'), 'utf8')).toBe('d');
    expect(actions(await apply())).toEqual(expected);
    expect(readFileSync(at('a.txt')).equals(latin)).toBe(true);
    expect(readFileSync(at('run.sh'), 'utf8')).toBe('echo old\r\n');
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'run.sh', 'there']);
    expect(readdirSync(at('there'))).toEqual(['x.txt']);
    expect(new Set(actions((await plan()).steps).map((step) => step.split(' ')[0]))).toEqual(new Set(['as']));
  });

  it('goes back to any record, and forward again to none', async () => {
    const { plan, read, records } = await ran(
      { 'a.txt': 'one' },
      edit('a.txt', 'one', 'two'),
      write('b.txt', 'b'),
      edit('a.txt', 'two', 'three'),
      edit('a.txt', 'three', 'four'),
    );
    const kept = (await records()).filter(({ type }) => type === 'file.kept').map(({ seq }) => seq);
    const [first = 0, second = 0, , last = 0] = kept;
    await (await plan(second)).apply();
    expect([read('a.txt'), read('b.txt')]).toEqual(['two', 'b']);
    expect(actions((await plan(last)).steps)).toEqual([]);
    // The file is not as the run has left it in the end, but as one of its changes found it.
    const { steps, apply } = await plan(first);
    expect(actions(steps)).toEqual(['remove b.txt', 'as it was a.txt']);
    await apply();
    expect(actions(await (await plan()).apply())).toEqual(['restore a.txt', 'as it was b.txt']);
    expect(read('a.txt')).toBe('one');
  });

  it('refuses what was changed since, and says where the old content lies', async () => {
    const {
      plan,
      path: at,
      read,
      file,
    } = await ran(
      { 'a.txt': 'one', 'b.txt': 'one' },
      edit('a.txt', 'one', 'two'),
      edit('b.txt', 'one', 'two'),
      write('c.txt', 'c'),
    );
    for (const name of ['a.txt', 'c.txt']) writeFileSync(at(name), 'mine');
    const { steps, apply } = await plan();
    expect(steps).toMatchObject([
      { path: 'a.txt', action: 'refuse', reason: 'It has been changed since the run wrote it.' },
      { path: 'b.txt', action: 'restore' },
      { path: 'c.txt', action: 'refuse' },
    ]);
    expect(readFileSync(steps[0]?.kept ?? '', 'utf8')).toBe('one');
    expect(steps[0]?.kept?.startsWith(`${file}.files/`)).toBe(true);
    await apply();
    expect(['a.txt', 'b.txt', 'c.txt'].map(read)).toEqual(['mine', 'one', 'mine']);
  });

  it('refuses at the last moment what is changed behind its look', async () => {
    const {
      plan,
      path: at,
      read,
    } = await ran({ 'a.txt': 'one' }, edit('a.txt', 'one', 'two'), write('b.txt', 'b'));
    const { apply } = await plan();
    for (const name of ['a.txt', 'b.txt']) writeFileSync(at(name), 'mine and longer');
    expect(actions(await apply())).toEqual(['refuse a.txt', 'refuse b.txt']);
    expect(['a.txt', 'b.txt'].map(read)).toEqual(['mine and longer', 'mine and longer']);
  });

  it('brings back what is gone, and lets alone what is as it was', async () => {
    const {
      plan,
      path: at,
      read,
    } = await ran(
      { 'a.txt': 'one', 'b.txt': 'one' },
      edit('a.txt', 'one', 'two'),
      edit('b.txt', 'one', 'two'),
      write('c.txt', 'c'),
    );
    rmSync(at('a.txt'));
    writeFileSync(at('b.txt'), 'one');
    rmSync(at('c.txt'));
    const { steps, apply } = await plan();
    expect(actions(steps)).toEqual(['restore a.txt', 'as it was b.txt', 'as it was c.txt']);
    await apply();
    expect(read('a.txt')).toBe('one');
  });

  it('works on a run that was cut off right before, or right behind a change', async () => {
    const { plan, path: at, read, records } = await ran({ 'a.txt': 'one' }, edit('a.txt', 'one', 'two'));
    const kept = (await records()).findIndex(({ type }) => type === 'file.kept');
    const behind = await plan(0, kept + 1);
    expect(actions(behind.steps)).toEqual(['restore a.txt']);
    await behind.apply();
    expect(read('a.txt')).toBe('one');
    expect(actions((await plan(0, kept + 1)).steps)).toEqual(['as it was a.txt']);
    writeFileSync(at('a.txt'), 'two');
    expect(actions((await plan(0, kept)).steps)).toEqual([]);
  });

  it('follows no link that lies there by now', async () => {
    const {
      plan,
      path: at,
      outside,
    } = await ran(
      { 'sub/a.txt': 'one', 'b.txt': 'one' },
      edit('sub/a.txt', 'one', 'two'),
      edit('b.txt', 'one', 'two'),
    );
    const elsewhere = path.join(outside, 'elsewhere.txt');
    writeFileSync(elsewhere, 'two');
    rmSync(at('sub'), { recursive: true });
    rmSync(at('b.txt'));
    symlinkSync(outside, at('sub'));
    symlinkSync(elsewhere, at('b.txt'));
    const { steps, apply } = await plan();
    expect(steps).toMatchObject([
      { action: 'refuse', reason: expect.stringMatching(/outside the workspace/) },
      { action: 'refuse', reason: expect.stringMatching(/outside the workspace/) },
    ]);
    rmSync(at('b.txt'));
    symlinkSync(at('.'), at('b.txt'));
    expect((await plan()).steps[1]).toMatchObject({ reason: 'A link leads somewhere else there by now.' });
    await apply();
    expect(existsSync(path.join(outside, 'a.txt'))).toBe(false);
    expect(readFileSync(elsewhere, 'utf8')).toBe('two');
  });

  it('refuses a content that is no longer the one that was kept', async () => {
    const { plan, file, read } = await ran({ 'a.txt': 'one' }, edit('a.txt', 'one', 'two'));
    const [name = ''] = readdirSync(`${file}.files`);
    writeFileSync(keptPath(file, name), 'forged');
    expect((await plan()).steps).toMatchObject([{ reason: 'What it was is not kept any more.' }]);
    rmSync(`${file}.files`, { recursive: true });
    expect((await plan()).steps).toMatchObject([{ action: 'refuse' }]);
    expect(read('a.txt')).toBe('two');
  });
});

describe('what files were', () => {
  it('is kept once for each content, and readable by the owner alone', async () => {
    const { file } = await ran(
      { 'a.txt': 'one', 'b.txt': 'one' },
      edit('a.txt', 'one', 'two'),
      edit('b.txt', 'one', 'two'),
      write('a.txt', 'two'),
      edit('a.txt', 'two', 'three'),
    );
    const folder = `${file}.files`;
    const names = readdirSync(folder);
    expect(names.map((name) => readFileSync(path.join(folder, name), 'utf8')).sort()).toEqual(['one', 'two']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of names) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('is not kept by a run without a journal on the disk, which changes files all the same', async () => {
    const w = await workspace({ 'a.txt': 'one' });
    const journal = memoryJournal();
    const calls = [edit('a.txt', 'one', 'two')];
    await run(
      optionsFor([{ calls }, DONE], { workspace: w.root, tools: builtinTools(), policy: allowAll, journal }),
    );
    expect(readFileSync(w.path('a.txt'), 'utf8')).toBe('two');
    expect(journal.records.some(({ type }) => type === 'file.kept')).toBe(false);
  });

  it('must be kept: where it cannot be, the file stays as it is, and the model is told', async () => {
    const w = await workspace({ 'a.txt': 'one' });
    const journal = {
      ...memoryJournal(),
      keepFile: () => {
        throw new Error('no space left');
      },
    };
    const { messages, status } = await run(
      optionsFor([{ calls: [edit('a.txt', 'one', 'two')] }, DONE], {
        workspace: w.root,
        tools: builtinTools(),
        policy: allowAll,
        journal,
      }),
    );
    expect(status).toBe('answered');
    expect(JSON.stringify(messages)).toMatch(
      /Nothing was written, because what the file was could not be kept \(no space left\)/,
    );
    expect(readFileSync(w.path('a.txt'), 'utf8')).toBe('one');
  });
});

it('what the model has seen of files is known from the records, also to the process that goes on', async () => {
  const {
    path: at,
    file,
    means,
    read,
  } = await ran(
    { 'a.txt': 'one', 'b.txt': 'one' },
    { name: 'read_file', input: { path: 'a.txt' } },
    edit('b.txt', 'one', 'two'),
  );
  for (const name of ['a.txt', 'b.txt']) writeFileSync(at(name), 'one two three');
  const client = scriptedModel([
    { calls: [edit('a.txt', 'three', '3'), edit('b.txt', 'three', '3')] },
    { calls: [{ name: 'read_file', input: { path: 'a.txt' } }, edit('a.txt', 'three', '3')] },
    DONE,
  ]);
  const { workspace: _, ...rest } = means;
  const { messages } = await resume(await reopenJournal(file), { ...rest, client, instruction: 'go on' });
  const results = JSON.stringify(messages);
  expect(results.match(/has changed since you last saw it/g)).toHaveLength(2);
  expect([read('a.txt'), read('b.txt')]).toEqual(['one two 3', 'one two three']);
});
