/** All trials of `pawl crashtest`: the undisturbed run says how many instants there are, then each has its own. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { CrashPlan } from './crash-plan.ts';
import { playTrial, type Trial } from './crash-trial.ts';
import { endOf, judgeTrial, problemsOf, type Verdict } from './crash-verdict.ts';
import { counted } from './format.ts';
import type { Screen } from './screen.ts';

export interface Judged {
  /** Number of the instant, from 1; 0 is the undisturbed run. */
  readonly instant: number;
  readonly trial: Trial;
  readonly verdict: Verdict;
}

export interface Findings {
  /** How the undisturbed run ended. */
  readonly status: string;
  readonly instants: number;
  readonly judged: readonly Judged[];
  readonly durationMs: number;
}

/** Processes that run side by side. */
const WORKERS = 2;

interface Test {
  readonly base: string;
  readonly pristine: string;
  readonly task: Pick<CrashPlan, 'task' | 'flags'>;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Folders of trials in which nothing was found are removed at once. @returns undefined where it was cancelled */
export async function findingsOf({
  base,
  pristine,
  task,
  screen,
  signal,
}: Test): Promise<Findings | undefined> {
  const begun = performance.now();
  const play = (killAt: number | null): Promise<Trial> =>
    playTrial(pristine, path.join(base, `instant-${killAt ?? 0}`), { ...task, killAt }, signal);
  screen.wait('the undisturbed run');
  const undisturbed = await play(null);
  const instants = undisturbed.ledger.filter(({ is }) => is === 'instant').length;
  const judged: Judged[] = [
    { instant: 0, trial: undisturbed, verdict: judgeTrial(undisturbed, undisturbed) },
  ];
  if (undisturbed.problem === undefined) {
    screen.line(
      `The run passes ${counted(instants, 'instant')}. It is killed at each of them and taken up again.`,
    );
    let next = 1;
    const work = async (): Promise<void> => {
      while (next <= instants && !signal.aborted) {
        const instant = next++;
        screen.wait(`instant ${instant} of ${instants}`);
        const trial = await play(instant);
        const verdict = judgeTrial(trial, undisturbed);
        judged.push({ instant, trial: forgetting(trial), verdict });
        if (problemsOf(verdict).length === 0) await fs.rm(trial.folder, { recursive: true, maxRetries: 3 });
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }
  if (signal.aborted) return undefined;
  judged.sort((a, b) => a.instant - b.instant);
  const { status } = undisturbed.records.length > 0 ? endOf(undisturbed.records) : { status: 'nothing' };
  return { status, instants, judged, durationMs: performance.now() - begun };
}

/** What was judged is not needed any more, and there may be hundreds of it. */
const forgetting = (trial: Trial): Trial => ({ ...trial, ledger: [], survivors: [], records: [] });
