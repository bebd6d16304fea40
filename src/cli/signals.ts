/** How the process ends: by signals as a person means them, and by leaving. */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type CancelSignal, exitCodeOf } from '../../machines/status.ts';

/** `npm run` and its like pass a Ctrl-C on that the terminal has delivered already: that is one press, not two. */
const ONE_PRESS_MS = 250;

/** Whatever else asks a process to end, a terminal that is closed (SIGHUP) included: commands that run would outlive it. */
const ENDING = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGXCPU'] as const;

export interface Cancelling {
  /** Aborted by the first signal; the reason is 'SIGINT' or 'SIGTERM'. */
  readonly signal: AbortSignal;
  /** Ends the run as the signal would. */
  cancel(reason: CancelSignal): void;
  /** Gives the signals their usual meaning back. */
  dispose(): void;
}

/** The first signal ends the run in order, another Ctrl-C leaves at once. */
export function cancelOnSignals(onImpatience: () => void): Cancelling {
  const controller = new AbortController();
  let firstAt = 0;
  const cancel = (reason: CancelSignal) => {
    if (controller.signal.aborted) return;
    firstAt = performance.now();
    controller.abort(reason);
  };
  const onInterrupt = () => {
    if (!controller.signal.aborted) return cancel('SIGINT');
    if (performance.now() - firstAt <= ONE_PRESS_MS) return;
    onImpatience();
    leaveAtOnce(exitCodeOf('cancelled', 'SIGINT'));
  };
  const onEnding = () => cancel('SIGTERM');
  process.on('SIGINT', onInterrupt);
  for (const signal of ENDING) process.on(signal, onEnding);
  return {
    signal: controller.signal,
    cancel,
    dispose: () => {
      process.off('SIGINT', onInterrupt);
      for (const signal of ENDING) process.off(signal, onEnding);
    },
  };
}

const TERMINALS = [0, 1, 2].filter((descriptor) => isatty(descriptor));

/** Without waiting for anything; what was written to a pipe may be cut. Nothing else in pawl ends the process. */
export function leaveAtOnce(exitCode: number): never {
  for (const descriptor of TERMINALS) letGoIfLost(descriptor);
  process.exit(exitCode);
}

/**
 * Node sets its terminal back to how it was, and aborts with a native stack trace where that has been closed. It
 * passes over what is no open file.
 */
function letGoIfLost(descriptor: number): void {
  if (isatty(descriptor)) return;
  try {
    closeSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
  }
}
