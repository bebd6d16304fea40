/** The page's own way through the machine beside xstate's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor, type InspectionEvent } from 'xstate';
import type { LoopContext } from '../../machines/context.ts';
import { nodesOf, transitionsOf } from '../../machines/describe.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { DEFAULT_LIMITS, type Limits } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { joblessLoop } from '../../machines/resume.ts';
import { stateName } from '../../machines/state-name.ts';
import { choicesFor } from '../../visualizer/demo/choices.ts';
import { edgeId } from '../../visualizer/film/machine.ts';
import { type Step, Walk } from '../../visualizer/film/walk.ts';

type Seen = Pick<Step, 'to' | 'edges' | 'after'> & { readonly event: string };

/** What xstate tells of itself, as steps. Of the state in which it begins it tells nothing. */
function watched(limits: Limits) {
  const steps: Seen[] = [];
  const inspect = (inspected: InspectionEvent) => {
    if (inspected.type !== '@xstate.microstep' || !('value' in inspected.snapshot)) return;
    const { value, context } = inspected.snapshot as unknown as { value: string; context: LoopContext };
    const edges = inspected._transitions.map(edgeId);
    steps.push({ event: inspected.event.type, to: stateName(value), edges, after: context });
  };
  const actor = createActor(joblessLoop, { input: { limits }, inspect });
  actor.subscribe({ error: () => {} });
  return { steps, actor: actor.start() };
}

const LIMITS: readonly Partial<Limits>[] = [
  {},
  { maxTurns: 1 },
  { tokenBudget: 30_000 },
  { maxCostUsd: 0.2, maxToolCalls: 1 },
  { maxRepeats: 2, summary: false, maxFallbacks: 1 },
];

const NEXT = { text: 'Both.', calls: ['read_file', 'write_file'].map((name) => ({ name, input: {} })) };

/** Mostly the first choice, which is the way on: else most walks would go nowhere. */
const WAYS = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.nat(30) },
  ),
  { minLength: 10, maxLength: 60 },
);

/** What the world may come up with, and what no state waits for. */
function eventsIn(walk: Walk, limits: Limits): LoopEvent[] {
  const { value, context } = walk.getSnapshot();
  const scene = { state: stateName(value), context, usedIds: new Set<string>(), next: NEXT };
  const { turn, attempt } = context;
  return [
    ...choicesFor(scene).map(({ event }) => event),
    { type: 'run.resumed', limits: { ...limits, maxTurns: limits.maxTurns + 5, tokenBudget: null } },
    { type: 'wait.elapsed', turn: turn - 1, attempt },
    { type: 'tool.started', turn, callId: 'nobody' },
    { type: 'approvals.postponed', turn },
    { type: 'run.cancelled', signal: 'SIGTERM' },
  ];
}

describe('a walk through the loop', () => {
  it('takes the same steps over the same edges as xstate, and leaves the same context, whatever happens', () => {
    const taken = new Set<number>();
    fc.assert(
      fc.property(fc.constantFrom(...LIMITS), WAYS, (some, ways) => {
        const limits = { ...DEFAULT_LIMITS, ...some };
        const steps: Step[] = [];
        const walk = new Walk({ limits }, (step) => steps.push(step));
        const { steps: others, actor } = watched(limits);
        for (const way of ways) {
          const events = eventsIn(walk, limits);
          const event = events[way % events.length] as LoopEvent;
          walk.send(event);
          actor.send(event);
          if (walk.getSnapshot().status === 'done') break;
        }
        expect(
          steps.slice(1).map(({ event, to, edges, after }) => ({ event: event.type, to, edges, after })),
        ).toEqual(others);
        const [{ value, status, context }, other] = [walk.getSnapshot(), actor.getSnapshot()];
        expect({ value, status, context }).toEqual({
          value: other.value,
          status: other.status,
          context: other.context,
        });
        expect(walk.getSnapshot().matches('asking')).toBe(other.matches('asking'));
        for (const { edges } of steps) for (const edge of edges) taken.add(edge);
      }),
      { numRuns: 150 },
    );
    // Else it would have proved little.
    expect(taken.size).toBeGreaterThan(60);
  });

  it('is enough for the loop: it has nothing that the walk does not know', () => {
    const nodes = nodesOf(loopMachine.root);
    expect(nodes.filter(({ type }) => !['atomic', 'compound', 'final'].includes(type))).toEqual([]);
    expect(nodes.filter(({ type, parent }) => type === 'final' && parent !== loopMachine.root)).toEqual([]);
    expect(nodes.filter(({ initial }) => initial.actions.length > 0)).toEqual([]);
    expect(nodes.filter(({ type, exit }) => type === 'final' && exit.length > 0)).toEqual([]);
    const edges = nodes.flatMap(transitionsOf);
    expect(edges.filter(({ target }) => (target?.length ?? 0) > 1)).toEqual([]);
    expect(edges.filter(({ eventType }) => /\*|^xstate\./.test(eventType))).toEqual([]);
    expect(edges.filter(({ guard }) => guard !== undefined && typeof guard === 'function')).toEqual([]);
  });
});
