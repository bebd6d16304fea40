import { realpathSync, statSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../machines/limits.ts';
import type { Redact } from './actors/redact.ts';
import { checkCheck } from './check-limits.ts';
import { OptionsError } from './checks/options-error.ts';
import { type Check, RECORD_VERSION, type RunStarted } from './journal/record.ts';
import { contextWindow } from './model/models.ts';
import type { RunOptions } from './options.ts';
import { redactorOf } from './redactor-of.ts';
import type { ToolRegistry } from './tools/registry.ts';
import { VERSION } from './version.ts';

/** The first record of a run, of options that are checked. @throws OptionsError for what no run can be made of all the same */
export function headerOf(options: RunOptions, runId: string, registry: ToolRegistry): RunStarted {
  const redact = redactorOf(options);
  return {
    type: 'run.started',
    version: RECORD_VERSION,
    pawl: VERSION,
    runId,
    task: redact(options.task.toWellFormed()),
    workspace: workspaceOf(options.workspace ?? process.cwd()),
    model: options.model,
    system: redact((options.system ?? '').toWellFormed()),
    effort: options.effort ?? null,
    fallbackModel: options.fallbackModel ?? null,
    limits: {
      ...DEFAULT_LIMITS,
      maxFallbacks: options.fallbackModel === undefined ? 0 : 1,
      contextWindow: contextWindow(options.model),
      fallbackWindow: options.fallbackModel === undefined ? null : contextWindow(options.fallbackModel),
      ...options.limits,
    },
    tools: registry.specs,
    ...(options.check && { check: checkOf(options.check, redact) }),
    ...(options.settings && { settings: options.settings }),
  };
}

const DEFAULT_CHECK = { timeoutMs: 600_000, maxRepairs: 2 } as const;

/** @throws OptionsError for a check that cannot be run, or recorded: another process must be able to run it again. */
export function checkOf(given: Pick<Check, 'command'> & Partial<Check>, redact: Redact): Check {
  const check = { ...DEFAULT_CHECK, ...given };
  checkCheck(check);
  if (redact(check.command) === check.command) return check;
  throw new OptionsError(
    'The check holds what is to be redacted, and it is recorded as it is. Put it into a script, and name that.',
  );
}

/** Absolute real path. @throws OptionsError when it is no folder */
export function workspaceOf(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new OptionsError(`The workspace ${folder} is not a folder.`);
  return realpathSync(folder);
}
