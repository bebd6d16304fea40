import type { Effect } from '../../machines/protocol.ts';

/** What is to become of a call, before any person is asked. `rule` names what decided. */
export type Decision =
  | { readonly decision: 'allow' | 'ask'; readonly rule: string }
  | { readonly decision: 'deny'; readonly rule: string; readonly reason: string };

/** Deterministic and without I/O; its decisions are recorded and never asked for again. */
export interface Policy {
  decide(call: { readonly tool: string; readonly input: unknown; readonly effect: Effect }): Decision;
}

/** Reads run; what has effects asks. */
export const askForEffects: Policy = {
  decide: ({ effect }) =>
    effect === 'read'
      ? { decision: 'allow', rule: 'reads are allowed' }
      : { decision: 'ask', rule: 'effects ask' },
};

export const allowAll: Policy = { decide: () => ({ decision: 'allow', rule: 'everything is allowed' }) };
