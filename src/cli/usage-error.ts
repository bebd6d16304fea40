/** A wrong flag, file or setting. The message is one line that names the thing and the remedy; nothing was started. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
