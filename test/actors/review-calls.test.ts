import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/actors/fingerprint.ts';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import { reviewCalls } from '../../src/actors/review-calls.ts';
import type { Policy } from '../../src/permissions/policy.ts';
import { toolRegistry } from '../../src/tools/registry.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { policy, tools } from '../helpers/props.ts';
import { header, message, reply, toolUse } from '../helpers/records.ts';

const toolbox = new Toolbox(toolRegistry(tools));

function review(uses: readonly ReturnType<typeof toolUse>[], rules: Policy = policy, gate: Gate = openGate) {
  const { log, written } = logOf(header(), reply(1, message('tool_use', ...uses)));
  const calls = uses.map(({ id, name }) => ({
    id: String(id),
    name: String(name),
    progress: 'planned' as const,
  }));
  const { scope, events, abort } = scopeFor<'reviewCalls'>({ turn: 1, calls });
  const job = reviewCalls({
    toolbox,
    policy: rules,
    run: { runId: 'a-run', workspace: '/somewhere' },
    maxCallsByTool: {},
    beforeCall: [],
    redact: (text) => text,
    log,
    gate,
  });
  return { run: () => job(scope), events, written, abort };
}

const DIGEST = expect.stringMatching(/^[0-9a-f]{12}$/);

describe('the review', () => {
  it('gives each call its verdict, in call order, notes all of them, then reports them', async () => {
    const word = { word: 'x' };
    const job = review([
      toolUse('a', 'look', word),
      toolUse('b', 'write', word),
      toolUse('c', 'secret', word),
      toolUse('d', 'nothing', word),
      toolUse('e', 'look', 'not an object'),
    ]);
    await job.run();
    const expected = {
      type: 'calls.reviewed',
      turn: 1,
      verdicts: [
        {
          callId: 'a',
          verdict: 'approve',
          effect: 'read',
          rule: 'the rest',
          fingerprint: fingerprint('look', word),
        },
        {
          callId: 'b',
          verdict: 'ask',
          effect: 'effectful',
          rule: 'the rest',
          fingerprint: fingerprint('write', word),
        },
        {
          callId: 'c',
          verdict: 'refuse',
          reason: 'secrets are kept',
          rule: expect.any(String),
          denied: true,
          fingerprint: DIGEST,
        },
        {
          callId: 'd',
          verdict: 'refuse',
          reason: expect.stringContaining('no tool named "nothing"'),
          fingerprint: DIGEST,
        },
        {
          callId: 'e',
          verdict: 'refuse',
          reason: expect.stringContaining('Wrong input for look'),
          fingerprint: DIGEST,
        },
      ],
    };
    expect(job.events).toEqual([expected]);
    expect(job.written()).toEqual([expected]);
  });

  it('asks the policy only about calls that could run, with their whole input', async () => {
    const seen: unknown[] = [];
    const noting: Policy = {
      decide: (call) => {
        seen.push(call);
        return { decision: 'allow', rule: 'all' };
      },
    };
    await review(
      [toolUse('a', 'nothing'), toolUse('b', 'look', { other: 1 }), toolUse('c', 'set', { word: 'x' })],
      noting,
    ).run();
    expect(seen).toEqual([
      { tool: 'set', input: { word: 'x' }, effect: 'idempotent', workspace: '/somewhere' },
    ]);
  });

  it('does not call a denial what the tool could not do either', async () => {
    const outside = { decision: 'deny', rule: 'r', reason: 'leads outside', isImpossible: true } as const;
    const job = review([toolUse('a', 'look', { word: 'x' })], { decide: () => outside });
    await job.run();
    expect(job.events).toEqual([
      {
        type: 'calls.reviewed',
        turn: 1,
        verdicts: [
          { callId: 'a', verdict: 'refuse', rule: 'r', reason: 'leads outside', fingerprint: DIGEST },
        ],
      },
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])('finds no tool by accident: %s', async (name) => {
    const job = review([toolUse('a', name)]);
    await job.run();
    expect(job.events).toMatchObject([{ verdicts: [{ callId: 'a', verdict: 'refuse' }] }]);
  });

  it('decides nothing any more where the run is cancelled at the gate', async () => {
    const job = review([toolUse('a', 'look')], policy, { cross: async () => job.abort() });
    await job.run();
    expect([job.events, job.written()]).toEqual([[], []]);
  });
});
