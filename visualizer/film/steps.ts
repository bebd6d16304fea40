/** The microsteps of a machine, with the edges that were taken. A state that is left at once is in them too. */
import type { InspectionEvent } from 'xstate';
import type { LoopContext } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { stateName } from '../../machines/state-name.ts';
import type { EdgeId } from '../chart/graph.ts';
import { edgeId, isWithin, machine } from './machine.ts';

export interface Step {
  readonly event: LoopEvent;
  /** Full names; `from` is empty where a machine begins. */
  readonly from: string;
  readonly to: string;
  readonly edges: readonly EdgeId[];
  /** What the guards looked at. */
  readonly before: LoopContext;
  readonly after: LoopContext;
}

/** Gathers steps until they are taken away. */
export class StepWatcher {
  #steps: Step[] = [];
  #state = '';
  #context: LoopContext | null = null;

  readonly inspect = (inspected: InspectionEvent): void => {
    if (inspected.type !== '@xstate.microstep' || !('value' in inspected.snapshot)) return;
    const { event, snapshot, _transitions: taken } = inspected;
    const { value, context } = snapshot as unknown as { value: string; context: LoopContext };
    const edges = taken.map(edgeId);
    const [first] = edges;
    const source = first === undefined ? undefined : machine.edges[first]?.source;
    // Nothing tells of the state in which a machine begins, only of the edges that lead on from there.
    if (event.type === 'xstate.init' && source !== undefined && !isWithin(this.#state, source)) {
      this.#state = '';
      this.#context = null;
      this.#push(event as LoopEvent, source, [], context);
    }
    this.#push(event as LoopEvent, stateName(value), edges, context);
  };

  #push(event: LoopEvent, to: string, edges: readonly EdgeId[], after: LoopContext): void {
    this.#steps.push({ event, from: this.#state, to, edges, before: this.#context ?? after, after });
    this.#state = to;
    this.#context = after;
  }

  take(): Step[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}
