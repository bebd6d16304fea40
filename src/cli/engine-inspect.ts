/** Runs of an engine for the page: listed, and followed while workers are at them. */
import { totalTokens } from '../../machines/reply.ts';
import type { Runs } from '../inspector/answer.ts';
import type { RunEntry } from '../inspector/protocol.ts';
import type { Reader } from '../journal/follow.ts';
import { followRun } from '../restate/follow.ts';
import { asked, blobsFolder, type EngineFlags, engineOf, findEngineRun, workspacesFolder } from './engine.ts';
import { entryOf } from './engine-runs.ts';

const MOST_LISTED = 500;

/** @returns also the id of the run that is meant. @throws UsageError */
export async function runsAt(
  flags: EngineFlags,
  run: string | undefined,
): Promise<{ runs: Runs; found?: string }> {
  const { admin, ingress } = await engineOf(flags);
  const blobs = blobsFolder(undefined, workspacesFolder(undefined));
  const runs: Runs = {
    list: async () =>
      (await admin.runs(MOST_LISTED)).map((one): RunEntry => {
        const { runId } = one;
        const entry = entryOf(one, admin.url);
        if (entry.status === 'damaged')
          return { ...NOTHING, runId, startedAt: one.startedAt, problem: entry.problem };
        if (entry.status === 'rejected') {
          const { startedAt, problem, task, status } = entry;
          return { ...NOTHING, runId, startedAt, problem, task: task ?? '', status };
        }
        const { task, startedAt, status, isWaiting, turns, usage, costUsd } = entry;
        const isOpen = status === 'running' || status === 'interrupted';
        const tokens = totalTokens(usage);
        const shown = isOpen ? null : status;
        return {
          runId,
          task,
          startedAt,
          status: shown,
          isLive: isOpen,
          isWaiting,
          turns,
          tokens,
          costUsd,
          problem: null,
        };
      }),
    async find(runId) {
      const [found] = (await admin.runs(MOST_LISTED, runId)).filter((one) => one.runId === runId);
      if (found === undefined) return undefined;
      const follow = (reader: Reader) => followRun(admin, found, reader, blobs);
      return { source: { follow }, engine: ingress.url, command: null };
    },
  };
  if (run !== undefined) return { runs, found: (await findEngineRun(admin, run)).runId };
  // A page over nothing looks as if there were no runs.
  await asked(() => admin.runs(1));
  return { runs };
}

const NOTHING: RunEntry = {
  runId: '',
  task: '',
  startedAt: '',
  status: null,
  isLive: false,
  isWaiting: false,
  turns: 0,
  tokens: 0,
  costUsd: 0,
  problem: null,
};
