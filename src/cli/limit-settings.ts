import type { Limits } from '../../machines/limits.ts';
import type { AgentSettings } from './agent-schema.ts';
import { dollars, duration, positiveWhole, whole } from './numbers.ts';
import type { RunFlags } from './run-flags.ts';

export interface LimitSettings {
  readonly limits: Partial<Limits>;
  /** Time limit of calls that start a process; undefined: the tools' own. */
  readonly toolTimeoutMs: number | undefined;
}

/** @param ceiling the most output tokens that the model is known to give; who asks for more is believed */
export function limitSettings(
  flags: RunFlags,
  ceiling: number,
  agent: NonNullable<AgentSettings['limits']> = {},
): LimitSettings {
  const read = (name: string, flag: string | undefined, setting: number | undefined) =>
    flag === undefined ? setting : positiveWhole(name, flag);
  const maxTurns = read('--max-turns', flags.maxTurns, agent.max_turns);
  const tokenBudget = read('--token-budget', flags.tokenBudget, agent.token_budget);
  const maxOutputTokens = read('--max-output-tokens', flags.maxOutputTokens, agent.max_output_tokens);
  const maxToolCalls = read('--max-tool-calls', flags.maxToolCalls, agent.max_tool_calls);
  const maxCostUsd =
    flags.maxBudgetUsd === undefined ? agent.max_budget_usd : dollars('--max-budget-usd', flags.maxBudgetUsd);
  const timeoutMs = flags.timeout === undefined ? agent.timeout : duration('--timeout', flags.timeout);
  const maxRetries =
    flags.maxRetries === undefined ? agent.max_retries : whole('--max-retries', flags.maxRetries);
  const toolTimeoutMs =
    flags.toolTimeout === undefined ? agent.tool_timeout : duration('--tool-timeout', flags.toolTimeout);
  return {
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(tokenBudget !== undefined && { tokenBudget }),
      ...(maxToolCalls !== undefined && { maxToolCalls }),
      ...(maxCostUsd !== undefined && { maxCostUsd }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(agent.tools && { maxCallsByTool: agent.tools }),
      ...(maxRetries !== undefined && { maxRetries }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      outputCeiling: Math.max(ceiling, maxOutputTokens ?? 0),
      summary: flags.summary && (agent.summary ?? true),
    },
    toolTimeoutMs,
  };
}

export const isBudgeted = ({ tokenBudget = null, maxCostUsd = null }: Partial<Limits>): boolean =>
  tokenBudget !== null || maxCostUsd !== null;
