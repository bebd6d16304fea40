import { totalTokens } from '../../machines/reply.ts';
import { BY_ANSWERING } from '../permissions/nobody.ts';
import { cost, counted, duration, hint, shortened, wrapped } from './format.ts';
import { printableLine } from './printable.ts';
import type { Ended } from './reporter.ts';
import type { Style } from './style.ts';
import { typed } from './typed.ts';

/** What is told may hold what a model or a server said, at any length. */
const LONGEST_ERROR = 2_000;

export interface ClosingFacts {
  readonly isScripted: boolean;
  /** How many calls were denied before this process: they count, and nothing is advised about them. */
  readonly earlierDenials?: number;
  /** Address of the engine that has the run. */
  readonly engine?: string;
}

/**
 * The last lines on standard error: what went wrong, how it ended, where the journal is.
 * @param columns where a terminal breaks lines, else Infinity
 */
export function closingLines(
  outcome: Ended,
  { isScripted, engine, earlierDenials = 0 }: ClosingFacts,
  style: Style,
  columns: number,
): string[] {
  const { status, exitCode, counters, usage, costUsd, durationMs, journal, denials } = outcome;
  const figures = [
    counted(counters.turns, 'turn') + (hasSummary(outcome) ? ' and a summary' : ''),
    ...(counters.toolCalls > 0 ? [counted(counters.toolCalls, 'call')] : []),
    ...(outcome.checks > 0 ? [counted(outcome.checks, 'check')] : []),
    ...(denials.length > 0 ? [`${denials.length} denied`] : []),
    counted(totalTokens(usage), 'token'),
    ...(costUsd !== null && totalTokens(usage) > 0 ? [cost(costUsd)] : []),
    ...unsettledFigures(outcome),
    duration(durationMs),
    ...(exitCode === 0 ? [] : [`exit code ${exitCode}`]),
  ];
  const verified = outcome.verified ? ', verified' : '';
  const mark = `${status === 'answered' ? '✓' : status === 'suspended' ? '?' : '✗'} ${status}${verified}`;
  const paint = status === 'answered' ? style.green : status === 'suspended' ? style.yellow : style.red;
  const end = wrapped([mark, ...figures.map((figure) => `· ${figure}`)], columns);
  const wrap = (text: string) => wrapped(text.split(' '), columns);
  return [
    ...outcome.errors.map((error) => errorLine(error, style, wrap)),
    `${paint(mark)}${style.dim(end.slice(mark.length))}`,
    style.dim(wrapped(placeOfJournal(outcome, engine), columns)),
    ...(status === 'journal_error' && outcome.messages.length === 0 && engine === undefined
      ? [style.yellow(wrap(`  ${OTHER_STATE_FOLDER}`))]
      : []),
    ...(journal === 'memory' || journal === null ? [] : goOnLines(outcome, style, columns)),
    ...[['--yes', ALLOW] as const, [BY_ANSWERING, ANSWER] as const]
      .filter(([remedy]) => denials.slice(earlierDenials).some(({ reason }) => reason.includes(remedy)))
      .map(([, advice]) => style.yellow(wrap(advice(engine)))),
    ...(isScripted ? [style.dim(wrap(GO_LIVE))] : []),
  ];
}

/** Where a journal cannot even be begun. */
export const OTHER_STATE_FOLDER = 'Set PAWL_HOME to a folder that you can write to, or run with --ephemeral.';

function placeOfJournal({ journal, runId }: Ended, engine: string | undefined): string[] {
  if (engine !== undefined)
    return ['  journal at the engine; to read it:', `${typed('pull')} ${runId} --restate ${engine}`];
  return journal === 'memory' || journal === null ? ['  no journal'] : ['  journal', journal];
}

/** What a budget has kept back for requests whose end nobody heard. */
function unsettledFigures({ unsettled: { tokens, costUsd } }: Ended): string[] {
  if (tokens === 0) return [];
  return [`up to ${costUsd > 0 ? cost(costUsd) : counted(tokens, 'token')} more for replies that broke off`];
}

/** Whether one was given: what was asked for may have been refused, or have been a call again. */
const hasSummary = ({ counters, result, errors }: Ended): boolean =>
  counters.summaries > 0 && result !== null && errors.length === 0;

/** How the run is gone on with, where that is of use: not after an answer, nor where it would end at once. */
const GO_ON: Partial<Record<Ended['status'], string>> = {
  max_turns: ' --max-turns +20',
  token_budget: ' --token-budget +100000',
  cost_budget: ' --max-budget-usd +1',
  max_tool_calls: ' --max-tool-calls +20',
  time_limit: '',
  stuck: ' "…"',
  refused: ' "…"',
  truncated: ' --max-output-tokens +16000',
  model_stopped: '',
  protocol_error: '',
  model_error: '',
  cancelled: '',
  unverified: ' --max-repairs +1',
  internal_error: '',
};

function goOnLines({ status, runId, messages }: Ended, style: Style, columns: number): string[] {
  const resume = (label: string, flags: string) =>
    style.dim(hint(label, [typed('resume'), ...`${runId}${flags}`.split(' ')], columns));
  // Without a message there is no header either, and nothing that could be gone on with.
  if (status === 'journal_error') return messages.length > 0 ? [resume('once that is mended', '')] : [];
  const flags = GO_ON[status];
  return flags === undefined ? [] : [resume('go on with', flags)];
}

function errorLine(error: string, style: Style, wrap: (text: string) => string): string {
  const mark = 'error:';
  const said = shortened(printableLine(error), LONGEST_ERROR);
  return `${style.red(mark)}${wrap(`${mark} ${said}`).slice(mark.length)}`;
}

/** At an engine calls wait, if nothing else is said. */
const toWait = (engine: string): string =>
  `leave out --on-ask deny, and they wait for ${typed('approve')} RUN CALL --restate ${engine}`;

const ALLOW = (engine?: string): string =>
  `  Calls were denied because nobody could be asked. ${
    engine === undefined
      ? 'Start it in a terminal, allow all calls with --yes, or let them wait for an answer with --on-ask suspend.'
      : `Allow all calls with --yes, or ${toWait(engine)}`
  }`;
const ANSWER = (engine?: string): string =>
  `  Calls were denied that ask whatever else is allowed, and nobody could be asked. ${
    engine === undefined
      ? 'Start it in a terminal, let them wait for an answer with --on-ask suspend, or change the rule that asks.'
      : `Change the rule that asks, or ${toWait(engine)}`
  }`;
const GO_LIVE = '  The model was scripted. Live: export ANTHROPIC_API_KEY=… and leave out --script.';
