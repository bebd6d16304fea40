/** What a child of `pawl crashtest` is to do and what it writes down meanwhile: files in the folder of its trial. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelRequest } from '../model/client.ts';
import type { RunFlags } from './run-flags.ts';

export interface CrashPlan {
  readonly task: string;
  /** Paths in it are absolute. */
  readonly flags: RunFlags;
  /** At which instant the process kills itself, counted from 1; null: it does not. */
  readonly killAt: number | null;
}

/** Written before what it tells of, all but the `after` instants. */
export type LedgerEntry =
  | { readonly is: 'instant'; readonly at: string }
  /** A call that may not be executed twice is about to be. */
  | { readonly is: 'effect'; readonly tool: string; readonly callId: string }
  | { readonly is: 'request'; readonly request: ModelRequest };

export const trialFiles = (folder: string) => ({
  plan: path.join(folder, 'plan.json'),
  journal: path.join(folder, 'journal.jsonl'),
  ledger: path.join(folder, 'ledger.jsonl'),
  workspace: path.join(folder, 'workspace'),
});

/** A line is written in one go, and no process dies within one. */
export function readLedger(file: string): LedgerEntry[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LedgerEntry);
}
