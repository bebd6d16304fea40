/** A real run in this process, served as the command line does it, and what speaks to it. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../../machines/limits.ts';
import type { Steering } from '../../src/inspector/bridge/controls.ts';
import type { Pages } from '../../src/inspector/pages.ts';
import type { ControlState } from '../../src/inspector/protocol.ts';
import { MemorySource } from '../../src/inspector/source.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { allowAll, type Policy } from '../../src/permissions/policy.ts';
import { run } from '../../src/run.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { controls as makeControls, post, serve, stateFolder } from './support.ts';

export const write = (file: string) => ({
  name: 'write_file',
  input: { path: file, content: 'written' },
  id: `toolu_${file}`,
});
export const TWO_WRITES: readonly ScriptReply[] = [
  { text: 'I write.', calls: [write('a'), write('b')] },
  { text: 'done' },
];

interface Setting {
  readonly steering?: Partial<Steering>;
  readonly policy?: Policy;
  readonly limits?: Partial<Limits>;
  readonly replies?: readonly ScriptReply[];
  readonly isWatched?: boolean;
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Else a page that says that it is one. */
  readonly pages?: Pages;
}

/** A run that is served, as the command line does it. */
export async function start({
  steering,
  policy = allowAll,
  limits = {},
  replies = TWO_WRITES,
  isWatched = true,
  files = {},
  pages,
}: Setting) {
  const workspace = scratchFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(workspace, name), content);
  const cancelling = new AbortController();
  const controls = makeControls({
    tools: ['write_file'],
    cancel: () => cancelling.abort('SIGINT'),
    ...steering,
  });
  const source = new MemorySource();
  const own = { runId: 'own', source, controls, command: null };
  const server = isWatched ? await serve({ folder: stateFolder(), own }, 0, pages) : undefined;
  const outcome = run({
    task: 'the task',
    model: 'm',
    client: scriptedModel(replies),
    workspace,
    policy,
    limits,
    runId: 'own',
    journal: memoryJournal(() => 0),
    signal: cancelling.signal,
    onEvent: (event) => {
      if (event.type === 'record') source.add(event.record);
      if (event.type === 'transition') controls.transition(event);
    },
    ...(isWatched ? { gate: controls.gate, approver: controls.questions } : {}),
    now: () => 0,
  });
  const until = async (holds: (state: ControlState) => boolean) => {
    const deadline = performance.now() + 50_000;
    while (!holds(controls.state)) {
      if (performance.now() > deadline) throw new Error(`waited in vain: ${JSON.stringify(controls.state)}`);
      await wait(5);
    }
  };
  const tell = async (part: 'control' | 'approvals', body: unknown) => {
    if (server === undefined) throw new Error('not served');
    const answer = await post(server, `/api/runs/own/${part}`, body);
    return { status: answer.status, state: JSON.parse(answer.body) as ControlState };
  };
  return {
    outcome,
    controls,
    records: source.records,
    server,
    workspace,
    has: (file: string) => existsSync(path.join(workspace, file)),
    held: () => until(({ parked }) => parked.length > 0),
    asked: (id?: string) =>
      until(({ questions }) => questions.some(({ callId }) => callId === (id ?? callId))),
    command: (command: string, at?: string) => tell('control', { command, ...(at && { at }) }),
    decide: (callId: string, granted: boolean, reason?: string) =>
      tell('approvals', { callId, granted, reason }),
  };
}

/** Folders and waits that were drawn differ from run to run. */
export const withoutChance = (records: readonly object[]): unknown =>
  JSON.parse(
    JSON.stringify(records)
      .replaceAll(/"workspace":"[^"]*"/g, '"workspace":""')
      .replaceAll(/"(delayMs|durationMs)":\d+/g, '"$1":0'),
  );
