import { describe, expect, it } from 'vitest';
import type { Effect } from '../../machines/protocol.ts';
import type { Call } from '../../machines/turn.ts';
import { schedule } from '../../src/actors/execute-tools.ts';
import { callOf } from '../helpers/job-scope.ts';

const EFFECTS: Record<string, Effect> = { r: 'read', i: 'idempotent', e: 'effectful' };
/** "r1 e2" is a read, then a call with effects. */
const calls = (short: string): Call[] =>
  short.split(' ').map((id) => callOf(id, 'tool', EFFECTS[id[0] ?? ''] ?? 'effectful'));
const groups = (planned: readonly Call[]): string[] =>
  schedule(planned).map((group) => group.map(({ id }) => id).join(' '));

describe('the schedule', () => {
  it.each([
    ['reads that stand together run side by side', 'r1 r2 r3', ['r1 r2 r3']],
    ['calls with effects run alone, in call order', 'e1 i2 e3', ['e1', 'i2', 'e3']],
    ['a read waits for the effects above it', 'e1 r2', ['e1', 'r2']],
    ['an effect waits for the reads above it', 'r1 r2 e3', ['r1 r2', 'e3']],
    ['an effect parts the reads', 'r1 r2 e3 r4 r5 i6 r7', ['r1 r2', 'e3', 'r4 r5', 'i6', 'r7']],
  ])('%s', (_, short, expected) => {
    expect(groups(calls(short))).toEqual(expected);
  });

  it('leaves out what is not to run, and reads around it stay together', () => {
    const planned: Call[] = [
      callOf('r1', 'tool', 'read'),
      { id: 'refused', name: 'tool', progress: 'refused', fingerprint: 'f' },
      { id: 'planned', name: 'tool', progress: 'planned' },
      callOf('waiting', 'tool', 'effectful', 'waiting'),
      callOf('finished', 'tool', 'effectful', 'finished'),
      callOf('r2', 'tool', 'read'),
    ];
    expect(groups(planned)).toEqual(['r1 r2']);
  });

  it('takes up what was started before an interruption', () => {
    const planned = [callOf('e1', 'tool', 'effectful', 'started'), callOf('r2', 'tool', 'read', 'started')];
    expect(groups(planned)).toEqual(['e1', 'r2']);
  });

  it('of nothing is empty', () => {
    expect(schedule([])).toEqual([]);
  });
});
