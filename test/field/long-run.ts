/** Runs of many rounds, for what grows with them. */
import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool, type Journal, run, scriptedModel, type Tool } from '../../src/index.ts';

/** A run of so many rounds with results of 2 KB, each of which begins with its number. */
export async function longRun(rounds: number, journal: Journal): Promise<void> {
  let ran = 0;
  const count = defineTool({
    name: 'count',
    description: 'Counts.',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => {
      ran += 1;
      return `<${ran}>${'v'.repeat(2_000)}`;
    },
  }) as Tool;
  const { status } = await run({
    task: 'count',
    model: 'a-model',
    client: scriptedModel((_, n) => (n > rounds ? { text: 'end' } : { calls: [{ name: 'count' }] })),
    tools: [count],
    limits: { maxTurns: rounds + 5, maxRepeats: null },
    journal,
  });
  expect(status).toBe('answered');
}
