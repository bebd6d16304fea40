import { describe, expect, it } from 'vitest';
import { describeMachine } from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import {
  CLOSING_STATUSES,
  END_STATUSES,
  type EndStatus,
  exitCodeOf,
  OTHER_EXIT_CODES,
  type RunStatus,
  STOP_STATUSES,
  type StopStatus,
} from '../../machines/status.ts';

/** Written down a second time on purpose: scripts rely on these numbers, so a change must be meant. */
const EXIT_CODES: Record<RunStatus, number> = {
  answered: 0,
  max_turns: 10,
  token_budget: 11,
  cost_budget: 12,
  max_tool_calls: 13,
  time_limit: 14,
  stuck: 15,
  refused: 20,
  truncated: 21,
  context_exhausted: 22,
  model_stopped: 23,
  protocol_error: 24,
  model_error: 25,
  suspended: 30,
  unverified: 40,
  journal_error: 50,
  cancelled: 130,
};
const statuses = Object.keys(STOP_STATUSES) as StopStatus[];

describe('stop statuses', () => {
  it('have the documented exit codes', () => {
    const all: RunStatus[] = [...(Object.keys(END_STATUSES) as EndStatus[]), 'suspended'];
    expect(Object.fromEntries(all.map((status) => [status, exitCodeOf(status)]))).toEqual(EXIT_CODES);
  });

  it('a cancel by SIGTERM has a code of its own; a signal changes no other code', () => {
    expect(exitCodeOf('cancelled', 'SIGINT')).toBe(130);
    expect(exitCodeOf('cancelled', 'SIGTERM')).toBe(143);
    expect(exitCodeOf('max_turns', 'SIGTERM')).toBe(10);
  });

  it('share no exit code, neither with each other nor with a run that never began', () => {
    const others = Object.values(OTHER_EXIT_CODES).map(({ exitCode }) => exitCode);
    expect(others).toEqual([1, 2, 30]);
    expect(exitCodeOf('suspended')).toBe(30);
    const codes = [
      ...Object.values(END_STATUSES).map(({ exitCode }) => exitCode as number),
      exitCodeOf('cancelled', 'SIGTERM'),
      ...others,
    ];
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('are the terminal states of the machine, described by their meaning', () => {
    const terminal = describeMachine(loopMachine).states.filter(({ type }) => type === 'final');
    expect(Object.fromEntries(terminal.map(({ name, description }) => [name, description]))).toEqual(
      Object.fromEntries(statuses.map((status) => [status, STOP_STATUSES[status].meaning])),
    );
  });

  it('the ones that a closing names are those that the machine can note as a reason', () => {
    const { edges } = describeMachine(loopMachine);
    const noted = edges
      .flatMap(({ actions }) => actions)
      .flatMap((action) => /^stopFor\((.+)\)$/.exec(action)?.[1] ?? []);
    expect([...new Set(noted), 'cancelled'].sort()).toEqual([...CLOSING_STATUSES].sort());
  });
});
