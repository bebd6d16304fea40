/** `pawl cancel`: ends a run of an engine, whether a worker has it or not. */
import { asked, type EngineFlags, engineOf, findEngineRun } from '../engine.ts';
import { firstLine, rejectionOf, wasRejected } from '../engine-runs.ts';
import { printableLine } from '../printable.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage-error.ts';

/** @throws UsageError where there is no such run, or it has ended */
export async function cancelCommand(run: string, flags: EngineFlags): Promise<number> {
  const { admin, ingress } = await engineOf(flags);
  const found = await findEngineRun(admin, run);
  const rejection = rejectionOf(found);
  if (rejection !== undefined) throw new UsageError(wasRejected(found.runId, rejection));
  if (found.state === 'completed') throw new UsageError(`The run ${found.runId} has ended already.`);
  await asked(() => ingress.cancel(found, { signal: 'SIGINT' }));
  tell(`The run ${found.runId} is told to end. What runs is stopped.`);
  if (found.state === 'backing-off' && found.trouble !== null)
    tell(`No worker gets on with it so far: ${printableLine(firstLine(found.trouble))}`);
  return 0;
}
