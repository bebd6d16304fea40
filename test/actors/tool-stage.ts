/** The job executeTools over tools of the test, with everything that happens told in one story. */
import { z } from 'zod';
import { executeTools } from '../../src/actors/execute-tools.ts';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import type { CallParts } from '../../src/actors/record-outcome.ts';
import { redactor } from '../../src/actors/redact.ts';
import { toolRegistry } from '../../src/tools/registry.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { callOf, scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { header, message, reply, toolUse } from '../helpers/records.ts';

type Run = (word: string, context: ToolContext) => ToolOutput | Promise<ToolOutput>;
type Rest = Partial<Pick<Tool, 'effect' | 'precondition'>>;

const input = z.strictObject({ word: z.string() });

/** A tool with effects that takes one word. */
export const toolOf = (name: string, run: Run, rest: Rest = {}): Tool =>
  defineTool({
    name,
    description: name,
    input,
    effect: 'effectful',
    run: async ({ word }, context) => run(word, context),
    ...rest,
  }) as Tool;

export interface Planned {
  readonly name: string;
  readonly progress?: 'approved' | 'started' | 'finished';
  /** As it was when the call was reviewed; by default the tool's own. */
  readonly effect?: Tool['effect'];
  readonly input?: unknown;
}

const NEVER_USED: ToolContext['sandbox'] = {
  run: () => Promise.reject(new Error('no process in these tests')),
};

/** The calls get the ids "1", "2" … and their id as their word. */
export function toolStage(
  tools: readonly Tool[],
  planned: readonly Planned[],
  gate: Gate = openGate,
  more: Partial<Pick<CallParts, 'afterCall'>> = {},
) {
  const uses = planned.map(({ name, input }, at) =>
    toolUse(`${at + 1}`, name, input ?? { word: `${at + 1}` }),
  );
  const { log, story, written } = logOf(header(), reply(1, message('tool_use', ...uses)));
  const registry = toolRegistry(tools);
  const calls = planned.map(({ name, effect, progress }, at) =>
    callOf(`${at + 1}`, name, effect ?? registry.get(name)?.effect ?? 'effectful', progress),
  );
  const { scope, events, abort, stop } = scopeFor<'executeTools'>({ turn: 1, calls, maxResultBytes: null });
  let time = 0;
  const now = () => {
    time += 10;
    return time;
  };
  const context = {
    workspace: '/somewhere',
    sandbox: NEVER_USED,
    finishedCalls: () => log.transcript.finishedCalls,
  };
  const work = executeTools({
    toolbox: new Toolbox(registry),
    context,
    log,
    gate,
    now,
    redact: redactor(['sk-secret']),
    afterCall: async (_, outcome) => outcome,
    ...more,
  });
  const outcomes = () =>
    written().flatMap((record) =>
      record.type === 'tool.finished'
        ? [{ callId: record.callId, content: record.content, isError: record.isError }]
        : [],
    );
  return { run: () => work(scope), log, story, written, outcomes, events, abort, stop };
}
