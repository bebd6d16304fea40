import type { Policy } from './policy.ts';

/**
 * Where nothing confines commands, none runs without a question, whatever allows it: what a policy allows is asked for.
 * @param commandTools names of the tools that run commands
 */
export const askForUnconfined = (policy: Policy, commandTools: ReadonlySet<string>): Policy => ({
  async decide(call) {
    const decided = await policy.decide(call);
    return decided.decision === 'allow' && commandTools.has(call.tool)
      ? { decision: 'ask', rule: 'commands ask where there is no sandbox' }
      : decided;
  },
});
