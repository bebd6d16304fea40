/** What becomes of a call that no rule decides. */
export const MODES = ['ask', 'accept-edits', 'plan', 'deny', 'bypass'] as const;
export type Mode = (typeof MODES)[number];
