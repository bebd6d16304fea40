import type { RunEvent, RunOutcome } from '../outcome.ts';

/** How a run is shown: one form for each output format. */
export interface Reporter {
  event(event: RunEvent): void;
  end(outcome: RunOutcome): void;
  /** The run came to no outcome: a defect, or a person who would not wait. `error` is shown elsewhere. */
  broken(status: string, exitCode: number, error: string): void;
}
