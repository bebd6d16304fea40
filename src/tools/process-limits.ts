/** Limits of a tool that runs a process. Characters are counted for standard output and standard error apart. */
export interface ProcessLimits {
  readonly timeoutMs: number;
  readonly maxCharacters: number;
}

export const seconds = (timeoutMs: number): string => `${timeoutMs / 1000} s`;

/** "12,345", for a whole number. Every read prints one, and `toLocaleString` takes 70 µs. */
export const count = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
