import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Effect } from '../../machines/protocol.ts';
import { type Judgement, type RulesPolicyOptions, rulesPolicy } from '../../src/index.ts';

const EFFECTS: Readonly<Record<string, Effect>> = {
  read_file: 'read',
  list_files: 'read',
  search_files: 'read',
  write_file: 'idempotent',
};

/** What rules say of a call of a tool, in a folder. */
export const judge = (
  rules: RulesPolicyOptions,
  tool: string,
  input: unknown,
  workspace = '/nowhere',
): Promise<Judgement> =>
  rulesPolicy(rules).judge({ tool, input, effect: EFFECTS[tool] ?? 'effectful', workspace });

export const decisionOn = async (rules: RulesPolicyOptions, command: string): Promise<string> =>
  (await judge(rules, 'bash', { command })).decision;

/** A folder of its own, gone after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-rules-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}
