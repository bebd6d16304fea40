/** What a worker does its runs with, and has for all of them. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { checkOptions } from '../check-options.ts';
import { headerOf } from '../header.ts';
import { codeOf } from '../journal/failure.ts';
import type { JournalRecord, RunStarted } from '../journal/record.ts';
import type { ModelClient } from '../model/client.ts';
import type { RunOptions } from '../options.ts';
import { builtinTools, toolRegistry } from '../tools/registry.ts';
import type { Submission } from './protocol.ts';
import { Slots } from './slots.ts';

/** What a run needs is not on this worker. It may be so elsewhere, or later. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

/** What a run is done with on this worker. */
export interface Equipment {
  readonly options: Omit<RunOptions, 'task' | 'client' | 'workspace'>;
  /** @param records those of the run so far, whenever they are asked for: a client may have to know what it was asked before */
  readonly clientFor: (records: () => readonly JournalRecord[]) => ModelClient;
  /** Calls that ask wait for a word from outside; else the approver in the options answers. */
  readonly isAnsweredOutside: boolean;
}

/** What a run is done with, and what stands in the way of doing anything of it here. */
export interface EquippedHere extends Equipment {
  readonly obstacle: NotHere | undefined;
}

/** @param begun how the run was begun, where it was. @throws OptionsError for options that no run can be made of */
export type Equip = (submission: Submission, workspace: string, begun?: RunStarted) => Promise<Equipment>;

export interface Shop {
  readonly slots: Slots;
  /** Folder of what is too large for the engine. */
  readonly blobs: string;
  /** A run that nothing is heard of for so long is taken from the worker, until there are news for it. */
  readonly silenceMs: number;
  /** Makes the folder that the run works in, where it has one of its own. */
  begin(runId: string, submission: Submission): Promise<RunStarted>;
  equip(submission: Submission, begun: RunStarted): Promise<EquippedHere>;
  /** Told of a run that this worker takes up, and what it came to here. */
  readonly tell: (line: string) => void;
}

export interface ShopOptions extends Pick<Shop, 'tell'> {
  readonly concurrency: number;
  /** Folder in which runs without a folder get one of their own. It is there: a disk that is missing is not to be made up for. */
  readonly workspaces: string;
  readonly blobs: string;
  readonly equip: Equip;
  /** Default: five minutes. */
  readonly silenceMs?: number;
}

const DEFAULT_SILENCE_MS = 300_000;

async function makeFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another attempt has made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

export function openShop(options: ShopOptions): Shop {
  const { concurrency, workspaces, blobs, equip, tell, silenceMs = DEFAULT_SILENCE_MS } = options;
  const troubles = new Set<string>();
  /** Told once, and not with each attempt. */
  const notHere = (message: string): NotHere => {
    if (!troubles.has(message)) tell(message);
    troubles.add(message);
    return new NotHere(message);
  };
  return {
    slots: new Slots(concurrency),
    blobs,
    silenceMs,
    tell,
    async begin(runId, submission) {
      const workspace = submission.workspace ?? path.join(workspaces, runId);
      if (submission.workspace === null)
        await makeFolder(workspace).catch((error: Error) => {
          throw notHere(`The folder ${workspace} of the run cannot be made: ${error.message}.`);
        });
      const equipment = await equip(submission, workspace);
      const all = {
        ...equipment.options,
        task: submission.task,
        workspace,
        client: equipment.clientFor(() => []),
      };
      checkOptions(all);
      return headerOf(all, runId, toolRegistry(all.tools ?? builtinTools()));
    },
    async equip(submission, begun) {
      const { workspace } = begun;
      const found = await fs.stat(workspace).catch(() => undefined);
      const message = `The folder ${workspace} of the run is not on this worker. Workers of a pool share it.`;
      if (found?.isDirectory()) {
        troubles.delete(message);
        return { ...(await equip(submission, workspace, begun)), obstacle: undefined };
      }
      const obstacle = notHere(message);
      // Enough to go through what was done, and to hear what was said.
      return { ...(await equip(submission, workspaces, begun)), obstacle };
    },
  };
}
