/** `pawl show`: the state of a run, from its journal alone. */
import path from 'node:path';
import { totalTokens } from '../../../machines/reply.ts';
import { stateName } from '../../../machines/state-name.ts';
import { STOP_STATUSES } from '../../../machines/status.ts';
import { foldRecords } from '../../journal/fold.ts';
import { type JournalContent, JournalCorrupt } from '../../journal/journal.ts';
import { runPath, stateFolder } from '../../journal/location.ts';
import { readJournal } from '../../journal/read.ts';
import { counted, shortened, shortName } from '../format.ts';
import { printable, printableLine } from '../printable.ts';
import { checkRegularFile, reasonOf } from '../read-file.ts';
import { usageRecord } from '../result-record.ts';
import { UsageError } from '../usage-error.ts';

const LARGEST_JOURNAL_BYTES = 1_000_000_000;

/** @param run id of a run, or path of a journal. @throws UsageError if there is no such run or it cannot be read */
export async function showCommand(run: string, asJson: boolean): Promise<number> {
  const file = /[/\\]|\.jsonl$/.test(run) ? path.resolve(run) : runPath(stateFolder(), run);
  const state = stateOf(file, await read(run, file));
  process.stdout.write(asJson ? `${JSON.stringify(state, null, 2)}\n` : asText(state));
  return 0;
}

async function read(run: string, file: string): Promise<JournalContent> {
  try {
    await checkRegularFile(file, LARGEST_JOURNAL_BYTES);
    return await readJournal(file);
  } catch (error) {
    if (error instanceof JournalCorrupt)
      throw new UsageError(
        `${error.message}. It cannot be shown; sound up to there: ${counted(error.records.length, 'record')}.`,
      );
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : ` (${reasonOf(error)})`;
    throw new UsageError(
      `There is no run ${JSON.stringify(run)} to read at ${file}${reason}. Give the id of a run or the path of its .jsonl file.`,
    );
  }
}

function stateOf(file: string, { records, tornBytes }: JournalContent) {
  const { header, snapshot, transcript } = foldRecords(records);
  const { counters, usage, calls, stop, failure } = snapshot.context;
  const state = stateName(snapshot.value);
  const lastReply = transcript.replies.at(-1);
  return {
    run_id: header.runId,
    /** null: the run did not come to its end. */
    status: state in STOP_STATUSES ? state : null,
    state,
    signal: stop?.signal ?? null,
    task: header.task,
    model: header.model,
    workspace: header.workspace,
    started_at: records[0]?.at ?? null,
    last_record_at: records.at(-1)?.at ?? null,
    num_turns: counters.turns,
    tool_calls: counters.toolCalls,
    usage: usageRecord(usage),
    tokens: totalTokens(usage),
    denials: transcript.denials.length,
    failure: failure?.message ?? null,
    open_calls: calls
      .filter(({ id }) => transcript.openCall(id) !== undefined)
      .map(({ id, name, progress }) => ({ id, name, progress })),
    last_text: lastReply?.text ?? null,
    records: records.length,
    torn_bytes: tornBytes,
    journal: file,
  };
}

function asText(state: ReturnType<typeof stateOf>): string {
  const { usage } = state;
  const rows: (readonly [string, string])[] = [
    ['run', state.run_id],
    ['state', state.status === null ? `${state.state} (not ended)` : state.state],
    ['task', shortened(printableLine(state.task), 100)],
    ['model', printableLine(state.model)],
    ['workspace', printableLine(state.workspace)],
    ['started', state.started_at ?? ''],
    [
      'turns',
      `${state.num_turns}, with ${counted(state.tool_calls, 'call')}${state.denials > 0 ? ` and ${counted(state.denials, 'denial')}` : ''}`,
    ],
    ...(state.failure === null ? [] : [['failure', printableLine(state.failure)] as const]),
    [
      'tokens',
      `${state.tokens} (input ${usage.input_tokens}, cache write ${usage.cache_write_tokens}, cache read ${usage.cache_read_tokens}, output ${usage.output_tokens})`,
    ],
    ...state.open_calls.map(
      ({ id, name, progress }) => ['open call', `${shortName(name)} ${shortName(id)}: ${progress}`] as const,
    ),
    ['journal', `${state.journal}, ${counted(state.records, 'record')}`],
    ...(state.torn_bytes > 0
      ? [['torn', `${state.torn_bytes} bytes of an incomplete last record were left out`] as const]
      : []),
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(10)} ${value}\n`).join('');
  return state.last_text === null ? lines : `${lines}\n${printable(state.last_text).trimEnd()}\n`;
}
