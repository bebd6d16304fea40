/** The engine cannot be reached, or does not do what it is asked. One sentence for a person. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** @throws EngineError for whatever the work throws that is of the network */
export async function orEngineError<Value>(url: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : cause;
    throw new EngineError(`Restate cannot be reached at ${url}: ${reason}.`, { cause: error });
  }
}
