/** A run that goes on uses what it recorded: nothing is found out anew that could come out otherwise. */
import { copyFileSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import {
  allowAll,
  anthropicModel,
  builtinTools,
  readJournal,
  reopenJournal,
  resume,
} from '../../src/index.ts';
import { RECORD_VERSION } from '../../src/journal/record.ts';
import { type ServedPlace, servedPlace, violationsOf } from './served.ts';
import { call, calls, says } from './support.ts';

const FAILING = call('toolu_cm1', 'bash', { command: 'echo ran >> log.txt; date +%N; echo $RANDOM; exit 4' });
const MISSING = call('toolu_cm2', 'read_file', { path: 'missing.txt' });

/** Two rounds with results that no second try would give, then a process that is killed while it waits for a reply. */
async function leftBehind(): Promise<ServedPlace> {
  const place = servedPlace();
  const late = { fault: 'delay', ms: 60_000, reply: says('late') } as const;
  const server = await place.serve(calls(FAILING), calls(MISSING), late);
  const { child, finished } = place.start(['run', '--yes', 't']);
  await place.until(() => server.requests.length === 3);
  child.kill('SIGKILL');
  await finished;
  return place;
}

type Result = readonly [callId: unknown, content: unknown, isError: boolean];

const recordedResults = (place: ServedPlace): Result[] =>
  place
    .records()
    .flatMap((record) =>
      record.type === 'tool.finished' ? [[record.callId, record.content, record.isError] as const] : [],
    );

const sentResults = (body: { readonly messages?: unknown } = {}): Result[] =>
  (body.messages as Message[]).flatMap(({ content }) =>
    (typeof content === 'string' ? [] : content).flatMap((block) =>
      block.type === 'tool_result'
        ? [[block.tool_use_id, block.content, block.is_error === true] as const]
        : [],
    ),
  );

describe('a run that goes on', () => {
  it('an hour later and with a tool less repeats ids, results and errors to the letter, and tells first what differs', async () => {
    const place = await leftBehind();
    const recorded = recordedResults(place);
    expect(recorded).toEqual([
      ['toolu_cm1', expect.stringContaining('exit_code=4'), true],
      ['toolu_cm2', expect.stringContaining('missing.txt'), true],
    ]);
    const server = await place.serve(says('ok'));
    const notices: string[] = [];
    const { status } = await resume(await reopenJournal(place.journal()), {
      client: anthropicModel({ apiKey: 'test-key', baseUrl: server.url }),
      policy: allowAll,
      tools: builtinTools().filter(({ name }) => name !== 'bash'),
      now: () => Date.now() + 3_600_000,
      onEvent: (event) => {
        if (event.type === 'notice' && server.requests.length === 0) notices.push(event.text);
      },
    });
    expect(status).toBe('answered');
    expect(notices).toEqual([
      expect.stringContaining('The tool bash is gone'),
      expect.stringContaining('It is asked again'),
    ]);
    expect(violationsOf(server)).toEqual([]);
    expect(sentResults(server.requests[0]?.body)).toEqual(recorded);
    expect(place.read('log.txt')).toBe('ran\n');
  });

  it('by another path to its folder tells nothing of that, and in another folder tells which one it was', async () => {
    const place = await leftBehind();
    const recorded = recordedResults(place);
    const [id = ''] = place.ids;
    copyFileSync(place.journal(id), path.join(place.runsFolder, 'second.jsonl'));
    const [link, moved] = [path.join(place.base, 'link'), path.join(place.base, 'moved')];
    symlinkSync(place.folder, link);
    const server = await place.serve(says('ok'), says('ok'));
    const same = await place.resume(id, '--yes', '-C', link);
    expect(same).toMatchObject({ code: 0, stderr: expect.not.stringContaining('The workspace is now') });

    mkdirSync(moved);
    renameSync(place.file('log.txt'), path.join(moved, 'log.txt'));
    const other = await place.resume('second', '--yes', '-C', moved);
    expect(other.stderr).toContain(`The workspace is now ${moved}; it was ${place.folder}.`);
    for (const { body } of server.requests) expect(sentResults(body)).toEqual(recorded);
  });

  it('after an older pawl says so and works; after a newer one it is refused, with the version', async () => {
    const place = await leftBehind();
    const [id = ''] = place.ids;
    const written = (pawl: string, version: number) =>
      place.rewrite(id, (record) => (record.type === 'run.started' ? { ...record, pawl, version } : record));
    const server = await place.serve(says('ok'));
    written('9.8.7', RECORD_VERSION + 1);
    expect(await place.resume(id, '--yes')).toMatchObject({
      code: 50,
      stdout: '',
      stderr: expect.stringContaining('9.8.7'),
    });
    expect(server.requests).toEqual([]);
    written('0.0.1', RECORD_VERSION);
    expect(await place.resume(id, '--yes')).toMatchObject({
      code: 0,
      stdout: 'ok\n',
      stderr: expect.stringContaining('last worked on by pawl 0.0.1'),
    });
    expect((await readJournal(place.journal(id))).records.at(-1)).toMatchObject({ status: 'answered' });
  });
});
