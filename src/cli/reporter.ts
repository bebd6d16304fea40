import type { RunEvent, RunFacts, RunOutcome } from '../outcome.ts';

/** What a run came to; a stray error may have broken it off, whatever it would have come to itself. */
export type Ended = Omit<RunOutcome, 'status'> & { readonly status: RunOutcome['status'] | 'internal_error' };

/** How a run is shown: one form for each output format. */
export interface Reporter {
  event(event: RunEvent): void;
  /** A line that is about the run and comes from elsewhere, such as its page: behind all that was told before. */
  say(line: string): void;
  end(outcome: Ended): void;
  /** The run came to no outcome: a defect, or a person who would not wait. `error` is shown elsewhere. */
  broken(status: string, exitCode: number, error: string, facts?: RunFacts): void;
}
