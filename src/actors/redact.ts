/** Texts with what must not be in them taken out. */
export type Redact = (text: string) => string;

/**
 * @param secrets taken out wherever they stand, such as the key for the model
 * @param patterns what else is to be taken out
 */
export function redactor(secrets: readonly string[], patterns: readonly RegExp[] = []): Redact {
  const everywhere = patterns.map(({ source, flags }) => new RegExp(source, `${flags.replace('g', '')}g`));
  return (text) => {
    const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
    return everywhere.reduce((left, pattern) => left.replace(pattern, '[redacted]'), clean);
  };
}
