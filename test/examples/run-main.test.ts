/** The example run-main: its eight cases, the three parts that can be replaced by themselves, and the real SDK. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askWith, executeIn, loop } from '../../examples/run-main/three-functions.ts';
import {
  allowAll,
  anthropicModel,
  type ContentBlock,
  defineTool,
  END_STATUSES,
  memoryJournal,
  run,
  scriptedModel,
} from '../../src/index.ts';
import { call, calls, says } from '../field/support.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { startStrictServer } from '../helpers/strict-server.ts';
import { playAll, playLive, violationsOf } from './played.ts';

const TASK = 'run main.py, report the result only';

describe('run-main, offline', () => {
  const played = playAll('run-main');

  it('one request: it asks for run_main by an id, with nothing as input, and waits', () => {
    const { transcript, waiting } = played('request');
    expect(transcript.replies).toMatchObject([{ stop_reason: 'tool_use' }]);
    expect(transcript.messages[1]?.content.at(-1)).toEqual({
      ...{ type: 'tool_use', id: 'call_1', name: 'run_main', input: {} },
    });
    expect(waiting).toMatchObject([{ call_id: 'call_1' }]);
  });

  it.each([
    ['error', true, /^exit_code=3\nhalf of it\n\[stderr\]\nno more\n/],
    ['success', false, /^exit_code=0\nok\n$/],
    ['timeout', true, /^timed out after 3 s.*\nbegun\n/],
    ['reported', true, /^exit_code=1\n[\s\S]*ZeroDivisionError: division by zero\n/],
    ['one-call', true, /^exit_code=1\n[\s\S]*ZeroDivisionError: division by zero\n/],
  ])('%s: the result has the id of its call and says how the program ended', (scenario, isError, content) => {
    const [result] = played(scenario).results;
    expect(result).toMatchObject({ tool_use_id: 'call_1', content: expect.stringMatching(content) });
    expect(result?.is_error ?? false).toBe(isError);
  });

  it('refused: both calls are answered in one message, in their order, and neither started a program', () => {
    const { results, transcript } = played('refused');
    expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(['call_1', 'call_2']);
    expect(String(results[1]?.content)).toContain('file');
    expect(transcript.messages).toHaveLength(4);
  });

  it('cut off: three times more room was asked for, and what was cut is not in the messages', () => {
    const { transcript, exit_code } = played('cut-off');
    expect(transcript.replies.map(({ stop_reason }) => stop_reason)).toEqual(Array(3).fill('max_tokens'));
    expect(transcript.messages.map(({ role }) => role)).toEqual(['user']);
    expect(exit_code).toBe(21);
  });

  it('has a table whose statuses and exit codes are those of pawl', () => {
    const readme = readFileSync('examples/run-main/README.md', 'utf8');
    const rows = readme.split('\n').flatMap((line) => {
      const [, , names, codes] = line.split('|');
      return names?.includes('`') && codes
        ? [[names.match(/\w+(?=`)/g) ?? [], codes.match(/\d+/g) ?? []]]
        : [];
    });
    const told = rows.flatMap(
      ([names, codes]) => names?.map((name, at) => [name, Number(codes?.[at])]) ?? [],
    );
    expect(told).toHaveLength(8);
    for (const [name, code] of told)
      expect({ name, ...END_STATUSES[name as 'answered'] }).toMatchObject({ exitCode: code });
  });
});

/** A folder whose main.py prints this. */
function folder(program: string): string {
  const made = scratchFolder();
  writeFileSync(path.join(made, 'main.py'), program);
  return made;
}
const replies = () =>
  scriptedModel([{ calls: [{ name: 'run_main', input: {} }] }, { when: 'seven', text: 'It printed seven.' }]);
const canned = async ({ id }: ContentBlock) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'seven',
  is_error: false,
});

describe('ask, execute and loop', () => {
  it('by hand come to what pawl comes to', async () => {
    const workspace = folder('print("seven")');
    const byHand = await loop(TASK, askWith(replies(), 'scripted'), executeIn(workspace));
    const options = { task: TASK, model: 'scripted', workspace, policy: allowAll, journal: memoryJournal() };
    const byPawl = await run({ ...options, client: replies() });
    expect([byHand.status, byHand.text]).toEqual([byPawl.status, byPawl.result]);
    const kinds = (messages: readonly { role: string; content: unknown }[]) =>
      messages.map(({ role }) => role);
    expect(kinds(byHand.messages)).toEqual(kinds(byPawl.messages));
  });

  it('are replaced one by one: another execute, another ask, another loop', async () => {
    const workspace = folder('print("three")');
    const ask = askWith(replies(), 'scripted');
    expect(await loop(TASK, ask, canned)).toMatchObject({ status: 'answered', text: 'It printed seven.' });
    const asked = async () => ({ content: [{ type: 'text', text: 'No need.' }], stop_reason: 'end_turn' });
    expect(await loop(TASK, asked, executeIn(workspace))).toMatchObject({
      status: 'answered',
      text: 'No need.',
    });
    const tool = defineTool({
      name: 'run_main',
      description: 'Stands for the program.',
      input: z.strictObject({}),
      effect: 'read',
      run: async () => 'seven',
    });
    const options = { task: TASK, model: 'scripted', workspace, tools: [tool], journal: memoryJournal() };
    expect(await run({ ...options, client: replies() })).toMatchObject({
      status: 'answered',
      result: 'It printed seven.',
    });
  });

  it.each([
    ['a limit of one request', 1, calls(call('a', 'run_main', {})), 'max_turns', 3],
    ['a cut reply', 4, { content: [], stop_reason: 'max_tokens' }, 'model_stopped', 2],
    ['an id twice', 4, calls(call('a', 'run_main', {}), call('a', 'run_main', {})), 'protocol_error', 2],
  ])('by hand end at %s with the messages that there are', async (_, most, reply, status, messages) => {
    const ended = await loop(TASK, async () => reply, canned, most);
    expect([ended.status, ended.messages.length]).toEqual([status, messages]);
  });

  it('by hand run over HTTP with the real SDK, and a program that fails is no failure of the loop', async () => {
    const server = await startStrictServer([
      calls(call('toolu_1', 'run_main', {})),
      says('It divides by zero.'),
    ]);
    const client = anthropicModel({ apiKey: 'test-key', baseUrl: server.url });
    const ended = await loop(TASK, askWith(client, 'claude-test'), executeIn(folder('print(10 / 0)')));
    await server.close();
    expect(ended).toMatchObject({ status: 'answered', text: 'It divides by zero.' });
    expect(server.requests.map(({ violations }) => violations)).toEqual([[], []]);
    expect(server.requests[1]?.raw).toContain('ZeroDivisionError');
  });

  it('by hand: what cannot be run or takes too long is a result that says so', async () => {
    const execute = executeIn(folder('import time; time.sleep(9)'), 100);
    expect(await execute(call('a', 'run_main', {}))).toMatchObject({
      is_error: true,
      content: 'timed out after 0.1 s',
    });
    expect(await execute(call('b', 'other', {}))).toMatchObject({ is_error: true, tool_use_id: 'b' });
    const nowhere = executeIn('/nowhere/at/all');
    expect(await nowhere(call('c', 'run_main', {}))).toMatchObject({
      content: 'could not be started: ENOENT',
    });
  });
});

describe('run-main, live', () => {
  it('sends two requests that the service takes, and runs the program', async () => {
    const replies = [calls(call('toolu_1', 'run_main', {})), says('It divides by zero.')];
    const lived = await playLive('run-main', replies, scratchFolder());
    expect(lived).toMatchObject({ code: 0, document: { result: 'It divides by zero.' } });
    expect(violationsOf(lived)).toEqual([]);
    expect(lived.server.requests[1]?.raw).toContain('ZeroDivisionError');
    expect(lived.server.requests[0]?.body).toMatchObject({ max_tokens: 1024, tools: [{ name: 'run_main' }] });
  });

  it('repeats no request that failed', async () => {
    const { code, document, server } = await playLive(
      'run-main',
      [{ fault: 'status', status: 529 }],
      scratchFolder(),
    );
    expect({ code, status: document.status, requests: server.requests.length }).toEqual({
      ...{ code: 25, status: 'model_error', requests: 1 },
    });
  });
});
