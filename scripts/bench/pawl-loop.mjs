// The same run on pawl's library: real machine, real tool, a journal file that is synced to the disk.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { anthropicModel, builtinTools, defineTool, run } from '../../dist/index.js';

const slow = defineTool({
  name: 'slow_read',
  description: 'Takes 100 ms.',
  input: z.object({ path: z.string() }),
  effect: 'read',
  run: async () => {
    await sleep(100);
    return 'done';
  },
});
const outcome = await run({
  task: 'read the notes',
  client: anthropicModel({ apiKey: 'none', baseUrl: process.env.ANTHROPIC_BASE_URL }),
  model: 'bench',
  tools: [...builtinTools().filter((tool) => tool.name === 'read_file'), slow],
  limits: { maxTurns: 100_000, maxRepeats: null },
});
if (outcome.status !== 'answered') throw new Error(`${outcome.status}: ${outcome.errors.join(' ')}`);
console.log(JSON.stringify({ maxRssKb: process.resourceUsage().maxRSS }));
