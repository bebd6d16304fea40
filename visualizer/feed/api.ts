/**
 * What the page asks of the server. A refusal is told in the server's words; what a command changes comes through the
 * feed, in the order in which it happened.
 */
import type { Command, Decision, Problem, RunEntry } from '../../src/inspector/protocol.ts';

/** null: there is no server behind this page. */
export async function listRuns(): Promise<readonly RunEntry[] | null> {
  try {
    const response = await fetch('api/runs');
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return response.ok && isJson ? await response.json() : null;
  } catch {
    return null;
  }
}

export const sendCommand = (runId: string, command: Command): Promise<void> =>
  post(runId, 'control', command);

export const sendDecision = (runId: string, decision: Decision): Promise<void> =>
  post(runId, 'approvals', decision);

async function post(runId: string, part: string, body: Command | Decision): Promise<void> {
  const response = await fetch(`api/runs/${encodeURIComponent(runId)}/${part}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  const found: Partial<Problem> = await response.json().catch(() => ({}));
  throw new Error(found.problem ?? `The server answered ${response.status}.`);
}
