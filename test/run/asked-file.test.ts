/** A yes to a change of a file is for the file as it was when the call was made: what came meanwhile is not overwritten. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { decide } from '../../src/decide.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { later } from '../../src/permissions/approver.ts';
import { askForEffects } from '../../src/permissions/policy.ts';
import { resume } from '../../src/resume.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { runOf } from './runs.ts';

type ScriptCall = NonNullable<ScriptReply['calls']>[number];

const MEANS = { tools: builtinTools(), policy: askForEffects, approver: later };
const write = (id: string, content: string, name = 'a.txt'): ScriptCall => ({
  id,
  name: 'write_file',
  input: { path: name, content },
});
const edit = (id: string, old_string: string, new_string: string): ScriptCall => ({
  id,
  name: 'edit_file',
  input: { path: 'a.txt', old_string, new_string },
});

/** The calls wait; meanwhile something happens to the folder; then all of them are allowed. */
async function play(before: string | null, calls: readonly ScriptCall[], meanwhile: (file: string) => void) {
  const workspace = scratchFolder();
  const file = path.join(workspace, 'a.txt');
  if (before !== null) writeFileSync(file, before);
  const { records } = await runOf([{ calls: [...calls] }], { ...MEANS, workspace });
  meanwhile(file);
  const journal = memoryJournal(() => 0, records);
  const all = calls.map(({ id = '' }) => ({ callId: id, granted: true }));
  await decide({ journal, records, tornBytes: 0 }, all);
  const decided = journal.records;
  const again = { journal: memoryJournal(() => 0, decided), records: decided, tornBytes: 0 };
  const client = scriptedModel([{ text: 'done' }], 'the rest');
  const { messages } = await resume(again, { ...MEANS, client });
  const results = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  );
  return { file, results: results.map(({ content }) => String(content)) };
}

const REMEDY =
  /nothing was written\. Look at it again, then make the change anew: the person is asked again\.$/;
const refusedWith = (what: string) => [
  expect.stringMatching(new RegExp(`^${what} since the person was asked.*${REMEDY.source}`)),
];

it('a file that appears while a write of a new one waits stays as it is', async () => {
  const { file, results } = await play(null, [write('w', 'mine')], (at) => writeFileSync(at, 'theirs'));
  expect(results).toEqual(refusedWith('a\\.txt has been created'));
  expect(readFileSync(file, 'utf8')).toBe('theirs');
});

it.each([
  ['write_file', write('w', 'mine')],
  ['edit_file', edit('e', 'two', '2')],
])('a file that changes while a call of %s waits stays as it is', async (_, call) => {
  const { file, results } = await play('one two', [call], (at) => writeFileSync(at, 'one two three'));
  expect(results).toEqual(refusedWith('a\\.txt has changed'));
  expect(readFileSync(file, 'utf8')).toBe('one two three');
});

it('a file that is removed while a write waits is not made again', async () => {
  const { results } = await play('one', [write('w', 'mine')], (at) => rmSync(at));
  expect(results).toEqual(refusedWith('a\\.txt has been removed'));
});

it('a path that comes to lead to another file is another question', async () => {
  const { file, results } = await play('one', [write('w', 'mine')], (at) => {
    const folder = path.join(path.dirname(at), 'b');
    mkdirSync(folder);
    rmSync(at);
    writeFileSync(path.join(folder, 'c.txt'), 'one');
    symlinkSync('b/c.txt', at);
  });
  expect(results).toEqual(refusedWith('The path has come to lead to b/c\\.txt and not to a\\.txt'));
  expect(readFileSync(file, 'utf8')).toBe('one');
});

it('what is as it was is changed, and what the run itself has changed since counts as seen', async () => {
  const calls = [
    write('w', 'one two'),
    edit('e', 'one', '1'),
    edit('f', 'two', '2'),
    write('v', 'x', 'b.txt'),
  ];
  const { file, results } = await play(null, calls, () => {});
  expect(results).toEqual([
    expect.stringMatching(/^Created a\.txt/),
    expect.stringMatching(/^Edited a\.txt/),
    expect.stringMatching(/^Edited a\.txt/),
    expect.stringMatching(/^Created b\.txt/),
  ]);
  expect(readFileSync(file, 'utf8')).toBe('1 2');
});

it('what the model reads between the question and the change was not seen by the person', async () => {
  const read: ScriptCall = { id: 'r', name: 'read_file', input: { path: 'a.txt' } };
  const workspace = scratchFolder();
  const file = path.join(workspace, 'a.txt');
  writeFileSync(file, 'one');
  const approver = {
    ask: async () => {
      writeFileSync(file, 'two');
      return { granted: true } as const;
    },
  };
  const { outcome } = await runOf([{ calls: [read, write('w', 'mine')] }, { text: 'done' }], {
    ...MEANS,
    approver,
    workspace,
  });
  expect(JSON.stringify(outcome.messages)).toContain('a.txt has changed since the person was asked');
  expect(readFileSync(file, 'utf8')).toBe('two');
});
