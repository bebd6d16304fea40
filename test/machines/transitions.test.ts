import { describe, expect, it } from 'vitest';
import { describeEdge, describeMachine, type EdgeDescription } from '../../machines/describe.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { guards } from '../../machines/guards.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { stateName } from '../../machines/state-name.ts';
import { at, call } from './given.ts';
import { askingRefusals, askingRows } from './rows/asking.ts';
import { executingRefusals, executingRows } from './rows/executing.ts';
import { persistingRefusals, persistingRows } from './rows/persisting.ts';
import { type Refusal, type Row, titleOf } from './rows/row.ts';
import { validatingRefusals, validatingRows } from './rows/validating.ts';
import { step } from './step.ts';

const rows = [...askingRows, ...persistingRows, ...validatingRows, ...executingRows];
const refusals = [...askingRefusals, ...persistingRefusals, ...validatingRefusals, ...executingRefusals];

/** An event that no state handles which an `always` edge leaves: it only makes the machine look. */
const LOOK: LoopEvent = { type: 'wait.elapsed', turn: 0, attempt: 0 };
const keyOf = ({ source, event, order }: EdgeDescription) => `${source}: ${event} #${order}`;

/** Takes the row's transition and no further: `always` edges behind it have rows of their own. */
function take({ from, before, event }: Row, machine = loopMachine) {
  const [first] = step(at(from, before, machine), event ?? LOOK).microsteps;
  if (first === undefined) return undefined;
  return { edge: describeEdge(first.edge), to: stateName(first.snapshot.value), ...first.snapshot };
}

describe('each declared transition', () => {
  it.each(rows.map((row) => [titleOf(row), row] as const))('%s', (_, row) => {
    const taken = take(row);
    expect(taken).toMatchObject({
      to: row.to,
      edge: { event: row.event?.type ?? 'always', guard: row.guard },
      context: row.change,
    });
  });

  it('has exactly one row, and no row has a transition that is not declared', () => {
    const taken = rows.map((row) => keyOf((take(row) as { edge: EdgeDescription }).edge));
    const declared = describeMachine(loopMachine).edges.map(keyOf);
    expect(taken.sort()).toEqual(declared.sort());
  });
});

describe('what a state handles, and does not hold, changes nothing', () => {
  const titled = refusals.map((refusal) => [`${refusal.from}: ${refusal.why}`, refusal] as const);
  it.each(titled)('%s', (_, { from, before, event }) => {
    const snapshot = at(from, before);
    const { next, actions } = step(snapshot, event);
    expect(next).toBe(snapshot);
    expect(actions).toEqual([]);
  });
});

describe('a job that breaks its promise', () => {
  it('is a defect and no transition: all calls are reported as finished, and one has no outcome', () => {
    const calls = [call('a', 'finished'), call('b', 'started')];
    expect(() => step(at('executing.running', { calls }), { type: 'calls.finished', turn: 1 })).toThrow(
      'b has no outcome',
    );
  });
});

describe('each guard matters: with any other answer than its own, a transition or a refusal above goes wrong', () => {
  const outcomeOf = (row: Row, machine?: typeof loopMachine): string => {
    try {
      const taken = take(row, machine);
      return JSON.stringify(taken && { edge: taken.edge, to: taken.to });
    } catch (error) {
      return String(error);
    }
  };
  const isRefused = ({ from, before, event }: Refusal, machine: typeof loopMachine) => {
    try {
      const snapshot = at(from, before, machine);
      return step(snapshot, event).next === snapshot;
    } catch {
      return false;
    }
  };
  const usual = rows.map((row) => outcomeOf(row));

  it.each(Object.keys(guards).flatMap((name) => [[name, true] as const, [name, false] as const]))(
    '%s, always %s',
    (name, answer) => {
      const machine = loopMachine.provide({ guards: { [name]: () => answer } });
      const goesWrong = rows.some((row, index) => outcomeOf(row, machine) !== usual[index]);
      expect(goesWrong || refusals.some((refusal) => !isRefused(refusal, machine))).toBe(true);
    },
  );
});
