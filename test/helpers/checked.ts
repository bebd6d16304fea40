/** Runs whose answers are checked, by a sandbox that gives the exit codes it was handed. */
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { ModelClient, ModelRequest } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import { run } from '../../src/run.ts';
import type { ProcessRequest, Sandbox } from '../../src/sandbox/sandbox.ts';
import { approver, policy, tools } from './props.ts';

const NOTHING = { text: '', omitted: 0, bytes: 0 };

/** Behind the last code, everything passes. */
export function exitingSandbox(codes: readonly number[]): Sandbox & { readonly requests: ProcessRequest[] } {
  const requests: ProcessRequest[] = [];
  return {
    requests,
    async run(request) {
      const exitCode = codes[requests.length] ?? 0;
      requests.push(request);
      const text = exitCode === 0 ? 'all passed\n' : `not yet (${requests.length})\n`;
      return { end: { kind: 'exited', exitCode }, stdout: { ...NOTHING, text }, stderr: NOTHING };
    },
  };
}

export const checksIn = (records: readonly JournalRecord[]): number =>
  records.filter(({ type }) => type === 'check.finished').length;

export interface CheckedPlay extends Pick<RunOptions, 'limits'> {
  readonly replies: readonly ScriptReply[];
  readonly codes: readonly number[];
}

/** @returns as `play` does, as far as a recovery needs it */
export async function playChecked({ replies, codes, limits }: CheckedPlay) {
  const journal = memoryJournal(() => 0);
  const requests: ModelRequest[] = [];
  const script = scriptedModel(replies, 'the script');
  const client: ModelClient = {
    ...script,
    ask: (request, how) => {
      requests.push(request);
      return script.ask(request, how);
    },
  };
  const outcome = await run({
    task: 'the task',
    model: 'a-model',
    workspace: '/',
    client,
    tools,
    policy,
    approver,
    journal,
    sandbox: exitingSandbox(codes),
    check: { command: 'the check' },
    now: () => 0,
    random: () => 0.5,
    ...(limits && { limits }),
  });
  return { outcome, records: journal.records, requests };
}
