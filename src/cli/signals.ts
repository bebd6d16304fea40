/** Signals as a person means them: the first one ends the run in order, another Ctrl-C leaves at once. */
import { type CancelSignal, exitCodeOf } from '../../machines/status.ts';

/** `npm run` and its like pass a Ctrl-C on that the terminal has delivered already: that is one press, not two. */
const ONE_PRESS_MS = 250;

export interface Cancelling {
  /** Aborted by the first signal; the reason is 'SIGINT' or 'SIGTERM'. */
  readonly signal: AbortSignal;
  /** Gives the signals their usual meaning back. */
  dispose(): void;
}

/** A terminal that is closed (SIGHUP) ends the run like SIGTERM does: commands that still run would outlive it otherwise. */
export function cancelOnSignals(onImpatience: () => void): Cancelling {
  const controller = new AbortController();
  let firstAt = 0;
  const onInterrupt = () => {
    if (!controller.signal.aborted) abort('SIGINT');
    else if (performance.now() - firstAt > ONE_PRESS_MS) leave();
  };
  const leave = () => {
    onImpatience();
    leaveAtOnce(exitCodeOf('cancelled', 'SIGINT'));
  };
  const onTerminate = () => abort('SIGTERM');
  const abort = (reason: CancelSignal) => {
    if (controller.signal.aborted) return;
    firstAt = performance.now();
    controller.abort(reason);
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
    },
  };
}

/** Without waiting for anything; what was written to a pipe may be cut. Nothing else in pawl ends the process. */
export function leaveAtOnce(exitCode: number): never {
  process.exit(exitCode);
}
