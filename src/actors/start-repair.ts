import { repairInstruction } from '../../machines/task.ts';
import type { RunLog } from '../journal/run-log.ts';
import type { TaskWork } from './job.ts';

/** Writes down what the model is told of the check that failed. The history stays valid: an answer, then a word of the user. */
export const startRepair =
  (log: RunLog): TaskWork<'startRepair'> =>
  async ({ input: { repair, maxRepairs }, send }) => {
    const check = log.transcript.checks.at(-1);
    if (check === undefined) throw new Error('there is nothing to repair: no check was recorded');
    const instruction = repairInstruction(check.command, check.output, repair, maxRepairs);
    await log.save({ type: 'repair.started', repair, instruction });
    send({ type: 'repair.started' });
  };
