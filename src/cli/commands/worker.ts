/** `pawl worker`: does the jobs of runs that an engine keeps. */
import path from 'node:path';
import { OptionsError } from '../../checks/options-error.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { ModelClient } from '../../model/client.ts';
import { nobody } from '../../permissions/nobody.ts';
import { MACHINE_VERSION, workflowName } from '../../restate/protocol.ts';
import type { Equip } from '../../restate/shop.ts';
import type { WorkerOptions } from '../../restate/worker.ts';
import { answeredRequests } from '../answered-requests.ts';
import {
  addressOf,
  asked,
  blobsFolder,
  type EngineFlags,
  engineOf,
  withEngine,
  workspacesFolder,
} from '../engine.ts';
import { portOf } from '../inspect-settings.ts';
import { scriptClient } from '../model-choice.ts';
import { positiveWhole } from '../numbers.ts';
import { printableLine } from '../printable.ts';
import { reasonOf } from '../read-file.ts';
import { type RecordedSettings, resolveSettings } from '../settings.ts';
import { cancelOnSignals } from '../signals.ts';
import { flagsOf } from '../submission.ts';
import { tell } from '../tell.ts';
import { checkUsable } from '../usable-folder.ts';
import { UsageError } from '../usage-error.ts';

export interface WorkerFlags extends EngineFlags {
  readonly port?: string;
  readonly host?: string;
  readonly advertise?: string;
  readonly concurrency?: string;
  readonly workspaces?: string;
  readonly blobs?: string;
  readonly identity?: readonly string[];
  /** False with --no-register. */
  readonly register: boolean;
  readonly verbose?: true;
}

const DEFAULT_PORT = 9_080;
const DEFAULT_CONCURRENCY = 32;
/** For jobs at work, when the worker is told to stop. */
const LONGEST_GOODBYE_MS = 30_000;

/** Serves until it is told to stop. @throws UsageError where it cannot listen or keep anything, or the engine does not take it */
export async function workerCommand(flags: WorkerFlags): Promise<number> {
  const workspaces = workspacesFolder(flags.workspaces);
  const { admin } = await engineOf(flags);
  const advertised = flags.advertise === undefined ? undefined : addressOf('--advertise', flags.advertise);
  const { checkIdentity, startWorker } = await withEngine(() => import('../../restate/worker.ts'));
  const options: WorkerOptions = {
    port: portOf(flags.port) ?? DEFAULT_PORT,
    host: flags.host ?? '127.0.0.1',
    concurrency:
      flags.concurrency === undefined
        ? DEFAULT_CONCURRENCY
        : positiveWhole('--concurrency', flags.concurrency),
    identityKeys: flags.identity ?? [],
    version: MACHINE_VERSION,
    workspaces,
    blobs: blobsFolder(flags.blobs, workspaces),
    equip,
    tell: (line) => tell(printableLine(line)),
    onLog: (level, text) => {
      if (flags.verbose || level === 'error') tell(`${level}: ${printableLine(text.split('\n')[0] ?? '')}`);
    },
  };
  try {
    checkIdentity(options.identityKeys);
  } catch (error) {
    throw new UsageError(
      `--identity must be a public key as the server prints it, publickeyv1_…: ${reasonOf(error)}.`,
    );
  }
  // Otherwise the engine would give it runs, and it could begin none of them.
  await checkUsable('--workspaces', workspaces);
  await checkUsable('--blobs', options.blobs);
  const worker = await startWorker(options).catch((error: unknown) => {
    throw new UsageError(`The worker cannot listen on ${options.host}:${options.port}: ${reasonOf(error)}.`);
  });
  const uri = advertised ?? `http://${options.host}:${worker.port}`;
  const { signal } = cancelOnSignals(() => {});
  try {
    if (flags.register) await asked(() => admin.register(uri, workflowName(MACHINE_VERSION)));
    tell(`${workflowName(MACHINE_VERSION)} at ${uri}${flags.register ? `, known to ${admin.url}` : ''}`);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    tell('Jobs at work come to their end; their runs go on elsewhere, or here once the worker is back.');
  } finally {
    await worker.close(signal.aborted ? LONGEST_GOODBYE_MS : 0);
  }
  return 0;
}

const NOTHING: AsyncIterable<string> = { [Symbol.asyncIterator]: async function* () {} };

/** The flags are those of `pawl run`, and so is what is made of them. */
const equip: Equip = async ({ task, options: submitted }, workspace, begun) => {
  const flags = flagsOf(submitted);
  const earlier = (begun?.settings as Partial<RecordedSettings> | undefined)?.permissions;
  const surroundings = { folder: process.cwd(), env: process.env, input: NOTHING, earlier };
  try {
    const { options, how } = await resolveSettings([task], { ...flags, cd: workspace }, surroundings);
    const isAnsweredOutside = flags.onAsk !== 'deny';
    return {
      options: {
        ...options,
        settings: { ...options.settings, engine: 'restate' },
        ...(!isAnsweredOutside && { approver: nobody(how.howToAllow) }),
      },
      clientFor: flags.script === undefined ? () => options.client : scriptFrom(flags.script),
      isAnsweredOutside,
    };
  } catch (error) {
    throw error instanceof UsageError ? new OptionsError(error.message) : error;
  }
};

/** A script goes on behind what it has answered, whoever asked then. */
const scriptFrom =
  (file: string) =>
  (records: () => readonly JournalRecord[]): ModelClient => {
    let loaded: Promise<ModelClient> | undefined;
    return {
      name: path.basename(file),
      ask: async (request, how) => {
        loaded ??= scriptClient(file, answeredRequests(records()));
        return (await loaded).ask(request, how);
      },
    };
  };
