/** The runs of the state folder, journals that were named besides, and the run of this process. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { totalTokens } from '../../machines/reply.ts';
import { readEntry, runIds, type RunEntry as SavedRun } from '../journal/catalog.ts';
import { foldRecords } from '../journal/fold.ts';
import { JournalError } from '../journal/journal.ts';
import { runPath } from '../journal/location.ts';
import { holderOf } from '../journal/lock.ts';
import type { Runs } from './answer.ts';
import type { Controls } from './bridge/controls.ts';
import type { Feed } from './feed.ts';
import type { RunEntry } from './protocol.ts';
import { fileSource, MemorySource, type RecordSource } from './source.ts';

/** The run that this process is at work on. */
export interface OwnRun {
  readonly runId: string;
  readonly source: RecordSource;
  readonly controls: Controls;
  /** null: it leaves no journal. */
  readonly command: string | null;
}

export interface Library {
  readonly folder: string;
  /** Journals by the names that the page calls them; they may lie anywhere. */
  readonly named?: ReadonlyMap<string, string>;
  /** Known once its first record is. */
  own?: OwnRun;
}

const MOST_LISTED = 500;
/** How many journals are read at a time. */
const AT_ONCE = 16;

export const runsIn = (library: Library): Runs => ({
  async list() {
    const { folder, own } = library;
    const ids = (await runIds(folder)).slice(0, MOST_LISTED);
    const entries: RunEntry[] = own?.source instanceof MemorySource ? [entryInMemory(own, own.source)] : [];
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE).map((runId) => readEntry(folder, runId));
      entries.push(...(await Promise.all(some)).map(entryOf));
    }
    return entries;
  },
  async find(runId): Promise<Feed | undefined> {
    const { folder, named, own } = library;
    if (runId === own?.runId) return own;
    const file = named?.get(runId) ?? (isPlain(runId) ? runPath(folder, runId) : undefined);
    if (file === undefined || !existsSync(file)) return undefined;
    return {
      source: fileSource(file),
      isHeld: () => isHeld(file),
      command: named?.has(runId) ? null : `pawl inspect ${runId}`,
    };
  },
});

/** The folder may go while it is looked at; then the feed ends, too. */
function isHeld(file: string): boolean {
  try {
    return holderOf(file) !== undefined;
  } catch (error) {
    if (error instanceof JournalError) return false;
    throw error;
  }
}

/** What comes in an address leads nowhere but into the folder. */
const isPlain = (runId: string): boolean => runId === path.basename(runId) && !runId.startsWith('.');

function entryOf(run: SavedRun): RunEntry {
  const { runId } = run;
  if (run.status === 'damaged') return { ...NOTHING, runId, problem: run.problem };
  const { task, startedAt, status, isWaiting, turns, usage, costUsd } = run;
  const isOpen = status === 'running' || status === 'interrupted';
  return {
    runId,
    task,
    startedAt,
    status: isOpen ? null : status,
    isLive: status === 'running',
    isWaiting,
    turns,
    tokens: totalTokens(usage),
    costUsd,
    problem: null,
  };
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

function entryInMemory({ runId }: OwnRun, { records }: MemorySource): RunEntry {
  const [first] = records;
  if (first === undefined) return { ...NOTHING, runId, isLive: true };
  const { header, snapshot, status } = foldRecords(records);
  const { counters, usage, costUsd } = snapshot.context;
  return {
    runId,
    task: header.task,
    startedAt: first.at,
    status,
    isLive: true,
    isWaiting: snapshot.matches('awaitingApproval'),
    turns: counters.turns,
    tokens: totalTokens(usage),
    costUsd,
    problem: null,
  };
}
