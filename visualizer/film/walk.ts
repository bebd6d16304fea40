/**
 * Goes through the loop machine step by step, and tells each step. The states, edges, guards and updates are the machine's
 * own, and so are the snapshots; only the way from one to the next is found here, ten times as fast as xstate finds it when
 * it is watched: it can do without whatever the loop has none of (jobs, parallel states, history, events raised inside). A
 * test walks both side by side.
 */
import type { AnyStateNode, AnyTransitionDefinition, SnapshotFrom } from 'xstate';
import { initialContext, type LoopContext, type LoopInput } from '../../machines/context.ts';
import { partName } from '../../machines/describe.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { guards } from '../../machines/guards.ts';
import type { loopMachine } from '../../machines/loop.machine.ts';
import { joblessLoop } from '../../machines/resume.ts';
import { updates } from '../../machines/updates.ts';
import type { EdgeId } from '../chart/graph.ts';
import { edgeId, nameOfNode } from './machine.ts';

export interface Step {
  readonly event: LoopEvent;
  /** Full names; `from` is empty where a machine begins. */
  readonly from: string;
  readonly to: string;
  /** At most one: the loop is in one state at a time. None: the event was asked about, and refused. */
  readonly edges: readonly EdgeId[];
  /** What the guards looked at. */
  readonly before: LoopContext;
  readonly after: LoopContext;
}

type Snapshot = SnapshotFrom<typeof loopMachine>;
interface Scope {
  readonly context: LoopContext;
  readonly event: LoopEvent;
}
type Ask = (scope: Scope, params: unknown) => boolean;
type Change = (scope: Scope, params: unknown) => Partial<LoopContext>;

/** An event that is none of the loop's own: with it, xstate begins. */
const INIT = { type: 'xstate.init' } as unknown as LoopEvent;

export class Walk {
  #node: AnyStateNode = joblessLoop.root;
  #context: LoopContext;
  #snapshot: Snapshot | null = null;

  constructor(
    input: LoopInput,
    private readonly tell: (step: Step) => void,
  ) {
    this.#context = initialContext(input);
    this.#enter(this.#node, INIT);
    this.#told('', this.#context, INIT, []);
    this.#goOn(INIT);
  }

  readonly getSnapshot = (): Snapshot => {
    this.#snapshot ??= { ...restingIn(this.#node, this.#context), context: this.#context } as Snapshot;
    return this.#snapshot;
  };

  /** @throws what a guard or an update throws: the records make no sense */
  readonly send = (event: LoopEvent): void => {
    if (this.#node.type === 'final') return;
    this.#snapshot = null;
    const edge = this.#enabled(event, (node) => node.transitions.get(event.type));
    if (edge) this.#take(edge, event);
    else this.#told(nameOfNode(this.#node), this.#context, event, []);
    this.#goOn(event);
  };

  /** Edges that need no event. */
  #goOn(event: LoopEvent): void {
    for (let left = MOST_STEPS; this.#node.type !== 'final'; left -= 1) {
      const edge = this.#enabled(event, ({ always }) => always);
      if (!edge) return;
      if (left === 0) throw new Error('the machine comes to no rest');
      this.#take(edge, event);
    }
  }

  /** Of the state, or else of one around it: the first whose guard holds. */
  #enabled(
    event: LoopEvent,
    edgesOf: (node: AnyStateNode) => readonly AnyTransitionDefinition[] | undefined,
  ): AnyTransitionDefinition | undefined {
    const scope = { context: this.#context, event };
    for (let node: AnyStateNode | undefined = this.#node; node; node = node.parent)
      for (const edge of edgesOf(node) ?? []) if (holds(edge, scope)) return edge;
    return undefined;
  }

  #take(edge: AnyTransitionDefinition, event: LoopEvent): void {
    const [from, before] = [nameOfNode(this.#node), this.#context];
    const target = edge.target?.[0];
    const domain = target && domainOf(edge, target);
    if (domain)
      for (let node = this.#node; node !== domain && node.parent; node = node.parent)
        this.#do(node.exit, event);
    this.#do(edge.actions, event);
    if (target && domain) {
      for (const node of wayDown(domain, target)) this.#do(node.entry, event);
      this.#enter(target, event);
    }
    this.#told(from, before, event, [edgeId(edge)]);
  }

  /** A state is entered down to the innermost one that is entered first; its own entry has been done. */
  #enter(target: AnyStateNode, event: LoopEvent): void {
    let node = target;
    for (let inner = node.initial?.target[0]; inner; inner = node.initial?.target[0]) {
      this.#do(inner.entry, event);
      node = inner;
    }
    this.#node = node;
  }

  /** What is no update is a word to a job, of which there is none. */
  #do(actions: readonly unknown[], event: LoopEvent): void {
    for (const action of actions) {
      const change = updates[partName(action) as keyof typeof updates] as Change | undefined;
      if (change)
        this.#context = { ...this.#context, ...change({ context: this.#context, event }, paramsOf(action)) };
    }
  }

  #told(from: string, before: LoopContext, event: LoopEvent, edges: readonly EdgeId[]): void {
    this.tell({ event, from, to: nameOfNode(this.#node), edges, before, after: this.#context });
  }
}

/** As the machine's own bound. */
const MOST_STEPS = 100;

const paramsOf = (part: unknown): unknown => (part as { readonly params?: unknown }).params;

export function holds({ guard }: AnyTransitionDefinition, scope: Scope): boolean {
  return (
    guard === undefined || (guards[partName(guard) as keyof typeof guards] as Ask)(scope, paramsOf(guard))
  );
}

/** The state within which an edge leads: all in it that the machine is in is left. */
function domainOf({ source, reenter }: AnyTransitionDefinition, target: AnyStateNode): AnyStateNode {
  if (!reenter && (target === source || isInside(target, source))) return source;
  let domain = target.parent;
  while (domain?.parent && !isInside(source, domain)) domain = domain.parent;
  return domain ?? joblessLoop.root;
}

function isInside(node: AnyStateNode, outer: AnyStateNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (at === outer) return true;
  return false;
}

/** From below a state down to one in it, the outermost first. */
function wayDown(from: AnyStateNode, to: AnyStateNode): AnyStateNode[] {
  const way: AnyStateNode[] = [];
  for (let node: AnyStateNode | undefined = to; node && node !== from; node = node.parent) way.unshift(node);
  return way;
}

const resting = new Map<AnyStateNode, Snapshot>();
/** A snapshot of the state, with any context: to make one of its own for each step would take xstate longer than the step. */
function restingIn(node: AnyStateNode, context: LoopContext): Snapshot {
  const known = resting.get(node);
  if (known) return known;
  const value = [...node.path]
    .reverse()
    .reduce<unknown>((inner, name) => (inner === undefined ? name : { [name]: inner }), undefined);
  const found = joblessLoop.resolveState({
    value: value as Snapshot['value'],
    context,
    status: node.type === 'final' ? 'done' : 'active',
  });
  resting.set(node, found);
  return found;
}
