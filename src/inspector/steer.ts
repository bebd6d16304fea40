import type { ControlFile } from './control-file.ts';
import type { Command, ControlState, Problem } from './protocol.ts';

const LONGEST_ANSWER_MS = 5_000;

/** Tells a run in another process what to do. Rejects where nobody answers; a refusal is a Problem. */
export async function steer(
  { address, token, runId }: ControlFile,
  command: Command,
): Promise<ControlState | Problem> {
  const response = await fetch(`${address}/api/runs/${encodeURIComponent(runId)}/control`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(command),
    redirect: 'error',
    signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
  });
  return (await response.json()) as ControlState | Problem;
}
