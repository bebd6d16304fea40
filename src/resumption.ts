/** Whether a run can be taken up again, and what the model is told then. */
import { addUsd, isCostBudgetReached, isTokenBudgetReached } from '../machines/budget.ts';
import { isLifted, isTurnLimitReached, type Limits } from '../machines/limits.ts';
import { totalTokens } from '../machines/reply.ts';
import type { ClosingStatus } from '../machines/status.ts';
import { OptionsError } from './checks/options-error.ts';
import type { Fold } from './journal/fold.ts';

/** There is nothing to go on with as things are; the message says what would change that. */
export class CannotResume extends OptionsError {
  override readonly name = 'CannotResume';
}

/** The history says that the run is over, or that tools are off; both have been overtaken. */
const GO_ON =
  'The run was taken up again, and tools can be used. Go on with the task; calls that were not executed can be made again.';

/** Whether answers are checked, and whether that was said just now. */
interface Checking {
  readonly isSet: boolean;
  readonly isNew: boolean;
}

/**
 * @param given what the person added
 * @returns the text that the model gets; null where the history needs none
 * @throws CannotResume when the run has answered and nothing is asked of it, or its limit still holds
 */
export function instructionFor(
  fold: Fold,
  limits: Limits,
  given: string | undefined,
  checking: Checking,
): string | null {
  const { snapshot, transcript } = fold;
  const { stop } = snapshot.context;
  const instruction = given?.trim() ? given : null;
  if (transcript.endsInPause) {
    if (instruction !== null)
      throw new CannotResume(
        'The model is in the middle of a turn that it paused, and no word may come between. Go on without an instruction first.',
      );
    return null;
  }
  if (snapshot.status !== 'done') {
    const { counters } = snapshot.context;
    // Behind its summary a run only comes to its end, whatever the limits are now.
    const goesOn = stop !== null && counters.summaries === 0 && isLifted(limits, stop, snapshot.context);
    return instruction ?? (goesOn ? GO_ON : null);
  }
  if (snapshot.value === 'answered' && instruction === null) {
    // What goes on is the check of the answer: it was broken off, or failed, or is another one.
    if (checking.isSet && (checking.isNew || fold.task.context.verified !== true)) return null;
    throw new CannotResume(
      'The run has answered. Give it an instruction (the words behind its name): what else is to be done.',
    );
  }
  assertLifted(fold, limits);
  const isOver = stop !== null || transcript.messages.at(-1)?.role === 'assistant';
  return instruction ?? (isOver ? GO_ON : null);
}

/** A run that would end at once is not taken up. A budget also ends one whose next request would not have fitted. */
function assertLifted({ snapshot }: Fold, limits: Limits): void {
  const { context } = snapshot;
  const { counters, usage, costUsd, unsettled, stop } = context;
  const spent = { limits, usage, costUsd, unsettled };
  const holds = (status: ClosingStatus) => stop?.status === status && !isLifted(limits, stop, context);
  if (isTurnLimitReached(limits, counters))
    throw new CannotResume(
      `The turn limit is reached: ${counters.turns} of ${limits.maxTurns} turns. Raise the limit maxTurns (--max-turns +10).`,
    );
  if (isTokenBudgetReached(spent) || holds('token_budget'))
    throw new CannotResume(
      `The token budget leaves no room for another request: ${totalTokens(usage) + unsettled.tokens} of ${limits.tokenBudget} tokens are spent${maybe(unsettled.tokens)}. Raise the limit tokenBudget (--token-budget +100000).`,
    );
  if (isCostBudgetReached(spent) || holds('cost_budget'))
    throw new CannotResume(
      `The money budget leaves no room for another request: $${addUsd(costUsd, unsettled.costUsd)} of $${limits.maxCostUsd} are spent${maybe(unsettled.costUsd)}. Raise the limit maxCostUsd (--max-budget-usd +1).`,
    );
}

const maybe = (unsettled: number): string =>
  unsettled > 0 ? ', counting what requests that broke off may have taken' : '';
