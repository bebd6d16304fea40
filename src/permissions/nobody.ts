import type { Approver } from './approver.ts';

/** What allows calls that ask in every mode. */
export const BY_ANSWERING = 'only by answering for each, at a terminal or with --on-ask suspend';

/**
 * Where nobody can be asked, the answer is no, and the model is told so.
 * @param remedy how whoever starts the run can allow such calls: "with --yes"
 * @param firmRemedy the same for calls that ask in every mode
 */
export const nobody = (remedy: string, firmRemedy = BY_ANSWERING): Approver => ({
  ask: async ({ tool, rule, inEveryMode = false }) => ({
    granted: false,
    reason: `Denied: ${tool} needs an approval${inEveryMode ? ` (${rule})` : ''}, and nobody can be asked in this run. Do what can be done without it, and say in your answer what was left undone; whoever starts the run can allow such calls ${inEveryMode ? firmRemedy : remedy}.`,
  }),
});
