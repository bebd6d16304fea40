import { totalTokens } from '../../machines/turn.ts';
import type { RunOutcome } from '../outcome.ts';
import { counted, duration } from './format.ts';
import { printableLine } from './printable.ts';
import type { Style } from './style.ts';

/** The last lines on standard error: what went wrong, how it ended, where the journal is. */
export function closingLines(outcome: RunOutcome, isScripted: boolean, style: Style): string[] {
  const { status, exitCode, counters, usage, durationMs, journal, denials } = outcome;
  const figures = [
    counted(counters.turns, 'turn') + (counters.summaries > 0 ? ' and a summary' : ''),
    ...(counters.toolCalls > 0 ? [counted(counters.toolCalls, 'call')] : []),
    ...(denials.length > 0 ? [`${denials.length} denied`] : []),
    counted(totalTokens(usage), 'token'),
    duration(durationMs),
    ...(status === 'answered' ? [] : [`exit code ${exitCode}`]),
  ];
  const head = status === 'answered' ? style.green('✓ answered') : style.red(`✗ ${status}`);
  return [
    ...outcome.errors.map((error) => `${style.red('error:')} ${printableLine(error)}`),
    `${head}${style.dim(figures.map((figure) => ` · ${figure}`).join(''))}`,
    style.dim(journal === 'memory' || journal === null ? '  no journal' : `  journal ${journal}`),
    ...(denials.some(({ reason }) => reason.includes('--yes')) ? [style.yellow(ALLOW)] : []),
    ...(isScripted ? [style.dim(GO_LIVE)] : []),
  ];
}

const ALLOW =
  '  Calls were denied because nobody could be asked. Start it in a terminal, or allow all calls with --yes.';
const GO_LIVE = '  The model was scripted. Live: export ANTHROPIC_API_KEY=… and leave out --script.';
