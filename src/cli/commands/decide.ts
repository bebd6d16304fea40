/** `pawl approve` and `pawl deny`: decisions about calls of a suspended run, from any later process. */
import { CannotDecide, decide } from '../../decide.ts';
import { reopenJournal } from '../../journal/file.ts';
import { foldRecords } from '../../journal/fold.ts';
import { JournalCorrupt, JournalError, type OpenedJournal } from '../../journal/journal.ts';
import { keysIn } from '../../model/environment.ts';
import { waitingCalls } from '../../waiting.ts';
import {
  checkHash,
  chosen,
  sayWhichCall,
  sayWhichRun,
  tellDecided,
  writeDocument,
} from '../decided-calls.ts';
import { readDotEnv } from '../dot-env.ts';
import { type EngineFlags, isOfEngine } from '../engine.ts';
import { refuseCopy, typedAtEngine } from '../engine-copy.ts';
import { decideAtEngine } from '../engine-decide.ts';
import { type FoundRun, findRun, lastRun } from '../find-run.ts';
import { shortName } from '../format.ts';
import { printableLine, printableSentence } from '../printable.ts';
import { cannotRead, checkRegularFile } from '../read-file.ts';
import { DAMAGED_EXIT_CODE, damageText, LARGEST_JOURNAL_BYTES } from '../read-run.ts';
import { tell } from '../tell.ts';
import { typed } from '../typed.ts';
import { UsageError } from '../usage-error.ts';
import { waitingInShort } from '../waiting-lines.ts';

export interface DecideFlags extends EngineFlags {
  readonly last?: true;
  readonly hash?: string;
  readonly reason?: string;
  readonly json?: true;
}

/**
 * @returns 50 where the journal is damaged, or a live process has the run
 * @throws UsageError for a call that does not wait; all of the calls are decided about, or none
 */
export async function decideCommand(
  words: readonly string[],
  flags: DecideFlags,
  granted: boolean,
): Promise<number> {
  if (isOfEngine(flags)) return decideAtEngine(words, flags, granted);
  if (words.length === 0 && !flags.last) throw sayWhichRun(granted);
  const [found, names] = await runOf(words, flags.last === true);
  checkHash(names, flags);
  const opened = await openedOf(found);
  if (typeof opened === 'string') {
    process.stderr.write(`pawl: ${printableSentence(opened)}\n`);
    return DAMAGED_EXIT_CODE;
  }
  try {
    const fold = foldRecords(opened.records);
    const { header } = fold;
    const words = `${header.runId} ${names.join(' ') || 'CALL'}`;
    const decision = typedAtEngine(granted ? 'approve' : 'deny', words);
    refuseCopy(opened.records, header.runId, `Decide at the engine: ${decision}`);
    if (names.length === 0) throw sayWhichCall(waitingCalls(fold), found.name, granted);
    const calls = chosen(names, waitingCalls(fold), found.name);
    const decisions = calls.map(({ callId }) => ({
      callId,
      granted,
      ...(flags.reason !== undefined && { reason: flags.reason }),
      ...(flags.hash !== undefined && { fingerprint: flags.hash }),
    }));
    const secrets = keysIn(process.env, await readDotEnv(process.cwd()));
    const waiting = await decide(opened, decisions, { secrets });
    if (flags.json) writeDocument(header.runId, calls, granted, waiting);
    else {
      tellDecided(calls, granted, waiting);
      tell(`Go on with: ${typed('resume')} ${printableLine(found.name)}`);
    }
    return 0;
  } catch (error) {
    if (error instanceof CannotDecide)
      throw new UsageError(`${error.message} ${waitingInShort(error.waiting)}`);
    if (!(error instanceof JournalError)) throw error;
    process.stderr.write(`pawl: ${printableSentence(error.message)}\n`);
    return DAMAGED_EXIT_CODE;
  } finally {
    await opened.journal.close();
  }
}

async function runOf(words: readonly string[], isLast: boolean): Promise<[FoundRun, readonly string[]]> {
  if (!isLast) return [await findRun(words[0] ?? ''), words.slice(1)];
  return [await lastRun(), words];
}

/** A text: why it cannot be had. */
async function openedOf({ name, file }: FoundRun): Promise<OpenedJournal | string> {
  await checkRegularFile(file, LARGEST_JOURNAL_BYTES).catch((error) => {
    throw cannotRead(`journal of the run ${shortName(name)}`, file, error);
  });
  try {
    return await reopenJournal(file);
  } catch (error) {
    if (error instanceof JournalCorrupt) return damageText(error, name);
    if (error instanceof JournalError) return error.message;
    throw error;
  }
}
