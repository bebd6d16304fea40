/**
 * The one place that every effect crosses: a request, a call, a hook, a question to a person, a wait, a check. Whoever holds the gate
 * can park the run there: breakpoints, stepping, crash tests. An open gate costs one resolved promise.
 */
export interface EffectPoint {
  readonly kind: 'request' | 'wait' | 'review' | 'hook' | 'approval' | 'tool' | 'check';
  readonly turn: number;
  /** Tool name, where it is a call. */
  readonly tool?: string;
  readonly callId?: string;
}

export interface Gate {
  /** Resolves when the effect may happen. Must settle when the signal aborts. */
  cross(point: EffectPoint, signal: AbortSignal): Promise<void>;
}

export const openGate: Gate = { cross: async () => {} };

/** Waits at the gate. False: the job was stopped there, however the gate settled, and the effect must not happen. */
export async function mayPass(gate: Gate, point: EffectPoint, signal: AbortSignal): Promise<boolean> {
  try {
    await gate.cross(point, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return !signal.aborted;
}
