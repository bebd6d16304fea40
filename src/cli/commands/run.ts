/** `pawl run`: settings, then the run itself, then what it came to. */
import { Console } from 'node:console';
import { exitCodeOf } from '../../../machines/status.ts';
import type { RunOutcome } from '../../outcome.ts';
import { nobody } from '../../permissions/nobody.ts';
import { run } from '../../run.ts';
import { jsonReporter, streamReporter } from '../json-reporter.ts';
import { writeAtomically } from '../output-file.ts';
import { reasonOf } from '../read-file.ts';
import type { Reporter } from '../reporter.ts';
import { transcriptRecord } from '../result-record.ts';
import type { RunFlags } from '../run-flags.ts';
import { Screen } from '../screen.ts';
import { type RunSettings, resolveSettings } from '../settings.ts';
import { cancelOnSignals } from '../signals.ts';
import { hasColours, type Style, styleOf } from '../style.ts';
import { terminalApprover } from '../terminal-approver.ts';
import { textReporter } from '../text-reporter.ts';

const INTERRUPTED_EXIT_CODE = exitCodeOf('cancelled', 'SIGINT');
const INTERNAL_EXIT_CODE = 1;

/** @returns the exit code. @throws UsageError before anything was created; whatever else it throws is a defect */
export async function runCommand(words: readonly string[], flags: RunFlags): Promise<number> {
  keepStandardOutput();
  const { env, stdin, stderr } = process;
  const settings = await resolveSettings(words, flags, { folder: process.cwd(), env, input: stdin });
  const style = styleOf(hasColours(stderr, env));
  const screen = new Screen(stderr, style);
  const reporter = reporterFor(settings, flags, screen, style);
  const canAsk = stdin.isTTY && stderr.isTTY;
  const cancelling = cancelOnSignals(() =>
    reporter.broken('cancelled', INTERRUPTED_EXIT_CODE, 'The run was left at once by a second Ctrl-C.'),
  );
  try {
    const outcome = await run({
      ...settings.options,
      approver: canAsk ? terminalApprover(stdin, screen, style) : nobody('with --yes'),
      signal: cancelling.signal,
      onEvent: (event) => reporter.event(event),
    });
    const final = await saveTranscript(outcome, settings);
    reporter.end(final);
    return final.exitCode;
  } catch (error) {
    reporter.broken('internal_error', INTERNAL_EXIT_CODE, `internal error: ${(error as Error).message}`);
    throw error;
  } finally {
    cancelling.dispose();
  }
}

function reporterFor(
  { format, isScripted }: RunSettings,
  { ephemeral }: RunFlags,
  screen: Screen,
  style: Style,
): Reporter {
  const { stdout, stderr } = process;
  switch (format) {
    case 'text':
      return textReporter(stdout, screen, style, isScripted);
    case 'json':
      return jsonReporter(stdout, stderr);
    case 'stream-json':
      return streamReporter(stdout, stderr, ephemeral === true);
    default:
      return format satisfies never;
  }
}

/** Tool modules and libraries may log. Standard output is for the answer alone. */
function keepStandardOutput(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** A run whose transcript is missing is no success for whoever asked for it. */
async function saveTranscript(
  outcome: RunOutcome,
  { transcript, options }: RunSettings,
): Promise<RunOutcome> {
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
