/** The runs in a state folder, at a glance: most are told from the first and the last line of their journal. */
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Usage } from '../../machines/protocol.ts';
import { END_STATUSES, type RunStatus } from '../../machines/status.ts';
import { codeOf, reasonOf } from './failure.ts';
import { foldRecords } from './fold.ts';
import { JournalCorrupt } from './journal.ts';
import { decodeLine, GENESIS } from './line.ts';
import { runPath } from './location.ts';
import { holderOf } from './lock.ts';
import { readJournal } from './read.ts';
import { type JournalRecord, RECORD_VERSION, type RunStarted } from './record.ts';

interface Named {
  /** The name of its file. */
  readonly runId: string;
  readonly file: string;
}

export interface SoundRun extends Named {
  /** `running`: a live process holds it. Nobody does, and it has not ended: `suspended` where calls wait, else `interrupted`. */
  readonly status: RunStatus | 'running' | 'interrupted';
  /** Whether calls in it wait for a person, whoever holds it. */
  readonly isWaiting: boolean;
  /** ISO 8601, UTC. Of a fork, when it was made: its records are older. */
  readonly startedAt: string;
  readonly task: string;
  readonly model: string;
  readonly workspace: string;
  readonly turns: number;
  readonly usage: Usage;
  /** 0 where the price is unknown. */
  readonly costUsd: number;
  /** Why an engine does not get on with it. */
  readonly problem?: string;
}

/** A journal that cannot be read, or whose records make no sense. */
export interface DamagedRun extends Named {
  readonly status: 'damaged';
  /** In words, without the name of the file. */
  readonly problem: string;
}

export type RunEntry = SoundRun | DamagedRun;

export const RUN_STATES = [
  ...(Object.keys(END_STATUSES) as RunStatus[]),
  'running',
  'suspended',
  'interrupted',
  'damaged',
] as const satisfies readonly RunEntry['status'][];

/** What a run is that has not ended. */
export function openStatus(isWaiting: boolean, isHeld: boolean): 'running' | 'suspended' | 'interrupted' {
  if (isHeld) return 'running';
  return isWaiting ? 'suspended' : 'interrupted';
}

export const isRunStatus = (state: string): state is RunStatus => Object.hasOwn(END_STATUSES, state);

/** Ids of all runs, newest first. Empty where there is no folder yet. Rejects with the system's error otherwise. */
export async function runIds(folder: string): Promise<string[]> {
  try {
    const names = await fs.readdir(path.dirname(runPath(folder, 'any')));
    return names
      .filter((name) => name.endsWith(EXTENSION) && !name.startsWith('.'))
      .map((name) => name.slice(0, -EXTENSION.length))
      .sort()
      .reverse();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const EXTENSION = path.extname(runPath('', 'any'));

/** Never rejects: whatever is wrong with one run must not hide the others. */
export async function readEntry(folder: string, runId: string): Promise<RunEntry> {
  const named: Named = { runId, file: runPath(folder, runId) };
  try {
    return (await glance(named)) ?? (await wholeRun(named));
  } catch (error) {
    return { ...named, status: 'damaged', problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof JournalCorrupt) return error.problem;
  // Its name was found in the folder a moment ago.
  return codeOf(error) === 'ENOENT'
    ? 'it is a link that leads nowhere, or was just removed'
    : reasonOf(error);
}

/** The header of a journal; undefined where it has none that this pawl can read. */
export async function readHeader(file: string): Promise<RunStarted | undefined> {
  return withFile(file, async (handle) => (await firstRecord(handle))?.header).catch(() => undefined);
}

/** A run that has ended says so in its last line, and how. Anything else is undefined: it has to be read whole. */
async function glance(named: Named): Promise<SoundRun | undefined> {
  return withFile(named.file, async (handle) => {
    const [first, ended] = [await firstRecord(handle), await lastEnd(handle)];
    if (first === undefined || ended === undefined) return undefined;
    const { status, turns, usage, costUsd } = ended;
    const facts = factsOf(first.header, first.at);
    return { ...named, ...facts, status, isWaiting: false, turns, usage, costUsd };
  });
}

async function wholeRun(named: Named): Promise<SoundRun> {
  const { records } = await readJournal(named.file);
  const { header, snapshot, status } = foldRecords(records);
  const { counters, usage, costUsd } = snapshot.context;
  const isWaiting = snapshot.matches('awaitingApproval');
  return {
    ...named,
    ...factsOf(header, records[0]?.at ?? ''),
    status: status ?? openStatus(isWaiting, holderOf(named.file) !== undefined),
    isWaiting,
    turns: counters.turns,
    usage,
    costUsd,
  };
}

const factsOf = ({ task, model, workspace, origin }: RunStarted, startedAt: string) => ({
  startedAt: origin?.at ?? startedAt,
  task: String(task),
  model: String(model),
  workspace: String(workspace),
});

/** Opening a FIFO would wait for a writer: without waiting it is open at once, and refused. */
async function withFile<Value>(file: string, read: (handle: FileHandle) => Promise<Value>): Promise<Value> {
  const handle = await fs.open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is no regular file');
    return await read(handle);
  } finally {
    await handle.close();
  }
}

const FIRST_BYTES = 65_536;

async function firstRecord(handle: FileHandle): Promise<{ header: RunStarted; at: string } | undefined> {
  const { size } = await handle.stat();
  let head = await bytesAt(handle, 0, FIRST_BYTES);
  if (!head.includes('\n')) head = await bytesAt(handle, 0, size);
  const decoded = decodeLine(head.subarray(0, Math.max(0, head.indexOf('\n'))), GENESIS, 0);
  if ('reason' in decoded) return undefined;
  const { record } = decoded;
  const isReadable = record.type === 'run.started' && record.version <= RECORD_VERSION;
  return isReadable ? { header: record, at: record.at } : undefined;
}

/** More than a run.ended takes. */
const LAST_BYTES = 4_096;

/** Not proved: its checksum follows from the line before it. */
async function lastEnd(
  handle: FileHandle,
): Promise<Extract<JournalRecord, { type: 'run.ended' }> | undefined> {
  const { size } = await handle.stat();
  const start = Math.max(0, size - LAST_BYTES);
  const lines = (await bytesAt(handle, start, size - start)).toString('utf8').split('\n');
  const [line = '', behind] = lines.slice(-2);
  if (behind !== '' || lines.length < 3 || !line.includes('"type":"run.ended"')) return undefined;
  const record = parsed(line);
  return record?.type === 'run.ended' && isRunStatus(record.status) ? record : undefined;
}

function parsed(line: string): JournalRecord | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
