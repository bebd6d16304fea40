/** `pawl approvals`: the calls that wait for an approval, of all suspended runs. */
import { readEntry } from '../../journal/catalog.ts';
import { foldRecords } from '../../journal/fold.ts';
import { stateFolder } from '../../journal/location.ts';
import { waitingCalls } from '../../waiting.ts';
import { asked, type Engine, type EngineFlags, engineOf, isOfEngine } from '../engine.ts';
import { isCopy, maybeAtEngine, typedAtEngine } from '../engine-copy.ts';
import { callsAt } from '../engine-decide.ts';
import { allIds } from '../find-run.ts';
import { counted, hung, wrapped } from '../format.ts';
import { writeLines } from '../line-output.ts';
import { outputColumns } from '../log-lines.ts';
import { printableLine } from '../printable.ts';
import { readRun } from '../read-run.ts';
import { waitingRecord } from '../result-record.ts';
import { hasColours, styleOf } from '../style.ts';
import { tell } from '../tell.ts';
import { waitingLines } from '../waiting-lines.ts';

/** @throws UsageError where the folder of the runs cannot be read, or the engine cannot be reached */
export async function approvalsCommand(asJson: boolean, flags: EngineFlags = {}): Promise<number> {
  const engine = isOfEngine(flags) ? await engineOf(flags) : undefined;
  const runs = engine ? await waitingRuns(engine) : await suspendedRuns();
  if (asJson) {
    const documents = runs.map(({ header, file, waiting }) => ({
      run_id: header.runId,
      task: header.task,
      workspace: header.workspace,
      waiting: waiting.map(waitingRecord),
      journal: file,
    }));
    process.stdout.write(`${JSON.stringify(documents, null, 2)}\n`);
    return 0;
  }
  if (runs.length === 0) tell(`No call waits for an approval.${engine ? '' : maybeAtEngine('approvals')}`);
  const style = styleOf(hasColours(process.stdout, process.env));
  const columns = outputColumns();
  for (const { name, header, waiting } of runs)
    await writeLines([
      wrapped(
        [style.bold(`run ${printableLine(name)}`), style.dim(`in ${printableLine(header.workspace)}`)],
        columns,
      ),
      hung('  ', printableLine(header.task), columns),
      ...(await waitingLines(waiting, name, header.workspace, style, columns, engine?.ingress.url)),
    ]);
  return 0;
}

/** Newest first. Of a copy, the engine is asked: a word that is said here reaches no worker. */
async function suspendedRuns() {
  const folder = stateFolder();
  const runs = [];
  let copies = 0;
  for (const id of await allIds(folder)) {
    if ((await readEntry(folder, id)).status !== 'suspended') continue;
    const { name, file, records } = await readRun(id);
    if (isCopy(records)) {
      copies += 1;
      continue;
    }
    const fold = foldRecords(records);
    runs.push({ name, file, header: fold.header, waiting: waitingCalls(fold) });
  }
  if (copies > 0)
    tell(`${counted(copies, 'run')} that workers go on with not shown: ${typedAtEngine('approvals')}`);
  return runs;
}

/** Of an engine. */
async function waitingRuns(engine: Engine) {
  const { admin } = engine;
  const runs = [];
  for (const run of await asked(() => admin.runs(MOST_RUNS))) {
    if (run.state === 'completed' || !run.glance?.isWaiting) continue;
    const { records, waiting } = await callsAt(engine, run);
    if (waiting.length === 0) continue;
    const file = `${admin.url}/${run.runId}`;
    runs.push({ name: run.runId, file, header: foldRecords(records).header, waiting });
  }
  return runs;
}

/** That are looked at, newest first. */
const MOST_RUNS = 1_000;
