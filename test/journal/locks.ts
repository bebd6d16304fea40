/** Lock files made by hand, and processes that hold real ones. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Holder, thisProcess } from '../../src/sandbox/holder.ts';
import { programFile } from '../helpers/programs.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const HOLD_LOCK = programFile('journal/hold-lock');

/** Where a journal could be; nothing is there yet. */
export const journalPlace = () => path.join(scratchFolder(), 'a-run.jsonl');
export const lockPath = (file: string, suffix: number | string = 1) =>
  file.replace(/\.jsonl$/, `.lock-${suffix}`);
export const filesBeside = (file: string) => readdirSync(path.dirname(file)).sort();
export const holderIn = (file: string, number = 1): Holder =>
  JSON.parse(readFileSync(lockPath(file, number), 'utf8'));

/** A lock of this very process, but for what is changed. */
export function writeLock(file: string, changes: Partial<Holder>, number = 1): void {
  writeFileSync(lockPath(file, number), JSON.stringify({ ...thisProcess(0), ...changes }));
}

/** This process with another start: it had this pid before, and is dead. */
export const DEAD: Partial<Holder> = { startTime: '1' };

async function firstLine({ stdout, stderr }: ChildProcess): Promise<string> {
  for await (const data of stdout ?? []) return String(data).trim();
  throw new Error(stderr ? await text(stderr) : 'the program said nothing');
}

/** Starts a process that takes the lock of `file`: resolves once it holds it, rejects with what it said instead. */
export async function startHolder(file: string, manner: 'idle' | 'blocked' = 'idle') {
  const child = spawn(process.execPath, [HOLD_LOCK, file, manner], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return { pid: Number(await firstLine(child)), exited, child };
}

/** The same, under a parent that never asks what became of its child. */
export async function startNeglectedHolder(file: string): Promise<number> {
  const script = '"$@" & exec sleep 60';
  const parent = spawn('bash', ['-c', script, 'bash', process.execPath, HOLD_LOCK, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  return Number(await firstLine(parent));
}
