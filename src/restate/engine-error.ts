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
    const { message } = error as Error;
    const { code, message: deeper = message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const reason = typeof code === 'string' ? code : deeper;
    throw new EngineError(
      `Restate cannot be reached at ${url}: ${reason}. Start it (restate-server), or say where it is: --restate, --restate-admin.`,
      { cause: error },
    );
  }
}
