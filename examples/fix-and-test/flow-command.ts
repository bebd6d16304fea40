/** The flow from the command line: `npx tsx examples/fix-and-test/flow-command.ts -C FOLDER [--script FILE] "task"`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { anthropicModel, scriptedModel } from '../../src/index.ts';
import { playFlow } from './flow.ts';

const { values, positionals } = parseArgs({
  options: {
    cd: { type: 'string', short: 'C', default: '.' },
    script: { type: 'string' },
    transcript: { type: 'string' },
  },
  allowPositionals: true,
});
const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_MODEL: model } = process.env;
const isScripted = values.script !== undefined;
const { status, outcome } = await playFlow({
  task: positionals.join(' '),
  workspace: path.resolve(values.cd),
  client: values.script
    ? scriptedModel(parse(readFileSync(values.script, 'utf8')), path.basename(values.script))
    : anthropicModel({ apiKey, ...(baseUrl && { baseUrl }) }),
  model: isScripted ? 'scripted' : (model ?? 'claude-sonnet-5-5'),
  onState: (state) => console.error(`  ${state}`),
});

if (values.transcript)
  writeFileSync(
    values.transcript,
    JSON.stringify({ messages: outcome?.messages ?? [], replies: outcome?.replies ?? [] }),
  );
console.log(
  JSON.stringify({
    status,
    result: outcome?.result ?? null,
    run_id: outcome?.runId ?? null,
    num_turns: outcome?.counters.turns ?? 0,
    tool_calls: outcome?.counters.toolCalls ?? 0,
  }),
);
process.exitCode = status === 'verified' ? 0 : 1;
