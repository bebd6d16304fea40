import type { Approver } from './approver.ts';

/**
 * Where nobody can be asked, the answer is no, and the model is told so.
 * @param remedy how whoever starts the run can allow such calls: "with --yes"
 */
export const nobody = (remedy: string): Approver => ({
  ask: async ({ tool }) => ({
    granted: false,
    reason: `Denied: ${tool} needs an approval, and nobody can be asked in this run. Do what can be done without it, and say in your answer what was left undone; whoever starts the run can allow such calls ${remedy}.`,
  }),
});
