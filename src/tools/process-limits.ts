/** Limits of a tool that runs a process. Characters are counted for standard output and standard error apart. */
export interface ProcessLimits {
  readonly timeoutMs: number;
  readonly maxCharacters: number;
}

export const seconds = (timeoutMs: number): string => `${timeoutMs / 1000} s`;
