/** The state of a run at one of its records, as `pawl show` tells it. */
import { totalTokens } from '../../machines/reply.ts';
import { isRunStatus, openStatus, type RunEntry } from '../journal/catalog.ts';
import { type Fold, foldRecords } from '../journal/fold.ts';
import { holderOf } from '../journal/lock.ts';
import type { JournalRecord } from '../journal/record.ts';
import { figure } from '../tools/figure.ts';
import { isCopy, typedAtEngine } from './engine-copy.ts';
import { fitted } from './fitted.ts';
import { counted, shortName, wrapped } from './format.ts';
import { printable, printableLine } from './printable.ts';
import type { ReadRun } from './read-run.ts';
import { costRecord, usageRecord } from './result-record.ts';
import type { RecordedSandbox } from './sandbox-settings.ts';
import { typed } from './typed.ts';

export type RunState = ReturnType<typeof stateAt>;

/** Names in snake case, as in the other documents. @param at number of a record that the run has */
export function stateAt(run: ReadRun, at: number) {
  const records = run.records.slice(0, at + 1);
  const fold = foldRecords(records);
  const { header, snapshot, task, state, transcript } = fold;
  const holder = holderOf(run.file)?.pid ?? null;
  const { counters, usage, costUsd, unsettled, calls, stop, failure } = snapshot.context;
  return {
    run_id: header.runId,
    /** As in the list of runs. null: the run had not come to its end at this record, which is not its last one. */
    status: statusOf(fold, run, at, holder !== null),
    state,
    signal: task.context.stop?.signal ?? stop?.signal ?? null,
    /** Number of the record, and of how many. */
    at,
    records: run.records.length,
    /** The live process that writes this run now. */
    held_by: holder,
    /** Workers go on with the run, and what is here is how far it was. */
    is_copy: isCopy(run.records),
    task: header.task,
    model: header.model,
    workspace: header.workspace,
    sandbox: sandboxIn(records),
    origin: header.origin ? { run_id: header.origin.runId, seq: header.origin.seq } : null,
    resumes: records.filter(({ type }) => type === 'run.resumed').length,
    started_at: header.origin?.at ?? records[0]?.at ?? null,
    last_record_at: records.at(-1)?.at ?? null,
    num_turns: counters.turns,
    tool_calls: counters.toolCalls,
    usage: usageRecord(usage),
    tokens: totalTokens(usage),
    cost_usd: costRecord(costUsd),
    /** What requests that broke off or were given up may have taken beside that. */
    unsettled: { tokens: unsettled.tokens, cost_usd: costRecord(unsettled.costUsd) },
    denials: transcript.denials.length,
    check: header.check ? { command: header.check.command, max_repairs: header.check.maxRepairs } : null,
    verified: task.context.verified,
    checks: task.context.checks,
    repairs: task.context.repairs,
    failure: failure?.message ?? null,
    open_calls: calls
      .filter(({ id }) => transcript.openCall(id) !== undefined)
      .map(({ id, name, progress }) => ({ id, name, progress })),
    last_text: transcript.replies.at(-1)?.text ?? null,
    torn_bytes: run.tornBytes,
    damage: run.damage && { line: run.damage.line, reason: run.damage.reason, message: run.damage.message },
    journal: run.file,
  };
}

function statusOf(
  { status, snapshot }: Fold,
  { records, damage }: ReadRun,
  at: number,
  isHeld: boolean,
): RunEntry['status'] | null {
  if (at < records.length - 1) return status;
  if (damage !== null) return 'damaged';
  return status ?? openStatus(snapshot.matches('awaitingApproval'), isHeld);
}

/** Of the process that had the run last; null where it has no tool that runs commands, or nobody has said. */
function sandboxIn(records: readonly JournalRecord[]): RecordedSandbox | null {
  const last = records.findLast(({ type }) => type === 'run.started' || type === 'run.resumed');
  const settings = last && 'settings' in last ? last.settings : undefined;
  return (settings?.sandbox as RecordedSandbox | null | undefined) ?? null;
}

const sandboxText = ({ mode, confined_by: by, network }: RecordedSandbox): string => {
  if (by === null) return mode === 'off' ? 'off: commands run unconfined' : 'none: commands ask';
  return `${by}, ${network ? 'with' : 'without'} network`;
};

const NAME_WIDTH = 11;
const INDENT = `\n${' '.repeat(NAME_WIDTH)}`;
const NARROWEST_VALUE = 20;

/**
 * Texts are shortened where there is a terminal, and what pawl says is broken between words. Paths are whole, to be copied.
 * @param name what pawl calls the run. @param columns of the terminal; Infinity: nothing is shortened or broken
 */
export function stateText(state: RunState, name: string, columns: number): string {
  const { usage, origin, denials } = state;
  const room = Math.max(NARROWEST_VALUE, columns - NAME_WIDTH);
  const value = (text: string) => fitted(printableLine(text), room);
  const words = (...all: readonly string[]) => wrapped(all, room).replaceAll(/\n +/g, INDENT);
  const rows: (readonly [name: string, value: string, isThere?: boolean])[] = [
    ['run', value(state.run_id)],
    ['origin', words(value(String(origin?.run_id)), `at record ${origin?.seq}`), origin !== null],
    ['state', words(state.state, ...whereItStands(state, name))],
    ['task', value(state.task)],
    ['model', value(state.model)],
    ['workspace', printableLine(state.workspace)],
    ['sandbox', state.sandbox ? value(sandboxText(state.sandbox)) : '', state.sandbox !== null],
    ['started', state.started_at ?? ''],
    ['resumed', counted(state.resumes, 'time'), state.resumes > 0],
    [
      'turns',
      words(
        `${state.num_turns},`,
        `with ${counted(state.tool_calls, 'call')}`,
        ...(denials > 0 ? [`and ${counted(denials, 'denial')}`] : []),
      ),
    ],
    ['failure', value(state.failure ?? ''), state.failure !== null],
    [
      'tokens',
      words(
        figure(state.tokens),
        `(input ${figure(usage.input_tokens)},`,
        `cache write ${figure(usage.cache_write_tokens)},`,
        `cache read ${figure(usage.cache_read_tokens)},`,
        `output ${figure(usage.output_tokens)})`,
      ),
    ],
    ['cost', `$${state.cost_usd?.toFixed(4)}`, state.cost_usd !== null],
    [
      'perhaps',
      words(
        ...`up to ${counted(state.unsettled.tokens, 'token')} more for replies that broke off`.split(' '),
      ),
      state.unsettled.tokens > 0,
    ],
    [
      'check',
      words(
        ...(state.check ? [`${value(state.check.command)}:`] : []),
        `${state.verified === null ? 'not known' : state.verified ? 'passed' : 'failed'},`,
        `run ${counted(state.checks, 'time')}, ${counted(state.repairs, 'correction')}`,
      ),
      state.check !== null,
    ],
    ...state.open_calls.map(
      ({ id, name: tool, progress }) =>
        ['open call', words(value(shortName(tool)), value(`${shortName(id)}:`), progress)] as const,
    ),
    ['journal', printableLine(state.journal)],
    ['records', counted(state.records, 'record')],
    ['torn', words(...tornText(state.torn_bytes).split(' ')), state.torn_bytes > 0],
  ];
  const lines = rows
    .filter(([, , isThere = true]) => isThere)
    .map(([label, text]) => `${label.padEnd(NAME_WIDTH)}${text}\n`);
  const last = state.last_text === null ? '' : `\n${printable(state.last_text).trimEnd()}\n`;
  return lines.join('') + last;
}

const tornText = (bytes: number): string => `${bytes} bytes of an incomplete last record were left out`;

/** An earlier record is over; at the newest one it matters whether somebody goes on. */
function whereItStands(state: RunState, name: string): string[] {
  const { at, records, status, held_by: pid, damage, is_copy: isCopied } = state;
  if (at < records - 1) return [`(at record ${at} of ${records - 1})`];
  if (status !== null && isRunStatus(status)) return [];
  if (pid !== null) return [`(running, process ${pid})`];
  if (damage) return ['(the last one known)'];
  const waiting = state.open_calls.filter(({ progress }) => progress === 'waiting');
  const [only] = waiting;
  const run = printableLine(isCopied ? state.run_id : name);
  const call = only && waiting.length === 1 ? shortName(only.id) : 'CALL';
  const isWaiting = state.state.startsWith('awaitingApproval');
  if (isCopied) return ofCopy(run, call, isWaiting);
  if (isWaiting)
    return [
      ...['(suspended;', 'decide with:', typed('approve'), run, call],
      ...['or', typed('deny'), run, `${call})`],
    ];
  return ['(interrupted;', 'go on with:', typed('resume'), `${run})`];
}

/** What is done about it is done at the engine, and shows here once it is pulled again. */
const ofCopy = (run: string, call: string, isWaiting: boolean): string[] => [
  ...'(a copy of one that workers go on with;'.split(' '),
  ...(isWaiting
    ? [
        ...['decide with:', ...typedAtEngine('approve', `${run} ${call}`).split(' ')],
        ...['or', ...`${typedAtEngine('deny', `${run} ${call}`)};`.split(' ')],
      ]
    : []),
  'news:',
  typed('pull'),
  `${run})`,
];
