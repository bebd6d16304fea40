import { describe, expect, it } from 'vitest';
import { afterCall } from '../../src/actors/after-call.ts';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import { redactor } from '../../src/actors/redact.ts';
import type { Hook, ResultFacts } from '../../src/hooks/hook.ts';
import { toolOf, toolStage } from './tool-stage.ts';

const hook = (run: Hook<ResultFacts>['run'], more: Partial<Hook<ResultFacts>> = {}): Hook<ResultFacts> => ({
  name: 'lint',
  run,
  ...more,
});

function stageWith(
  hooks: readonly Hook<ResultFacts>[],
  output: Parameters<typeof toolOf>[1],
  gate: Gate = openGate,
) {
  const run = { runId: 'a-run', workspace: '/somewhere' };
  const after = afterCall(hooks, run, gate, redactor(['sk-secret']));
  return toolStage([toolOf('write', output)], [{ name: 'write' }], openGate, { afterCall: after });
}

describe('a hook after calls', () => {
  it('is told what the model will be told, and what it says stands behind it', async () => {
    const seen: unknown[] = [];
    const lint = hook((facts) => {
      seen.push(facts);
      return 'line 3: sk-secret is no name';
    });
    const { run, outcomes } = stageWith([lint], () => 'wrote sk-secret');
    await run();
    expect(seen).toEqual([
      {
        runId: 'a-run',
        workspace: '/somewhere',
        turn: 1,
        callId: '1',
        tool: 'write',
        input: { word: '1' },
        result: 'wrote [redacted]',
        isError: false,
      },
    ]);
    expect(outcomes()).toEqual([
      {
        callId: '1',
        content: 'wrote [redacted]\n[The hook lint says: line 3: [redacted] is no name]',
        isError: false,
      },
    ]);
  });

  it('that fails makes the result an error, which says that the call was carried out', async () => {
    const { run, outcomes } = stageWith([hook(() => Promise.reject(new Error('broken')))], () => 'wrote');
    await run();
    expect(outcomes()).toMatchObject([
      {
        isError: true,
        content: expect.stringMatching(
          /^wrote\n\[The call was carried out, but the hook lint.* failed: broken\./,
        ),
      },
    ]);
  });

  it('adds to blocks a block, and to errors too; each of several has its word', async () => {
    const image = { type: 'image', source: {} };
    const says = (name: string) => hook(() => 'seen', { name });
    const { run, outcomes } = stageWith([says('a'), hook(() => undefined), says('b')], () => ({
      content: [image],
      isError: true,
    }));
    await run();
    expect(outcomes()).toEqual([
      {
        callId: '1',
        content: [
          image,
          { type: 'text', text: '[The hook a says: seen]' },
          { type: 'text', text: '[The hook b says: seen]' },
        ],
        isError: true,
      },
    ]);
  });

  it('is asked before the outcome is on record, and only about calls that ran and tools that it names', async () => {
    const stage = stageWith(
      [
        hook(() => {
          stage.story.push('hook');
          return undefined;
        }),
        hook(() => 'never', { tools: ['other'] }),
      ],
      () => 'ok',
    );
    await stage.run();
    expect(stage.story).toEqual(['write tool.started', 'disk', 'hook', 'write tool.finished', 'disk']);
    const never = hook(() => {
      throw new Error('asked');
    });
    const after = afterCall([never], { runId: 'r', workspace: '/' }, openGate, (text) => text);
    const refused = toolStage(
      [toolOf('write', () => 'ok', { precondition: () => 'look first' })],
      [{ name: 'write' }],
      openGate,
      { afterCall: after },
    );
    await refused.run();
    expect(refused.outcomes()).toEqual([{ callId: '1', content: 'look first', isError: true }]);
  });

  it('crosses the gate, and is not asked where the run is being stopped', async () => {
    const points: unknown[] = [];
    const asked: string[] = [];
    const stage = stageWith(
      [hook(() => void asked.push('first')), hook(() => void asked.push('second'))],
      () => 'ok',
      {
        cross: async (point) => {
          points.push(point);
          if (points.length === 2) stage.stop();
        },
      },
    );
    await stage.run();
    expect(points[0]).toEqual({ kind: 'hook', turn: 1, tool: 'write', callId: '1' });
    expect(asked).toEqual(['first']);
    expect(stage.outcomes()).toMatchObject([{ content: 'ok', isError: false }]);
  });
});
