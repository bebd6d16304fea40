/** Start-up checks. xstate says nothing about an action or an actor that has a name and no implementation. */
import type { AnyStateMachine } from 'xstate';
import type { JobName } from './context.ts';
import { nodesOf, partName, transitionsOf } from './describe.ts';
import { loopMachine } from './loop.machine.ts';

/**
 * What a machine names but does not have, such as "actor askModel" or "guard isCurrent", sorted. A part that is written
 * in place counts as missing: it has no name to replace or restore it by. Unknown targets are not looked for: xstate
 * refuses them when the machine is made.
 * @throws Error when an initial state does not exist.
 */
export function missingImplementations(machine: AnyStateMachine): string[] {
  const { actors, guards, actions } = machine.implementations;
  const missing = new Set<string>();
  const need = (kind: string, known: object, parts: readonly unknown[]) => {
    for (const name of parts.map(partName)) if (!Object.hasOwn(known, name)) missing.add(`${kind} ${name}`);
  };
  for (const node of nodesOf(machine.root)) {
    const edges = transitionsOf(node);
    const conditions = edges.flatMap(({ guard }) => (guard === undefined ? [] : [guard]));
    const steps = edges.flatMap((edge) => edge.actions);
    const jobs = node.invoke.map(({ src }) => src);
    need('actor', actors, jobs);
    need('guard', guards, conditions);
    need('action', actions, [...node.entry, ...node.exit, ...node.initial.actions, ...steps]);
  }
  return [...missing].sort();
}

/** The jobs that are still the stubs of the loop machine: a run that gets to one of them ends in an error. */
export function unprovidedJobs(machine: typeof loopMachine): JobName[] {
  const { actors } = machine.implementations;
  const stubs = Object.entries(loopMachine.implementations.actors) as [JobName, unknown][];
  return stubs.filter(([name, stub]) => actors[name] === stub).map(([name]) => name);
}
