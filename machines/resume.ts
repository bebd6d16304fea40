import type { Snapshot, SnapshotFrom } from 'xstate';
import type { LoopContext } from './context.ts';
import type { loopMachine } from './loop.machine.ts';

/**
 * The plain JSON from which `createActor` goes on in this state. The state's job gets its input as of now: what xstate
 * persists is the input from when the state was entered, and by it calls that have run or been decided since would be
 * run or asked about again.
 */
export function resumable(snapshot: SnapshotFrom<typeof loopMachine>): Snapshot<unknown> {
  const { machine, context, _nodes: nodes } = snapshot;
  const jobs = nodes
    .flatMap(({ invoke }) => invoke)
    .map(({ id, src, input }) => {
      const inputOf = input as (scope: { context: LoopContext }) => unknown;
      return [id, { src, snapshot: { status: 'active', input: inputOf({ context }) } }];
    });
  const persisted = { ...machine.getPersistedSnapshot(snapshot), children: Object.fromEntries(jobs) };
  return JSON.parse(JSON.stringify(persisted)) as Snapshot<unknown>;
}
