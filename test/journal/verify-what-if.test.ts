import { describe, expect, it } from 'vitest';
import { totalTokens } from '../../machines/reply.ts';
import { type OtherLimits, whatIf } from '../../src/journal/what-if.ts';
import { policy, tools } from '../helpers/props.ts';
import { type Play, play } from '../helpers/stage.ts';

const look = (word: string) => ({ name: 'look', input: { word } });
const usage = { input_tokens: 10_000, output_tokens: 10_000 };
const round = (...words: readonly string[]) => ({ calls: words.map(look), usage });
const ANSWER = { text: 'done', usage };
const PLAY: Play = { replies: [round('a'), round('b', 'c'), round('d'), ANSWER], tools, policy };

const ask = async (limits: OtherLimits, options: Play = PLAY) => {
  const { records } = await play(options);
  const found = whatIf(records, limits);
  if (found.outcome === 'same') return 'same';
  const { seq, recorded, other, fold, outcome } = found;
  return {
    outcome,
    at: records[seq]?.type,
    turn: fold.snapshot.context.turn,
    was: recorded.stop,
    stop: other.stop,
    summary: other.summary,
  };
};

describe('under other limits a recorded run', () => {
  it.each<[OtherLimits, string, number, string, boolean]>([
    [{ maxTurns: 2 }, 'reply.received', 3, 'max_turns', true],
    [{ maxTurns: 2, summary: false }, 'reply.received', 3, 'max_turns', false],
    [{ tokenBudget: 40_000 }, 'calls.reviewed', 1, 'token_budget', true],
    [{ tokenBudget: 43_000 }, 'reply.received', 2, 'token_budget', true],
    [{ tokenBudget: 45_000 }, 'calls.reviewed', 2, 'token_budget', true],
    [{ maxToolCalls: 2 }, 'calls.reviewed', 2, 'max_tool_calls', true],
    [{ maxTurns: 1, tokenBudget: 60_000 }, 'reply.received', 2, 'max_turns', true],
  ])('would have stopped: %j before %s of turn %i', async (limits, at, turn, stop, summary) => {
    expect(await ask(limits)).toEqual({ outcome: 'stops', at, turn, was: null, stop, summary });
  });

  it.each<[OtherLimits]>([
    [{ maxTurns: 4 }],
    [{ tokenBudget: 90_000 }],
    [{ maxToolCalls: 4 }],
    [{ summary: false }],
  ])('would have gone the same way: %j', async (limits) => {
    expect(await ask(limits)).toBe('same');
  });

  const STOPPED: Play = { ...PLAY, limits: { maxTurns: 2 }, replies: [...PLAY.replies.slice(0, 2), ANSWER] };

  it('would have gone on where it stopped', async () => {
    expect(await ask({ maxTurns: 3 }, STOPPED)).toEqual({
      outcome: 'goes_on',
      at: 'run.closing',
      turn: 3,
      was: 'max_turns',
      stop: null,
      summary: false,
    });
  });

  it('would have stopped in the same place without its summary', async () => {
    expect(await ask({ summary: false }, STOPPED)).toMatchObject({
      outcome: 'stops',
      at: 'run.closing',
      was: 'max_turns',
      stop: 'max_turns',
      summary: false,
    });
  });

  it('tells what was spent by then', async () => {
    const found = whatIf((await play(PLAY)).records, { maxTurns: 2 });
    if (found.outcome === 'same') throw new Error('it did stop');
    const { counters, usage: spent } = found.fold.snapshot.context;
    expect({ turns: counters.turns, tokens: totalTokens(spent) }).toEqual({ turns: 2, tokens: 40_000 });
  });
});
