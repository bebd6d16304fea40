/** Who looks at a run while it goes on. `pawl run` and `pawl resume` have them. */
export interface InspectFlags {
  readonly inspect?: true;
  readonly 'inspect=stately'?: true;
  /** False with --no-open. */
  readonly open: boolean;
  readonly port?: string;
  readonly break?: readonly string[];
}

/** The flags of `pawl run` as they were written: nothing is checked yet. */
export interface RunFlags extends Partial<InspectFlags> {
  readonly model?: string;
  readonly cd?: string;
  readonly agent?: string;
  readonly script?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly effort?: string;
  readonly tools?: string;
  readonly toolTimeout?: string;
  readonly yes?: true;
  readonly onAsk?: string;
  readonly sandbox?: string;
  readonly allowNetwork?: true;
  readonly permissionMode?: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly trustProject?: true;
  readonly verify?: string;
  readonly verifyTimeout?: string;
  readonly maxRepairs?: string;
  readonly maxTurns?: string;
  readonly tokenBudget?: string;
  readonly maxOutputTokens?: string;
  readonly maxToolCalls?: string;
  readonly maxBudgetUsd?: string;
  readonly timeout?: string;
  readonly maxRetries?: string;
  readonly maxRetryWait?: string;
  readonly idleTimeout?: string;
  readonly fallbackModel?: string;
  readonly prices?: string;
  readonly betas?: string;
  readonly header?: readonly string[];
  readonly thinking?: string;
  readonly contextEdits?: true;
  /** False with --no-cache. */
  readonly cache?: boolean;
  /** Text on standard output as it comes. */
  readonly stream?: true;
  readonly includePartial?: true;
  /** False with --no-summary. */
  readonly summary: boolean;
  readonly outputFormat: string;
  readonly transcript?: string;
  readonly redact?: readonly string[];
  readonly ephemeral?: true;
  readonly verbose?: true;
}

/** The flags of `pawl resume`. Limits may also be written as what is added to the recorded one: "+10". */
export interface ResumeFlags
  extends Partial<InspectFlags>,
    Pick<
      RunFlags,
      | 'cd'
      | 'agent'
      | 'script'
      | 'toolTimeout'
      | 'yes'
      | 'verify'
      | 'verifyTimeout'
      | 'maxRepairs'
      | 'onAsk'
      | 'sandbox'
      | 'allowNetwork'
      | 'permissionMode'
      | 'allow'
      | 'ask'
      | 'deny'
      | 'trustProject'
      | 'maxTurns'
      | 'tokenBudget'
      | 'maxOutputTokens'
      | 'maxToolCalls'
      | 'maxBudgetUsd'
      | 'timeout'
      | 'maxRetries'
      | 'maxRetryWait'
      | 'idleTimeout'
      | 'prices'
      | 'betas'
      | 'header'
      | 'cache'
      | 'thinking'
      | 'contextEdits'
      | 'stream'
      | 'includePartial'
      | 'outputFormat'
      | 'transcript'
      | 'redact'
      | 'verbose'
    > {
  readonly last?: true;
  readonly continue?: true;
}
