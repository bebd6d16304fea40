/** The flags of a run on their way to a worker: those that say how it runs, and not how it is shown. */
import path from 'node:path';
import { OptionsError } from '../checks/options-error.ts';
import type { RunFlags } from './run-flags.ts';

/** Each with what it may be. What is not here is of no use to a worker. */
const FLAGS = {
  model: 'text',
  agent: 'file',
  script: 'file',
  systemPrompt: 'text',
  appendSystemPrompt: 'text',
  effort: 'text',
  tools: 'text',
  toolTimeout: 'text',
  yes: 'switch',
  onAsk: 'text',
  sandbox: 'text',
  allowNetwork: 'switch',
  permissionMode: 'text',
  allow: 'texts',
  ask: 'texts',
  deny: 'texts',
  trustProject: 'switch',
  verify: 'text',
  verifyTimeout: 'text',
  maxRepairs: 'text',
  maxTurns: 'text',
  tokenBudget: 'text',
  maxOutputTokens: 'text',
  maxToolCalls: 'text',
  maxBudgetUsd: 'text',
  timeout: 'text',
  maxRetries: 'text',
  maxRetryWait: 'text',
  idleTimeout: 'text',
  fallbackModel: 'text',
  prices: 'file',
  betas: 'text',
  header: 'texts',
  thinking: 'text',
  contextEdits: 'switch',
  cache: 'switch',
  summary: 'switch',
  redact: 'texts',
} as const satisfies { readonly [Name in keyof RunFlags]?: 'text' | 'texts' | 'file' | 'switch' };

type Kind = (typeof FLAGS)[keyof typeof FLAGS];

const FITS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  file: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  switch: (value) => typeof value === 'boolean',
};

/** As plain JSON. Files are named by their whole path: the worker reads them. */
export function submittedOptions(flags: RunFlags, folder: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(FLAGS)) {
    const value = flags[name as keyof RunFlags];
    if (value === undefined) continue;
    found[name] = kind === 'file' ? path.resolve(folder, String(value)) : value;
  }
  return found;
}

/** Whoever reaches the engine can send anything. @throws OptionsError for what is none of these flags */
export function flagsOf(submitted: { readonly [name: string]: unknown }): RunFlags {
  for (const [name, value] of Object.entries(submitted)) {
    const kind = Object.hasOwn(FLAGS, name) ? FLAGS[name as keyof typeof FLAGS] : undefined;
    if (kind === undefined || !FITS[kind](value))
      throw new OptionsError(`The worker does not understand the option ${JSON.stringify(name)} of the run.`);
  }
  return { summary: true, outputFormat: 'text', ...submitted } as RunFlags;
}
