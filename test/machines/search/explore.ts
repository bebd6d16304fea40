import { createActor } from 'xstate';
import type { LoopContext } from '../../../machines/context.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Limits } from '../../../machines/limits.ts';
import { loopMachine } from '../../../machines/loop.machine.ts';
import { totalTokens } from '../../../machines/reply.ts';
import { stateName } from '../../../machines/state-name.ts';
import type { LoopSnapshot } from '../given.ts';
import { type Microstep, step } from '../step.ts';
import { eventsIn, staleEvents, type World } from './alphabet.ts';
import { enter, hear, type Monitor, START } from './monitor.ts';

export interface Configuration {
  readonly snapshot: LoopSnapshot;
  readonly monitor: Monitor;
  readonly edges: Edge[];
  /** The last step of the first path that was found to it; null at the start. */
  readonly last: { readonly from: Configuration; readonly event: LoopEvent } | null;
}

export interface Edge {
  readonly event: LoopEvent;
  /** Number of the configuration it leads to. */
  readonly to: number;
  readonly sendsRequest: boolean;
}

/** The events that lead to a configuration. */
export const pathTo = ({ last }: Configuration): LoopEvent[] =>
  last === null ? [] : [...pathTo(last.from), last.event];

/** Every configuration that the machine can get into in this world, each once, and every way on from it. */
export function explore(limits: Limits, world: World): Configuration[] {
  const found: Configuration[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (snapshot: LoopSnapshot, monitor: Monitor, last: Configuration['last']): number => {
    const key = keyOf(snapshot, monitor);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, found.length);
    return found.push({ snapshot, monitor, edges: [], last }) - 1;
  };
  numberOf(createActor(loopMachine, { input: { limits } }).getSnapshot(), START, null);
  for (const from of found) {
    const { snapshot, monitor, edges } = from;
    const events = eventsIn(snapshot, world);
    for (const event of events) {
      const { next, microsteps } = step(snapshot, event);
      if (next === snapshot) continue;
      try {
        const heard = hear(monitor, snapshot.context, event);
        const sendsRequest = enteredIn(snapshot, microsteps)
          .map(({ state, context }) => enter(heard, context, state))
          .includes(true);
        edges.push({ event, to: numberOf(next, heard, { from, event }), sendsRequest });
      } catch (error) {
        throw new Error(`on the path ${JSON.stringify([...pathTo(from), event])}`, { cause: error });
      }
    }
    for (const event of staleEvents(events))
      if (step(snapshot, event).next !== snapshot) throw new Error(`a stale ${event.type} was listened to`);
  }
  return found;
}

/** The states that were gone into, those included that were left at once. */
function enteredIn(before: LoopSnapshot, microsteps: readonly Microstep[]) {
  let last = stateName(before.value);
  return microsteps.flatMap(({ snapshot: { value, context } }) => {
    const state = stateName(value);
    const isEntered = state !== last;
    last = state;
    return isEntered ? [{ state, context }] : [];
  });
}

/** Figures that no guard reads do not tell two configurations apart. */
function keyOf({ value, context }: LoopSnapshot, monitor: Monitor): string {
  const { counters, usage, promptTokens, limits, ...rest }: LoopContext = context;
  const prompt = limits.contextWindow === null ? 0 : promptTokens;
  const { turns, toolCalls, summaries, fallbacks } = counters;
  return JSON.stringify([
    value,
    rest,
    totalTokens(usage),
    turns,
    toolCalls,
    summaries,
    fallbacks,
    prompt,
    monitor,
  ]);
}
