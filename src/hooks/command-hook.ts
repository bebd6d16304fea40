import { localSandbox } from '../sandbox/process.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { checkEndHookCommand, checkHookCommand } from './check-hooks.ts';
import type { CallFacts, EndFacts, EndHook, Hook, ResultFacts } from './hook.ts';

interface Command {
  /** For `sh -c`, in the workspace. */
  readonly command: string;
}
export interface HookCommand extends Command, Pick<Hook<CallFacts>, 'name' | 'tools' | 'timeoutMs'> {}
export interface EndHookCommand extends Command, Pick<EndHook, 'name' | 'statuses' | 'timeoutMs'> {}

/** Exit code with which a hook speaks; 0: go on; every other one: it has failed. */
const SPEAKS = 2;
const MOST_CHARACTERS = 10_000;
/** The hook's own time limit ends it through the signal. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * A program as a hook: it finds the facts as JSON on its standard input. It is the person's own, so it runs unconfined; it has
 * the environment of a tool's process, without the keys of this one.
 */
export function commandHook<Facts extends CallFacts>(
  given: HookCommand,
  sandbox: Sandbox = localSandbox(),
): Hook<Facts> {
  checkHookCommand(given);
  const { command, ...hook } = given;
  return { ...hook, run: (facts, signal) => answerOf(command, facts, sandbox, signal) };
}

/** The same for a hook that is told how runs end. */
export function commandEndHook(given: EndHookCommand, sandbox: Sandbox = localSandbox()): EndHook {
  checkEndHookCommand(given);
  const { command, ...hook } = given;
  return { ...hook, run: (facts, signal) => answerOf(command, facts, sandbox, signal) };
}

async function answerOf(
  command: string,
  facts: CallFacts | ResultFacts | EndFacts,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { end, stdout, stderr } = await sandbox.run({
    command: 'sh',
    args: ['-c', command],
    cwd: facts.workspace,
    timeoutMs: NO_LIMIT_MS,
    maxCharacters: MOST_CHARACTERS,
    signal,
    input: `${JSON.stringify(documentOf(facts))}\n`,
  });
  if (end.kind === 'exited' && end.exitCode === 0) return undefined;
  const words = stderr.text.trim() || stdout.text.trim();
  if (end.kind === 'exited' && end.exitCode === SPEAKS) return words || 'it gave no reason';
  throw new Error(`${endOf(end)}${words === '' ? '' : `: ${words}`}`);
}

function documentOf(facts: CallFacts | ResultFacts | EndFacts): object {
  if ('status' in facts) {
    const { runId: run_id, exitCode: exit_code, turns: num_turns, ...rest } = facts;
    return { hook: 'afterRun', run_id, exit_code, num_turns, ...rest };
  }
  const { runId, workspace, turn, callId, tool, input } = facts;
  const call = { run_id: runId, workspace, turn, call_id: callId, tool, input };
  if (!('result' in facts)) return { hook: 'beforeCall', ...call };
  return { hook: 'afterCall', ...call, result: facts.result, is_error: facts.isError };
}

type End = Awaited<ReturnType<Sandbox['run']>>['end'];

function endOf(end: End): string {
  switch (end.kind) {
    case 'exited':
      return `exit code ${end.exitCode}`;
    case 'signalled':
      return `it was killed by ${end.signal}`;
    case 'not started':
      return end.reason;
    case 'timed out':
    case 'aborted':
      return 'it was stopped';
  }
}
