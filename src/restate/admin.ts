/** The engine's admin address: who serves which workflow, and what the engine keeps of runs. No worker is needed for it. */
import type { JournalRecord } from '../journal/record.ts';
import { answerOf, Refusal } from './admin-answer.ts';
import { unpack } from './blobs.ts';
import { EngineError, orEngineError } from './engine-error.ts';
import {
  approvalOf,
  BEHIND_RECORDS,
  CANCEL,
  type CallDecision,
  GLANCE,
  type Glance,
  recordKey,
  WORKFLOWS,
  wordKey,
} from './protocol.ts';

/** A run as the engine knows it. */
export interface EngineRun {
  readonly runId: string;
  readonly workflow: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Of the engine: 'running', 'suspended', 'backing-off', 'completed' … */
  readonly state: string;
  /** Why the workflow came to no outcome. `code` 400: no run can be made of what was submitted. */
  readonly failure: Failure | null;
  /** Why the last attempt to go on with it was in vain. */
  readonly trouble: string | null;
  /** null: nobody has begun with it. */
  readonly glance: Glance | null;
}

export interface Words {
  readonly isCancelled: boolean;
  isDecided(call: Pick<CallDecision, 'callId' | 'fingerprint'>): boolean;
}

export interface Failure {
  readonly code: number;
  readonly message: string;
}

interface InvocationRow {
  readonly target_service_key: string;
  readonly target_service_name: string;
  readonly created_at: string;
  readonly status: string;
  readonly completion_failure?: string | null;
  readonly last_failure?: string | null;
}

export class Admin {
  constructor(readonly url: string) {}

  /** Newest first. @param begins what their ids begin with */
  async runs(most: number, begins = ''): Promise<EngineRun[]> {
    const rows = await this.#query<InvocationRow>(
      `SELECT target_service_key, target_service_name, created_at, status, completion_failure, last_failure FROM sys_invocation
       WHERE target_handler_name = 'run' AND target_service_name LIKE '${WORKFLOWS}%'
       ${begins === '' ? '' : `AND target_service_key LIKE ${quoted(`${likely(begins)}%`)}`}
       ORDER BY created_at DESC LIMIT ${most}`,
    );
    const glances = new Map<string, Glance>();
    if (rows.length > 0) {
      const keys = rows.map(({ target_service_key: key }) => quoted(key)).join(', ');
      const found = await this.#query<{ service_key: string; value_utf8: string }>(
        `SELECT service_key, value_utf8 FROM state WHERE key = '${GLANCE}' AND service_key IN (${keys})
         AND service_name LIKE '${WORKFLOWS}%'`,
      );
      for (const { service_key: key, value_utf8: text } of found) glances.set(key, JSON.parse(text));
    }
    return rows.map((row) => ({
      runId: row.target_service_key,
      workflow: row.target_service_name,
      startedAt: row.created_at,
      state: row.status,
      failure: failureIn(row.completion_failure),
      trouble: row.last_failure ?? null,
      glance: glances.get(row.target_service_key) ?? null,
    }));
  }

  /** Records from a number on, in order. @param blobs folder of the workers' blobs, where it can be seen from here */
  async records(
    { runId, workflow }: Pick<EngineRun, 'runId' | 'workflow'>,
    from = 0,
    blobs?: string,
  ): Promise<JournalRecord[]> {
    const rows = await this.#query<{ key: string; value_utf8: string }>(
      `SELECT key, value_utf8 FROM state WHERE service_name = ${quoted(workflow)} AND service_key = ${quoted(runId)}
       AND key >= '${recordKey(from)}' AND key < '${BEHIND_RECORDS}'`,
    );
    return rows
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ value_utf8: text }) => JSON.parse(unpack(blobs, text)) as JournalRecord);
  }

  /** What was said to a run. It counts from then on, whether a worker has heard it or not. */
  async words({ runId, workflow }: Pick<EngineRun, 'runId' | 'workflow'>): Promise<Words> {
    const rows = await this.#query<{ idempotency_key?: string | null }>(
      `SELECT idempotency_key FROM sys_invocation WHERE target_service_name = ${quoted(workflow)}
       AND target_service_key = ${quoted(runId)} AND target_handler_name != 'run'`,
    );
    const said = new Set(rows.map(({ idempotency_key: key }) => key));
    return {
      isCancelled: said.has(wordKey(CANCEL)),
      isDecided: (call) => said.has(wordKey(approvalOf(call))),
    };
  }

  /**
   * Tells the engine where a worker is: new runs go there from now on, also if it is back at an address of before. An address that
   * is known for another workflow is taken over only if no run needs it any more: old runs end on the worker that they began with.
   * @throws EngineError
   */
  async register(uri: string, workflow: string): Promise<void> {
    const known = await this.#knownAt(uri);
    const ours = known.filter(({ services }) => services.some(({ name }) => name === workflow));
    if (ours.length > 0) {
      const { deployment_id: latest } = (await this.#asked(`/services/${workflow}`)) as LatestRevision;
      if (ours.some(({ id }) => id === latest)) return;
    } else for (const { id } of known) await this.#checkIsDone(uri, id);
    // What is known keeps its id, and so its runs.
    await this.#post('/deployments', { uri, force: known.length > 0 }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      throw new EngineError(
        `Restate does not take the worker at ${uri}: ${error.said} Give an address at which the server finds it: --advertise.`,
      );
    });
  }

  /** Several, where somebody has moved one to the address of another. */
  async #knownAt(uri: string): Promise<Deployment[]> {
    const { deployments } = (await this.#asked('/deployments')) as { deployments: Deployment[] };
    const plain = (address: string) => address.replace(/\/$/, '');
    return deployments.filter((one) => one.uri !== undefined && plain(one.uri) === plain(uri));
  }

  async #checkIsDone(uri: string, deployment: string): Promise<void> {
    const open = await this.#query<{ n: number }>(
      `SELECT count(*) AS n FROM sys_invocation WHERE pinned_deployment_id = ${quoted(deployment)} AND status != 'completed'`,
    );
    const n = open[0]?.n ?? 0;
    if (n > 0)
      throw new EngineError(
        `${n} ${n === 1 ? 'run' : 'runs'} of another version of pawl ${n === 1 ? 'is' : 'are'} bound to ${uri}. Serve this version at another address until they have ended.`,
      );
  }

  #asked(path: string, init: RequestInit = {}): Promise<unknown> {
    return orEngineError(this.url, async () => answerOf(await fetch(`${this.url}${path}`, init), this.url));
  }

  #post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    return this.#asked(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #query<Row>(query: string): Promise<Row[]> {
    return ((await this.#post('/query', { query })) as { rows: Row[] }).rows;
  }
}

interface Deployment {
  readonly id: string;
  readonly uri?: string;
  readonly services: readonly { readonly name: string }[];
}

/** Where new runs of a workflow go. */
interface LatestRevision {
  readonly deployment_id: string;
}

/** The engine writes "[400] the message". */
function failureIn(text: string | null | undefined): Failure | null {
  if (!text) return null;
  const [, code = '500', message = text] = /^\[(\d+)[^\]]*\] ?([\s\S]*)$/.exec(text) ?? [];
  return { code: Number(code), message };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What stands for others in LIKE. */
const likely = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
