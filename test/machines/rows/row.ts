import type { LoopContext } from '../../../machines/context.ts';
import type { LoopEvent } from '../../../machines/events.ts';

type Before = Partial<LoopContext>;

/** What is expected of the context, as `toMatchObject` takes it. */
type Change = Record<string, unknown>;

/** One declared transition: where it starts, what it needs, where it leads and what it changes. */
export interface Row {
  readonly from: string;
  readonly before: Before;
  /** null: an `always` edge. */
  readonly event: LoopEvent | null;
  readonly guard: string | null;
  readonly to: string;
  readonly change: Change;
}

export const row = (
  from: string,
  before: Before,
  event: LoopEvent | null,
  guard: string | null,
  to: string,
  change: Change,
): Row => ({ from, before, event, guard, to, change });

export const titleOf = ({ from, event, guard, to }: Row): string => {
  const condition = guard === null ? '' : ` [${guard}]`;
  return `${from}: ${event?.type ?? 'always'}${condition} ${from === to ? 'stays' : `goes to ${to}`}`;
};

/** An event that a state handles and that does not hold this time: nothing whatever may happen. */
export interface Refusal {
  readonly why: string;
  readonly from: string;
  readonly before: Before;
  readonly event: LoopEvent;
}

export const refusal = (why: string, from: string, before: Before, event: LoopEvent): Refusal => ({
  why,
  from,
  before,
  event,
});
