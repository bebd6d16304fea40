/** The loop as data, a machine with what the loop has not, and the rules of Mermaid. */
import { expect } from 'vitest';
import { createMachine } from 'xstate';
import { describeMachine } from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';

export const loop = describeMachine(loopMachine);

/** One of each thing that a machine can have and the loop has not. */
export const toy = describeMachine(
  createMachine({
    id: 'toy',
    initial: 'outer',
    states: {
      outer: {
        initial: 'inner',
        on: { tick: { actions: () => {} } },
        states: {
          inner: { initial: 'core', always: { target: 'twin' }, states: { core: { exit: 'leave' } } },
          twin: { on: { go: { target: '#toy.over', description: 'home' } } },
        },
      },
      over: { type: 'final' },
    },
  }),
);

export const DECLARED = /^state "([^":;]+)" as (\w+)( \{)?$/;
const ARROW = /^(\[\*\]|\w+) --> (\[\*\]|\w+)( : [^:;#"]+)?$/;
const INSIDE = /^(\w+) : [^:;#"]+ \/ [^:;#"]+$/;

/** The rules of Mermaid's state diagrams that these pictures can break. */
export function expectValid(text: string) {
  const [first, ...lines] = text.trimEnd().split('\n');
  expect(first).toBe('stateDiagram-v2');
  const trimmed = lines.map((line) => line.trim());
  const known = [DECLARED, ARROW, INSIDE, /^\}$/];
  expect(trimmed.filter((line) => !known.some((form) => form.test(line)))).toEqual([]);
  expect(trimmed.filter((line) => line.endsWith('{'))).toHaveLength(
    trimmed.filter((line) => line === '}').length,
  );

  const declared = trimmed.flatMap((line) => DECLARED.exec(line)?.[2] ?? []);
  expect(new Set(declared).size).toBe(declared.length);
  const used = trimmed.flatMap((line) => [
    ...(ARROW.exec(line)?.slice(1, 3) ?? []),
    ...(INSIDE.exec(line)?.slice(1, 2) ?? []),
  ]);
  expect(used.filter((id) => id !== '[*]' && !declared.includes(id))).toEqual([]);

  const boxes = trimmed.flatMap((line) => (line.endsWith('{') ? (DECLARED.exec(line)?.[2] ?? []) : []));
  const lined = trimmed.flatMap((line) => INSIDE.exec(line)?.[1] ?? []);
  expect(lined.filter((id) => boxes.includes(id))).toEqual([]);
}
