import { describe, expect, it } from 'vitest';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import type { CallGuards } from '../../src/actors/guard-calls.ts';
import { redactor } from '../../src/actors/redact.ts';
import { reviewCalls } from '../../src/actors/review-calls.ts';
import type { CallFacts, Hook } from '../../src/hooks/hook.ts';
import { toolRegistry } from '../../src/tools/registry.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { policy, tools } from '../helpers/props.ts';
import { finished, header, message, recorded, reply, toolUse } from '../helpers/records.ts';

type Guards = Partial<Pick<CallGuards, 'maxCallsByTool' | 'beforeCall'>>;

/** Reviews calls of these tools, behind earlier ones that have finished. */
function review(
  names: readonly string[],
  guards: Guards,
  earlier: readonly string[] = [],
  gate: Gate = openGate,
) {
  const uses = names.map((name, at) => toolUse(`${at + 1}`, name, { word: 'x' }));
  const before = earlier.map((name, at) => toolUse(`e${at}`, name, { word: 'x' }));
  const past =
    before.length === 0
      ? []
      : [
          reply(1, message('tool_use', ...before)),
          ...before.map(({ id }) => finished(1, String(id), 'ok')),
          recorded(1, ...before.map(({ id }) => String(id))),
        ];
  const { log, written } = logOf(header(), ...past, reply(2, message('tool_use', ...uses)));
  const calls = uses.map(({ id, name }) => ({
    id: String(id),
    name: String(name),
    progress: 'planned' as const,
  }));
  const { scope, events, abort } = scopeFor<'reviewCalls'>({ turn: 2, calls });
  const work = reviewCalls({
    toolbox: new Toolbox(toolRegistry(tools)),
    policy,
    log,
    gate,
    run: { runId: 'a-run', workspace: '/somewhere' },
    maxCallsByTool: {},
    beforeCall: [],
    redact: redactor(['sk-secret']),
    ...guards,
  });
  const verdicts = () => events.flatMap((event) => (event.type === 'calls.reviewed' ? event.verdicts : []));
  return { run: () => work(scope), verdicts, written, abort };
}

const kinds = (job: ReturnType<typeof review>) => job.verdicts().map(({ verdict }) => verdict);
const hook = (run: Hook<CallFacts>['run'], more: Partial<Hook<CallFacts>> = {}): Hook<CallFacts> => ({
  name: 'guard',
  run,
  ...more,
});

describe('a limit on the calls of a tool', () => {
  it('refuses what is beyond it, counting the calls of the run and those of the reply, and leaves other tools alone', async () => {
    const job = review(['look', 'write', 'look', 'look'], { maxCallsByTool: { look: 3 } }, ['look', 'write']);
    await job.run();
    expect(kinds(job)).toEqual(['approve', 'ask', 'approve', 'refuse']);
    expect(job.verdicts()[3]).toEqual({
      callId: '4',
      verdict: 'refuse',
      rule: 'limits: look 3',
      reason: expect.stringMatching(/^Not executed: this run may make 3 calls of look, and has made them\./),
      fingerprint: expect.any(String),
    });
  });

  it('of 0 refuses all', async () => {
    const job = review(['look'], { maxCallsByTool: { look: 0 } });
    await job.run();
    expect(kinds(job)).toEqual(['refuse']);
  });

  it('is that of the tool alone: calls that could not run do not count, and no name is found by accident', async () => {
    const job = review(['nothing', 'constructor', 'look'], { maxCallsByTool: { look: 1 } });
    await job.run();
    expect(job.verdicts().map((one) => 'reason' in one && one.reason)).toEqual([
      expect.stringContaining('no tool named'),
      expect.stringContaining('no tool named'),
      false,
    ]);
  });
});

describe('a hook before calls', () => {
  it('denies a call with its reason, and the rule says which one it was', async () => {
    const job = review(['write', 'look'], {
      beforeCall: [hook(() => 'not sk-secret', { tools: ['write'] })],
    });
    await job.run();
    expect(job.verdicts()).toMatchObject([
      {
        callId: '1',
        verdict: 'refuse',
        rule: 'hook guard',
        denied: true,
        reason: 'Denied by the hook guard: not [redacted]',
      },
      { callId: '2', verdict: 'approve' },
    ]);
    expect(job.written()).toMatchObject([{ type: 'calls.reviewed', verdicts: job.verdicts() }]);
  });

  it('that fails denies the call: nobody knows what it would have said', async () => {
    const job = review(['look'], { beforeCall: [hook(() => Promise.reject(new Error('broken')))] });
    await job.run();
    expect(job.verdicts()).toMatchObject([
      {
        verdict: 'refuse',
        denied: true,
        reason: expect.stringMatching(/^Denied: the hook guard, .* failed \(broken\)\. Do the task without/),
      },
    ]);
  });

  it('is asked in order, until one denies, and not about what is refused already', async () => {
    const asked: string[] = [];
    const noting = (name: string, answer?: string) =>
      hook(
        ({ tool, callId, input, runId, workspace, turn }) => {
          asked.push(`${name} ${tool} ${callId} ${JSON.stringify(input)} ${runId} ${workspace} ${turn}`);
          return answer;
        },
        { name },
      );
    const guards = {
      beforeCall: [noting('a'), noting('b', 'no'), noting('c')],
      maxCallsByTool: { write: 0 },
    };
    const job = review(['look', 'secret', 'nothing', 'write'], guards);
    await job.run();
    expect(asked).toEqual(['a', 'b'].map((name) => `${name} look 1 {"word":"x"} a-run /somewhere 2`));
    expect(kinds(job)).toEqual(['refuse', 'refuse', 'refuse', 'refuse']);
  });

  it('crosses the gate, and a run that is cancelled there or meanwhile decides nothing any more', async () => {
    const points: unknown[] = [];
    const gate: Gate = { cross: async (point) => void points.push(point) };
    const job = review(['look'], { beforeCall: [hook(() => job.abort() as undefined)] }, [], gate);
    await job.run();
    expect(points).toEqual([
      { kind: 'review', turn: 2 },
      { kind: 'hook', turn: 2, tool: 'look', callId: '1' },
    ]);
    expect([job.verdicts(), job.written()]).toEqual([[], []]);
  });
});
