import type { CancelSignal, Stop } from '../../machines/status.ts';
import type { Check } from '../journal/record.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { ProcessResult, Sandbox } from '../sandbox/sandbox.ts';
import { processOutput } from '../tools/process-output.ts';
import { type Gate, mayPass } from './gate.ts';
import type { TaskWork } from './job.ts';
import type { Redact } from './redact.ts';

export interface VerifyParts {
  readonly check: Check;
  readonly workspace: string;
  readonly sandbox: Sandbox;
  readonly log: RunLog;
  readonly gate: Gate;
  readonly redact: Redact;
  /** Milliseconds that the time limit of the run leaves. */
  readonly remainingMs: () => number;
  /** The last one of the loop. */
  readonly turn: () => number;
  readonly now: () => number;
  /** A person's wish to end the run. */
  readonly cancelled: AbortSignal | undefined;
}

/** Characters of standard output and of standard error that are kept: the model reads them all. */
const MOST_CHARACTERS = 8_000;

/**
 * Runs the check and records what it came to. A cancel or the end of the time breaks it off, which is recorded as well: it is
 * what the run ended with.
 */
export const verifyTask =
  (parts: VerifyParts): TaskWork<'verifyTask'> =>
  async ({ input: { attempt }, signal, send }) => {
    const { check, workspace, sandbox, log, gate, redact, cancelled, now } = parts;
    const { command } = check;
    const stopping = AbortSignal.any([signal, ...(cancelled ? [cancelled] : [])]);
    const begun = now();
    const mayRun = await mayPass(gate, { kind: 'check', turn: parts.turn() }, stopping);
    const remainingMs = Math.floor(parts.remainingMs());
    const timeoutMs = Math.min(check.timeoutMs, remainingMs);
    const result =
      mayRun && timeoutMs > 0
        ? await sandbox.run({
            command: 'bash',
            args: ['-c', command],
            cwd: workspace,
            timeoutMs,
            maxCharacters: MOST_CHARACTERS,
            signal: stopping,
          })
        : undefined;
    // The machine is gone, after a defect.
    if (signal.aborted) return;
    const stop = stopOf(result?.end, cancelled, remainingMs <= check.timeoutMs);
    const exitCode = result?.end.kind === 'exited' ? result.end.exitCode : null;
    const passed = stop === null && exitCode === 0;
    await log.save({
      type: 'check.finished',
      attempt,
      command,
      passed,
      exitCode,
      output: result === undefined ? '' : redact(String(processOutput(result, timeoutMs).content)),
      durationMs: now() - begun,
      stop,
    });
    send({ type: 'check.finished', passed, stop });
  };

/** What broke the check off; null: it came to a result. @param isLastTime the run has no time beyond that of the check */
function stopOf(
  end: ProcessResult['end'] | undefined,
  cancelled: AbortSignal | undefined,
  isLastTime: boolean,
): Stop | null {
  if (cancelled?.aborted && (end === undefined || end.kind === 'aborted'))
    return { status: 'cancelled', signal: signalOf(cancelled) };
  if (end === undefined || (end.kind === 'timed out' && isLastTime)) return { status: 'time_limit' };
  return null;
}

const signalOf = ({ reason }: AbortSignal): CancelSignal => (reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
