/** Ends a switch over a closed union: a member that is not handled is a type error, and a defect if it happens. */
export function assertNever(value: never): never {
  throw new Error(`unhandled: ${JSON.stringify(value)}`);
}
