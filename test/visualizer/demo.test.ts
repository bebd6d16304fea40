import { describe, expect, it } from 'vitest';
import { stateName } from '../../machines/state-name.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { Player } from '../../visualizer/demo/player.ts';
import { SCENARIOS } from '../../visualizer/demo/scenarios.ts';
import { readScript } from '../../visualizer/demo/script.ts';

const MOST_STEPS = 200;

function playedOut(player: Player): Player {
  for (let step = 0; step < MOST_STEPS && player.choices[0]; step += 1) player.choose(player.choices[0]);
  return player;
}

describe('a scenario', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
    '%s comes to the end that it tells of',
    (_, scenario) => {
      const { film } = playedOut(new Player(scenario));
      expect(film.last?.state).toBe(scenario.ends);
    },
  );

  it('leaves records that fold to the same end, unless the disk was full', () => {
    for (const scenario of SCENARIOS.filter(({ ends }) => ends !== 'journal_error')) {
      const { film } = playedOut(new Player(scenario));
      const records = film.frames.flatMap(({ record }) => record ?? []);
      expect(`${scenario.id}: ${stateName(foldRecords(records).snapshot.value)}`).toBe(
        `${scenario.id}: ${scenario.ends}`,
      );
    }
  });

  it('goes another way where another choice is made', () => {
    const player = new Player(SCENARIOS[0] as (typeof SCENARIOS)[number]);
    const refuses = player.choices.find(({ id }) => id === 'refuses');
    if (refuses) player.choose(refuses);
    expect(playedOut(player).film.last?.state).toBe('refused');
  });

  it('takes every choice without a fault, wherever it is offered', () => {
    const start = SCENARIOS.find(({ id }) => id === 'one-allowed') ?? SCENARIOS[0];
    const walk = (way: readonly string[], left: number): number => {
      const player = new Player(start as (typeof SCENARIOS)[number]);
      for (const id of way) {
        const choice = player.choices.find((one) => one.id === id);
        if (choice) player.choose(choice);
      }
      if (left === 0) return 1;
      return player.choices.reduce((sum, { id }) => sum + walk([...way, id], left - 1), 1);
    };
    expect(walk([], 4)).toBeGreaterThan(200);
  });
});

describe('a script', () => {
  it.each([
    ['{}', /list of replies/],
    ['[1]', /Reply 1/],
    ['[{"calls": [{}]}]', /Reply 1: calls/],
    ['[', /JSON/],
  ])('%s is refused in words', (text, message) => {
    expect(() => readScript(text)).toThrow(message);
  });

  it('is read', () => {
    expect(readScript('[{"text": "a"}, {"calls": [{"name": "b"}]}]')).toHaveLength(2);
  });
});
