/** `pawl step`, `continue`, `pause`, `break`: a run of another process is told what to do. */
import { controlPath, readControlFile } from '../../inspector/control-file.ts';
import type { Command, ControlState } from '../../inspector/protocol.ts';
import { steer } from '../../inspector/steer.ts';
import { JournalError } from '../../journal/journal.ts';
import { holderOf } from '../../journal/lock.ts';
import { readJournal } from '../../journal/read.ts';
import { effectName } from '../effect-name.ts';
import { isCopy, isCopyOf, typedAtEngine } from '../engine-copy.ts';
import { type FoundRun, findRun } from '../find-run.ts';
import { shortName } from '../format.ts';
import { printableLine, printableSentence } from '../printable.ts';
import { typed } from '../typed.ts';
import { UsageError } from '../usage-error.ts';

/** @throws UsageError where the run cannot be steered, or does not want this */
export async function steerCommand(run: string, commands: readonly Command[]): Promise<number> {
  const found = await findRun(run);
  const control = readControlFile(found.file);
  if (control === undefined) throw new UsageError(await whyNot(found));
  for (const command of commands) {
    const answer = await steer(control, command).catch(() => {
      throw new UsageError(
        `The process ${control.pid} of the run ${shortName(found.name)} does not answer. If it has ended, remove ${controlPath(found.file)} and go on with: ${typed('resume')} ${found.name}`,
      );
    });
    if ('problem' in answer) throw new UsageError(printableSentence(answer.problem));
    if (command === commands.at(-1)) process.stdout.write(`${stateLine(answer)}\n`);
  }
  return 0;
}

async function whyNot({ name, file }: FoundRun): Promise<string> {
  const { records } = await readJournal(file).catch(() => ({ records: [] }));
  if (isCopy(records)) return `${isCopyOf(name)} Look at it there: ${typedAtEngine('inspect', name)}`;
  return isHeld(file)
    ? `The run ${shortName(name)} was started without --inspect, so that nobody can steer it.`
    : `No process is at work on the run ${shortName(name)}. Look at it: ${typed('inspect')} ${name}; go on with it: ${typed('resume')} ${name} --inspect`;
}

function isHeld(file: string): boolean {
  try {
    return holderOf(file) !== undefined;
  } catch (error) {
    if (error instanceof JournalError) throw new UsageError(printableSentence(error.message));
    // No such folder: nobody is at work there.
    return false;
  }
}

function stateLine({ isPaused, parked, breakpoints, questions }: ControlState): string {
  const held = parked.map(effectName).join(', ');
  return [
    isPaused ? (held ? `held before ${held}` : 'paused: the next effect will wait') : 'running',
    ...(questions.length > 0
      ? [`asks about ${questions.map(({ tool }) => printableLine(tool)).join(', ')}`]
      : []),
    ...(breakpoints.length > 0 ? [`breakpoints ${printableLine(breakpoints.join(', '))}`] : []),
  ].join('; ');
}
