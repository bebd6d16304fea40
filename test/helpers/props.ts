/** Tools, a policy and an approver for plays: each does one plain thing. */
import { z } from 'zod';
import type { Approver } from '../../src/permissions/approver.ts';
import type { Policy } from '../../src/permissions/policy.ts';
import { defineTool, type Tool, ToolFailure } from '../../src/tools/tool.ts';

const input = z.strictObject({ word: z.string().optional() });
const tool = (name: string, rest: Partial<Tool<typeof input>>): Tool =>
  defineTool({
    name,
    description: name,
    input,
    effect: 'effectful',
    run: async ({ word }) => `${name} ${word ?? ''}`.trim(),
    ...rest,
  }) as Tool;

export const tools: readonly Tool[] = [
  tool('look', { effect: 'read' }),
  tool('write', {}),
  tool('set', { effect: 'idempotent' }),
  tool('secret', {}),
  tool('fail', {
    run: async () => {
      throw new ToolFailure('it does not work like this');
    },
  }),
  tool('guarded', { precondition: () => 'look first' }),
];

/** Secrets are denied, writes ask, the rest runs. */
export const policy: Policy = {
  decide({ tool }) {
    if (tool === 'secret') return { decision: 'deny', rule: 'no secrets', reason: 'secrets are kept' };
    return { decision: tool === 'write' ? 'ask' : 'allow', rule: 'the rest' };
  },
};

/** Grants what asks with the word "please". */
export const approver: Approver = {
  ask: async ({ input }) =>
    (input as { word?: string }).word === 'please'
      ? { granted: true }
      : { granted: false, reason: 'ask politely' },
};
