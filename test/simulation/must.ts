/** A rule that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** @throws Violation unless the rule holds */
export function must(holds: boolean, rule: string, details?: unknown): asserts holds {
  if (!holds) throw new Violation(details === undefined ? rule : `${rule}: ${JSON.stringify(details)}`);
}
