import type { Effect } from '../../machines/protocol.ts';

/** What is to become of a call, before any person is asked. `rule` names what decided. */
export type Decision =
  | { readonly decision: 'allow'; readonly rule: string }
  /** `inEveryMode`: also where all that no rule is about runs, as with --yes. */
  | { readonly decision: 'ask'; readonly rule: string; readonly inEveryMode?: boolean }
  /** `isImpossible`: nobody forbids it, but the tool could not do it either. */
  | {
      readonly decision: 'deny';
      readonly rule: string;
      readonly reason: string;
      readonly isImpossible?: boolean;
    };

/** A call whose name and input are right. */
export interface CallToJudge {
  readonly tool: string;
  readonly input: unknown;
  readonly effect: Effect;
  /** Absolute real path of the folder that the run works in. */
  readonly workspace: string;
}

/** Changes nothing; its decisions are recorded and never asked for again. */
export interface Policy {
  decide(call: CallToJudge): Decision | Promise<Decision>;
}

/** Reads run; what has effects asks. */
export const askForEffects: Policy = {
  decide: ({ effect }) =>
    effect === 'read'
      ? { decision: 'allow', rule: 'reads are allowed' }
      : { decision: 'ask', rule: 'effects ask' },
};

export const allowAll: Policy = { decide: () => ({ decision: 'allow', rule: 'everything is allowed' }) };
