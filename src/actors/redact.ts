import vm from 'node:vm';

/** Texts with what must not be in them taken out. */
export type Redact = (text: string) => string;

const REDACTED = '[redacted]';
/** For all patterns in one text. What needs longer does so by its form, and is fed by whoever writes the text. */
const LONGEST_MATCHING_MS = 1_000;

/**
 * @param secrets taken out wherever they stand, such as the key for the model
 * @param patterns what else is to be taken out. A text on which they take too long is taken out whole.
 */
export function redactor(secrets: readonly string[], patterns: readonly RegExp[] = []): Redact {
  const withoutSecrets: Redact = (text) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
  if (patterns.length === 0) return withoutSecrets;
  const everywhere = patterns.map(({ source, flags }) => new RegExp(source, `${flags.replace('g', '')}g`));
  const replace = (text: string) =>
    everywhere.reduce((left, pattern) => left.replace(pattern, REDACTED), text);
  const context = vm.createContext({ replace, text: '' });
  const script = new vm.Script('replace(text)');
  return (text) => {
    context.text = withoutSecrets(text);
    try {
      // A match that runs wild can be ended from nowhere else: it blocks the process, signals included.
      return script.runInContext(context, { timeout: LONGEST_MATCHING_MS }) as string;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return `${REDACTED}: the patterns took longer than ${LONGEST_MATCHING_MS / 1_000} s on this text of ${text.length} characters`;
    }
  };
}
