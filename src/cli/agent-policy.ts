import type { Policy } from '../permissions/policy.ts';
import type { AgentSettings } from './agent-schema.ts';

/**
 * The permissions of an agent file over a policy: what is denied stays denied, whatever else allows it; what is allowed
 * runs without a question. A name stands for all calls of the tool.
 */
export function agentPolicy(
  { allow = [], deny = [] }: NonNullable<AgentSettings['permissions']>,
  otherwise: Policy,
): Policy {
  return {
    decide(call) {
      if (deny.includes(call.tool))
        return {
          decision: 'deny',
          rule: 'the agent file denies it',
          reason: `Denied: this agent may not use ${call.tool}. Do the task without it, or say what remains to be done.`,
        };
      if (allow.includes(call.tool)) return { decision: 'allow', rule: 'the agent file allows it' };
      return otherwise.decide(call);
    },
  };
}
