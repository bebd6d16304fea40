import { describe, expect, it } from 'vitest';
import { type Gate, mayPass, openGate } from '../../src/actors/gate.ts';

const point = { kind: 'request', turn: 1 } as const;
const stopped = AbortSignal.abort();
const running = new AbortController().signal;
const rejecting: Gate = {
  cross: (_, signal) => Promise.reject(new Error(signal.aborted ? 'left' : 'broken')),
};

describe('the gate', () => {
  it('lets an effect pass where nobody holds it', async () => {
    expect(await mayPass(openGate, point, running)).toBe(true);
  });

  it.each([
    ['resolves', openGate],
    ['rejects', rejecting],
  ])('stops the effect of a job that was stopped, where it %s', async (_, gate) => {
    expect(await mayPass(gate, point, stopped)).toBe(false);
  });

  it('that breaks is not taken for a stop', async () => {
    await expect(mayPass(rejecting, point, running)).rejects.toThrow('broken');
  });

  it('is told what the effect is', async () => {
    const seen: unknown[] = [];
    await mayPass({ cross: async (point) => void seen.push(point) }, point, running);
    expect(seen).toEqual([point]);
  });
});
