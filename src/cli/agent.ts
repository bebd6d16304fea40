/** What an agent file comes to. */
import type { AgentSettings } from './agent-schema.ts';

export interface Agent {
  readonly file: string;
  readonly settings: AgentSettings;
  /** The body; undefined where there is none. */
  readonly system: string | undefined;
  /** Absolute path, from `tool_module`, which is relative to the agent file. */
  readonly toolModule: string | undefined;
}

/** The reader of YAML is loaded with the first such file. @throws UsageError naming what is wrong with it */
export const agentAt = async (file: string): Promise<Agent> =>
  (await import('./agent-file.ts')).readAgentFile(file);
