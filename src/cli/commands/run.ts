/** `pawl run`: settings, then the run itself, then what it came to. */
import { exitCodeOf } from '../../../machines/status.ts';
import { RunCrashed, type RunOutcome } from '../../outcome.ts';
import { nobody } from '../../permissions/nobody.ts';
import { run } from '../../run.ts';
import { defectLine, INTERNAL_EXIT_CODE, onStrayError, stackOf } from '../defects.ts';
import { jsonReporter, streamReporter } from '../json-reporter.ts';
import { writeAtomically } from '../output-file.ts';
import { reasonOf } from '../read-file.ts';
import type { Ended, Reporter } from '../reporter.ts';
import { transcriptRecord } from '../result-record.ts';
import type { RunFlags } from '../run-flags.ts';
import { Screen } from '../screen.ts';
import { type RunSettings, resolveSettings } from '../settings.ts';
import { type Cancelling, cancelOnSignals } from '../signals.ts';
import { keepForAnswer, standardOutput } from '../standard-output.ts';
import { hasColours, type Style, styleOf } from '../style.ts';
import { terminalApprover } from '../terminal-approver.ts';
import { textReporter } from '../text-reporter.ts';

const INTERRUPTED_EXIT_CODE = exitCodeOf('cancelled', 'SIGINT');

/** @returns the exit code. @throws UsageError before anything was created; whatever else it throws is a defect */
export async function runCommand(words: readonly string[], flags: RunFlags): Promise<number> {
  keepForAnswer();
  const { env, stdin, stderr } = process;
  const settings = await resolveSettings(words, flags, { folder: process.cwd(), env, input: stdin });
  const style = styleOf(hasColours(stderr, env));
  const screen = new Screen(stderr, style);
  const reporter = reporterFor(settings, flags, screen, style);
  const canAsk = stdin.isTTY && stderr.isTTY;
  const cancelling = cancelOnSignals(() =>
    reporter.broken('cancelled', INTERRUPTED_EXIT_CODE, 'The run was left at once by a second Ctrl-C.'),
  );
  const strays = watchRun(cancelling, flags.verbose === true);
  try {
    const outcome = await run({
      ...settings.options,
      approver: canAsk ? terminalApprover(stdin, screen, style) : nobody('with --yes'),
      signal: cancelling.signal,
      onEvent: (event) => reporter.event(event),
    });
    const final = await saveTranscript(strays.judge(outcome), settings);
    reporter.end(final);
    return final.exitCode;
  } catch (error) {
    const [defect, facts] = error instanceof RunCrashed ? [error.cause, error.facts] : [error];
    reporter.broken('internal_error', INTERNAL_EXIT_CODE, defectLine(defect), facts);
    throw defect;
  } finally {
    cancelling.dispose();
  }
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

function reporterFor(
  { format, isScripted }: RunSettings,
  { ephemeral }: RunFlags,
  screen: Screen,
  style: Style,
): Reporter {
  const { stderr } = process;
  switch (format) {
    case 'text':
      return textReporter(standardOutput, screen, style, isScripted);
    case 'json':
      return jsonReporter(standardOutput, stderr);
    case 'stream-json':
      return streamReporter(standardOutput, stderr, ephemeral === true);
    default:
      return format satisfies never;
  }
}

/** A run whose transcript is missing is no success for whoever asked for it. */
async function saveTranscript(outcome: Ended, { transcript, options }: RunSettings): Promise<Ended> {
  if (transcript === undefined) return outcome;
  try {
    const document = transcriptRecord(outcome, options.model);
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
