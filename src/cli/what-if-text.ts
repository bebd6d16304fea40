/** What other limits would have made of a run, for people and for scripts. */
import { totalTokens } from '../../machines/reply.ts';
import type { Fold } from '../journal/fold.ts';
import type { WhatIf } from '../journal/what-if.ts';
import { figure } from '../tools/figure.ts';
import { counted } from './format.ts';

type Parted = Exclude<WhatIf, { outcome: 'same' }>;

/** @param end the whole run as it was recorded */
export function whatIfText(found: WhatIf, end: Fold): string {
  if (found.outcome === 'same') return `would have gone the same way; recorded: ${endOf(end)}`;
  const { seq, recorded, other } = found;
  if (other.stop === null)
    return `would have gone on at record ${seq}, where the recorded run stopped with ${recorded.stop}; recorded: ${endOf(end)}`;
  const summary = other.summary ? 'a summary request would have followed' : 'no summary would have followed';
  const how =
    recorded.stop === null
      ? `, ${placeOf(found)}, with ${other.stop}`
      : recorded.stop === other.stop
        ? ` with ${other.stop}, as recorded`
        : ` with ${other.stop} instead of ${recorded.stop}`;
  return `would have stopped at record ${seq}${how} (${figuresOf(found)}); ${summary}; recorded: ${endOf(end)}`;
}

export function whatIfRecord(found: WhatIf, end: Fold) {
  const parted = found.outcome === 'same' ? undefined : found;
  const context = parted?.fold.snapshot.context;
  return {
    outcome: found.outcome,
    at_record: parted?.seq ?? null,
    status: parted?.other.stop ?? null,
    summary: parted?.other.stop ? parted.other.summary : null,
    turn: context?.turn ?? null,
    num_turns: context?.counters.turns ?? null,
    tool_calls: context?.counters.toolCalls ?? null,
    tokens: context ? totalTokens(context.usage) : null,
    recorded: {
      stopped_there: parted?.recorded.stop ?? null,
      status: end.status,
      num_turns: end.snapshot.context.counters.turns,
    },
  };
}

function endOf({ snapshot, state, status }: Fold): string {
  const turns = counted(snapshot.context.counters.turns, 'turn');
  return status !== null ? `${state} after ${turns}` : `no end, ${state} after ${turns}`;
}

/** Limits are looked at before a request and before the calls of a reply. */
function placeOf({ fold, recorded }: Parted): string {
  const { turn, calls } = fold.snapshot.context;
  return recorded.state.startsWith('asking')
    ? `before turn ${turn}`
    : `with ${counted(calls.length, 'call')} of turn ${turn} not run`;
}

function figuresOf({ fold, other }: Parted): string {
  const { counters, usage, limits, calls } = fold.snapshot.context;
  const tokens = counted(totalTokens(usage), 'token');
  switch (other.stop) {
    case 'max_turns':
      return `${counters.turns} of ${counted(limits.maxTurns, 'turn')}; ${tokens} by then`;
    case 'token_budget':
      return `${figure(totalTokens(usage))} of ${counted(limits.tokenBudget ?? 0, 'token')}`;
    case 'max_tool_calls':
      return `${counters.toolCalls} of ${counted(limits.maxToolCalls ?? 0, 'call')} made, ${calls.length} more asked for; ${tokens} by then`;
    default:
      return `${tokens} by then`;
  }
}
