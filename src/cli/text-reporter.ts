import { type AssistantMessage, textOf } from '../../machines/protocol.ts';
import { digestReply, entersHistory } from '../../machines/reply.ts';
import type { JournalRecord } from '../journal/record.ts';
import { answerOf, withLineEnd } from './answer.ts';
import { printable } from './printable.ts';
import { Progress } from './progress.ts';
import { type ClosingFacts, closingLines } from './report.ts';
import type { Reporter } from './reporter.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';

/** A run that another process began. */
export interface ResumedRun {
  readonly runId: string;
  readonly records: readonly JournalRecord[];
}

/** Calls that were denied before this process; advice on them would come too late. */
const denialsIn = (records: readonly JournalRecord[]): number =>
  records.reduce(
    (sum, record) =>
      sum +
      (record.type === 'approval.denied' ? 1 : 0) +
      (record.type === 'calls.reviewed'
        ? record.verdicts.filter((one) => one.verdict === 'refuse' && one.denied).length
        : 0),
    0,
  );

/** For people: the answer alone on standard output, everything else on standard error. */
export function textReporter(
  output: { readonly isTTY?: boolean; write(text: string): boolean },
  screen: Screen,
  style: Style,
  facts: ClosingFacts,
  resumed?: ResumedRun,
): Reporter {
  const progress = new Progress(screen, style, resumed?.runId, screen.isTerminal ? 'as it comes' : 'whole');
  if (resumed) progress.recall(resumed.records);
  const earlier = denialsIn(resumed?.records ?? []);
  return {
    event: (event) => progress.event(event),
    say: (line) => progress.say(line),
    end(outcome) {
      const answer = answerOf(outcome);
      progress.close(answer);
      const isOnScreen = output.isTTY === true && screen.isTerminal && progress.shownText === answer;
      if (answer !== null && !isOnScreen)
        output.write(withLineEnd(output.isTTY ? printable(answer) : answer));
      for (const line of closingLines(outcome, { ...facts, earlierDenials: earlier }, style, screen.columns))
        screen.line(line);
    },
    broken: () => progress.close(null),
  };
}

/** A reply with a text that the model will not have said. */
const isVoid = (message: AssistantMessage): boolean =>
  textOf(message.content) !== '' && !entersHistory(digestReply(message).kind);

/** The same with every text of the model on standard output as it comes; what turns out to be void is called so there. */
export function streamedReporter(
  output: { write(text: string): boolean },
  screen: Screen,
  style: Style,
  facts: ClosingFacts,
  resumed?: ResumedRun,
): Reporter {
  const progress = new Progress(screen, style, resumed?.runId, 'never');
  if (resumed) progress.recall(resumed.records);
  const earlier = denialsIn(resumed?.records ?? []);
  let isLineOpen = false;
  /** Whether what was written last is no part of the history: it is called void where another reply comes in its place. */
  let isLeftOut = false;
  const write = (text: string) => {
    output.write(text);
    isLineOpen = !text.endsWith('\n');
  };
  const endLine = () => {
    if (isLineOpen) write('\n');
  };
  return {
    event(event) {
      if (event.type === 'text') {
        if (isLeftOut) write('[void: the reply was cut or refused; what follows takes its place]\n');
        isLeftOut = false;
        return write(event.text);
      }
      if (event.type === 'record' && event.record.type === 'reply.received')
        isLeftOut = isVoid(event.record.message);
      if (event.type === 'text.withdrawn' && isLineOpen)
        return write('\n[void: the request failed in the middle; what follows takes its place]\n');
      endLine();
      progress.event(event);
    },
    say(line) {
      endLine();
      progress.say(line);
    },
    end(outcome) {
      endLine();
      progress.close(null);
      for (const line of closingLines(outcome, { ...facts, earlierDenials: earlier }, style, screen.columns))
        screen.line(line);
    },
    broken() {
      endLine();
      progress.close(null);
    },
  };
}
