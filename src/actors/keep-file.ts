import type { RunLog } from '../journal/run-log.ts';
import { type FileChange, ToolFailure } from '../tools/tool.ts';

/** Keeps what a file was, then notes it: both are on the disk before the file is changed. */
export const keepFile =
  (log: RunLog, turn: number, callId: string) =>
  async ({ path, before, after, madeFolder }: FileChange): Promise<void> => {
    const { keepFile: store } = log.journal;
    if (store === undefined) return;
    const kept = before && { digest: stored(store, before.content), mode: before.mode };
    await log.save({
      type: 'file.kept',
      turn,
      callId,
      path,
      before: kept,
      after,
      ...(madeFolder !== undefined && { madeFolder }),
    });
  };

function stored(store: (content: Uint8Array) => string, content: Uint8Array): string {
  try {
    return store(content);
  } catch (error) {
    throw new ToolFailure(
      `Nothing was written, because what the file was could not be kept (${error instanceof Error ? error.message : error}). Say so in your answer: the person has to make room for it.`,
      { cause: error },
    );
  }
}
