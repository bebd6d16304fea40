/** What the model is told of a person's no. */
export const denialOf = (reason: string): string =>
  reason.trim() === ''
    ? `${DENIED} Do not repeat it: try another way, or say in your answer what is left undone.`
    : `${DENIED} Reason: ${reason.trim()}`;

const DENIED = 'The person denied this call.';
