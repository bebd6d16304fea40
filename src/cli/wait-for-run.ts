/** A run of an engine, shown as one of this process is, until it has ended or whoever waits leaves. */
import { foldRecords } from '../journal/fold.ts';
import type { JournalRecord } from '../journal/record.ts';
import { followRun } from '../restate/follow.ts';
import type { RunPlace } from '../restate/ingress.ts';
import { waitingCalls } from '../waiting.ts';
import type { SubmitFlags } from './commands/submit.ts';
import { type Conduct, reporterFor } from './conduct.ts';
import { INTERNAL_EXIT_CODE } from './defects.ts';
import { asked, blobsFolder, type Engine, workspacesFolder } from './engine.ts';
import { printableLine } from './printable.ts';
import { Screen } from './screen.ts';
import { cancelOnSignals } from './signals.ts';
import { hasColours, styleOf } from './style.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';
import { waitingLines } from './waiting-lines.ts';

const LEFT_EXIT_CODE = 130;

/** @returns the exit code of the run. @throws UsageError where it could not be begun */
export async function waitForRun(
  { ingress, admin }: Engine,
  place: RunPlace,
  flags: SubmitFlags,
  format: 'text' | 'json',
): Promise<number> {
  const { stderr, env } = process;
  const style = styleOf(hasColours(stderr, env));
  const screen = new Screen(stderr, style);
  const reporter = reporterFor(shownAs(flags, format, ingress.url), screen, style);
  const { signal: left, dispose } = cancelOnSignals(() => {});
  const ending = new AbortController();
  const blobs = blobsFolder(flags.blobs, workspacesFolder(undefined));
  const records: JournalRecord[] = [];
  const show = async () => {
    for await (const found of followRun(admin, place, { left, ending: ending.signal }, blobs)) {
      if (found.type === 'damaged') screen.line(printableLine(found.problem));
      if (found.type !== 'records') continue;
      for (const record of found.records) reporter.event({ type: 'record', record });
      records.push(...found.records);
      if (format !== 'text' || !found.records.some(asksAPerson)) continue;
      const fold = foldRecords(records);
      const { workspace } = fold.header;
      for (const line of await waitingLines(
        waitingCalls(fold),
        place.runId,
        workspace,
        style,
        screen.columns,
        ingress.url,
      ))
        screen.line(line);
    }
  };
  const showing = show();
  try {
    const outcome = await asked(() => ingress.outcome(place, left));
    ending.abort();
    await showing;
    reporter.end({
      ...outcome,
      messages: records.length > 0 ? foldRecords(records).transcript.messages : [],
    });
    return outcome.exitCode;
  } catch (error) {
    ending.abort();
    await showing;
    if (left.aborted) {
      screen.line(`The run goes on. To end it: ${typed('cancel')} ${place.runId} --restate ${ingress.url}`);
      return LEFT_EXIT_CODE;
    }
    const { name, message, code } = error as Error & { readonly code?: number };
    if (name !== 'RunFailed') throw error;
    if (code === 400) throw new UsageError(printableLine(message));
    reporter.broken('internal_error', INTERNAL_EXIT_CODE, message);
    stderr.write(`pawl: ${printableLine(message)}\n`);
    return INTERNAL_EXIT_CODE;
  } finally {
    dispose();
  }
}

const asksAPerson = (record: JournalRecord): boolean =>
  record.type === 'calls.reviewed' && record.verdicts.some(({ verdict }) => verdict === 'ask');

const shownAs = (flags: SubmitFlags, format: Conduct['format'], engine: string): Conduct => ({
  format,
  engine,
  model: flags.model ?? '',
  transcript: undefined,
  isScripted: false,
  isEphemeral: false,
  asking: { flag: undefined },
  isStreamed: false,
  isVerbose: flags.verbose === true,
  howToAllow: '',
  inspect: null,
  toolNames: [],
});
