/** Runs programs for tools, confined or not. */
export interface ProcessRequest {
  /** Program and arguments; no shell is put in between. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of the working folder. */
  readonly cwd: string;
  /** Absolute paths that a confined program may read, beside the workspace and the system. */
  readonly visible?: readonly string[];
  readonly timeoutMs: number;
  /** Characters of standard output and of standard error that are kept, head and tail of each. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
  /** What it finds on its standard input. Default: that is closed. */
  readonly input?: string;
}

export interface Captured {
  /** Where characters were left out, a line in the middle says so. */
  readonly text: string;
  /** Characters left out in the middle, and the size of the whole in bytes. */
  readonly omitted: number;
  readonly bytes: number;
}

/**
 * How a process ended. In every case all that it started is killed when the result is there, background children too:
 * its process group, and on Linux what has left that. Who has cleared its environment, too, is found in a sandbox only.
 * Standard input is closed.
 */
export interface ProcessResult {
  readonly end:
    | { readonly kind: 'exited'; readonly exitCode: number }
    | { readonly kind: 'signalled'; readonly signal: string }
    | { readonly kind: 'timed out' }
    | { readonly kind: 'aborted' }
    | { readonly kind: 'not started'; readonly reason: string };
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** What was withheld from the program, as half a sentence: it may explain a failure. Absent where nothing was. */
  readonly withheld?: string;
}

export interface Sandbox {
  /** Never rejects: every way to fail is an `end`. */
  run(request: ProcessRequest): Promise<ProcessResult>;
}
