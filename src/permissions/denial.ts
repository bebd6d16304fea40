import type { ApprovalAnswer } from './approver.ts';

/** What the model is told of a person's no. @param reason may be blank */
export const denialOf = (reason: string): string =>
  reason.trim() === ''
    ? `${DENIED} Do not repeat it: try another way, or say in your answer what is left undone.`
    : `${DENIED} Reason: ${reason.trim()}`;

export const deniedByPerson = (reason: string): ApprovalAnswer => ({
  granted: false,
  reason: denialOf(reason),
});

const DENIED = 'The person denied this call.';
