/** Who answers where a call asks: a person at the terminal, nobody, or somebody later. */
import { type Approver, later } from '../permissions/approver.ts';
import { nobody } from '../permissions/nobody.ts';

export const ON_ASK = ['deny', 'suspend'] as const;
export type OnAsk = (typeof ON_ASK)[number];

export interface Asking {
  /** Said on the command line: nobody is asked then, not even at a terminal. */
  readonly flag: OnAsk | undefined;
  /** What the run was started with counts where there is no terminal. */
  readonly recorded?: OnAsk | undefined;
}

/**
 * @param terminal undefined: there is none
 * @param howToAllow what a denial says of how such calls can be allowed
 */
export function approverFor(
  { flag, recorded }: Asking,
  terminal: Approver | undefined,
  howToAllow: string,
): Approver {
  if (flag === undefined && terminal) return terminal;
  return (flag ?? recorded) === 'suspend' ? later : nobody(howToAllow);
}
