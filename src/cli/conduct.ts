/** A run as the command line conducts it: signals, questions, what is shown meanwhile, what is written at the end. */
import { exitCodeOf } from '../../machines/status.ts';
import { OptionsError } from '../checks/options-error.ts';
import type { Means } from '../options.ts';
import { RunCrashed, type RunOutcome } from '../outcome.ts';
import type { Approver } from '../permissions/approver.ts';
import type { OutputFormat } from './choices.ts';
import { defectLine, INTERNAL_EXIT_CODE, onStrayError, stackOf } from './defects.ts';
import type { InspectSettings } from './inspect-settings.ts';
import type { Inspection } from './inspection.ts';
import { jsonReporter, streamReporter } from './json-reporter.ts';
import { type Asking, approverFor } from './on-ask.ts';
import { writeAtomically } from './output-file.ts';
import { reasonOf } from './read-file.ts';
import type { Ended, Reporter } from './reporter.ts';
import { transcriptRecord } from './result-record.ts';
import { Screen } from './screen.ts';
import { type Cancelling, cancelOnSignals } from './signals.ts';
import { standardOutput } from './standard-output.ts';
import { hasColours, type Style, styleOf } from './style.ts';
import { terminalApprover } from './terminal-approver.ts';
import { type ResumedRun, streamedReporter, textReporter } from './text-reporter.ts';
import { UsageError } from './usage-error.ts';
import { waitingLines } from './waiting-lines.ts';

/** How a run is shown and kept, whatever it is about. */
export interface Conduct {
  readonly format: OutputFormat;
  readonly model: string;
  /** Absolute path. */
  readonly transcript: string | undefined;
  readonly isScripted: boolean;
  /** The run that is taken up again. */
  readonly resumedRun?: ResumedRun;
  /** Its journal. */
  readonly journalFile?: string;
  readonly isEphemeral: boolean;
  /** Address of the engine that has the run, if this process has it not. */
  readonly engine?: string;
  readonly asking: Asking;
  /** Text on standard output as it comes; in stream-json, the pieces of it. */
  readonly isStreamed: boolean;
  readonly isVerbose: boolean;
  /** What the model is told of how a call can be allowed, where nobody can be asked. */
  readonly howToAllow: string;
  readonly inspect: InspectSettings | null;
  readonly toolNames: readonly string[];
}

type Surroundings = Required<Pick<Means, 'approver' | 'signal' | 'onEvent'>> &
  Pick<Means, 'gate' | 'inspect'>;

const INTERRUPTED_EXIT_CODE = exitCodeOf('cancelled', 'SIGINT');

/**
 * @param start starts the run, or goes on with it
 * @returns the exit code. @throws UsageError where nothing was begun; whatever else it throws is a defect
 */
export async function conduct(
  how: Conduct,
  start: (surroundings: Surroundings) => Promise<RunOutcome>,
): Promise<number> {
  const { env, stdin, stderr } = process;
  const style = styleOf(hasColours(stderr, env));
  const screen = new Screen(stderr, style);
  const reporter = reporterFor(how, screen, style);
  const cancelling = cancelOnSignals(() =>
    reporter.broken('cancelled', INTERRUPTED_EXIT_CODE, 'The run was left at once by a second Ctrl-C.'),
  );
  const strays = watchRun(cancelling, how.isVerbose);
  const { asking, howToAllow } = how;
  const terminal = stdin.isTTY && stderr.isTTY ? terminalApprover(stdin, screen, style, howToAllow) : null;
  const inspection = await inspectionOf(how, terminal, cancelling, reporter);
  let workspace = '';
  try {
    const outcome = await start({
      approver: approverFor(asking, inspection?.approver ?? terminal ?? undefined, howToAllow),
      signal: cancelling.signal,
      onEvent: (event) => {
        if (event.type === 'record' && 'workspace' in event.record) workspace = event.record.workspace;
        reporter.event(event);
        inspection?.event(event);
      },
      ...(inspection?.gate && { gate: inspection.gate }),
      ...(inspection?.inspect && { inspect: inspection.inspect }),
    });
    const final = await saveTranscript(strays.judge(outcome), how);
    reporter.end(final);
    if (final.status === 'suspended' && how.format === 'text')
      for (const line of await waitingLines(final.waiting, final.runId, workspace, style, screen.columns))
        screen.line(line);
    return final.exitCode;
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message);
    if (error instanceof UsageError) throw error;
    const [defect, facts] = error instanceof RunCrashed ? [error.cause, error.facts] : [error];
    reporter.broken('internal_error', INTERNAL_EXIT_CODE, defectLine(defect), facts);
    throw defect;
  } finally {
    await inspection?.close();
    cancelling.dispose();
  }
}

/** Loaded only where it is asked for. */
async function inspectionOf(
  { inspect, toolNames, resumedRun, journalFile, isEphemeral }: Conduct,
  terminal: Approver | null,
  { cancel }: Cancelling,
  reporter: Reporter,
): Promise<Inspection | undefined> {
  if (inspect === null) return undefined;
  const { startInspection } = await import('./inspection.ts');
  return startInspection({
    settings: inspect,
    toolNames,
    resumed: resumedRun && journalFile ? { runId: resumedRun.runId, journal: journalFile } : null,
    isEphemeral,
    terminal,
    cancel: () => cancel('SIGINT'),
    tell: (line) => reporter.say(line),
  });
}

/**
 * A stray error ends the run in order, so that no command outlives it, and is what the run came to. Once the outcome is
 * judged, it can only be told. The first one counts: a timer may throw again and again.
 */
function watchRun({ cancel }: Cancelling, isVerbose: boolean) {
  let defect: string | undefined;
  let isOver = false;
  onStrayError((error) => {
    if (defect !== undefined) return;
    defect = defectLine(error);
    process.stderr.write(stackOf(error, isVerbose));
    if (isOver) process.stderr.write(`pawl: ${defect}\n`);
    else cancel('SIGTERM');
  });
  return {
    judge(outcome: RunOutcome): Ended {
      isOver = true;
      if (defect === undefined) return outcome;
      const errors = [...outcome.errors, defect];
      return { ...outcome, status: 'internal_error', exitCode: INTERNAL_EXIT_CODE, errors };
    },
  };
}

export function reporterFor(how: Conduct, screen: Screen, style: Style): Reporter {
  const { format, isEphemeral, isStreamed, resumedRun, journalFile } = how;
  const { stderr } = process;
  switch (format) {
    case 'text':
      return isStreamed && !standardOutput.isTTY
        ? streamedReporter(standardOutput, screen, style, how, resumedRun)
        : textReporter(standardOutput, screen, style, how, resumedRun);
    case 'json':
      return jsonReporter(standardOutput, stderr, resumedRun?.runId);
    case 'stream-json':
      return streamReporter(standardOutput, stderr, {
        isEphemeral,
        isStreamed,
        resumedRun: resumedRun?.runId,
        journalFile,
      });
    default:
      return format satisfies never;
  }
}

/** A run whose transcript is missing is no success for whoever asked for it. */
async function saveTranscript(outcome: Ended, { transcript, model }: Conduct): Promise<Ended> {
  if (transcript === undefined) return outcome;
  try {
    const document = transcriptRecord(outcome, model);
    await writeAtomically(transcript, `${JSON.stringify(document, null, 2)}\n`);
    return outcome;
  } catch (error) {
    const problem = `The transcript ${transcript} could not be written: ${reasonOf(error)}.`;
    return {
      ...outcome,
      exitCode: outcome.exitCode || INTERNAL_EXIT_CODE,
      errors: [...outcome.errors, problem],
    };
  }
}
