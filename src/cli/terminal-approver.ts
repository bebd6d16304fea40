/**
 * Asks a person at the terminal about one call at a time. The terminal stays in its ordinary mode: it edits the line by
 * itself, and Ctrl-C stays a signal, which cancels the run.
 */
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AnsweredElsewhere, type ApprovalRequest, type Approver } from '../permissions/approver.ts';
import { deniedByPerson } from '../permissions/denial.ts';
import { nobody } from '../permissions/nobody.ts';
import { sessionSubject } from '../permissions/session.ts';
import { callToDecide } from './call-to-decide.ts';
import { counted, shortName, wrapped } from './format.ts';
import { printableLine } from './printable.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';

/** What was typed before the question stood on the screen is no answer to it. */
const DISCARD_MS = 50;

const MOST_QUESTIONS = 3;

/**
 * @param input the terminal. Once it has ended (Ctrl-D), nobody can be asked any more: that is said once, and no call is
 *   denied in the name of the person
 * @param howToAllow how calls can be allowed then
 */
export function terminalApprover(
  input: Readable,
  screen: Screen,
  style: Style,
  howToAllow = 'with --yes',
): Approver {
  // A terminal that is closed may fail instead of ending. Both are seen at the next question.
  input.on('error', () => {});
  let isEndTold = false;
  const tellEnd = () => {
    if (!isEndTold) screen.line(style.yellow(wrapped(INPUT_ENDED.split(' '), screen.columns)));
    isEndTold = true;
  };
  return {
    async ask(request, signal) {
      await discardTyped(input);
      const shown = await callToDecide(request, style, screen.columns);
      if (signal.aborted) return deniedByPerson('');
      const withNobody = () => {
        tellEnd();
        return nobody(howToAllow).ask(request, signal);
      };
      if (!input.readable) return withNobody();
      const tool = shortName(request.tool);
      screen.line(`${style.yellow('?')} ${style.bold(tool)} asks to run:`);
      screen.line(shown);
      screen.line(style.dim(wrapped(always(request).split(' '), screen.columns)));
      const say = (remark: string) => screen.line(wrapped(`  ${remark}`.split(' '), screen.columns));
      const line = (question: string) => askLine(input, screen, question, signal);
      const ask = () => line(`  Approve ${tool}? [y]es / [N]o / [a]lways / [s]top: `);
      switch (await decision(ask, say)) {
        case 'yes':
          return { granted: true };
        case 'always':
          return { granted: true, always: true };
        case 'stop':
          return 'stop';
        case 'no': {
          const reason = await line('  Reason for the model (Enter for none): ');
          if (reason === 'ended') tellEnd();
          return deniedByPerson(typeof reason === 'string' ? '' : reason.line);
        }
        case 'ended':
          return withNobody();
        case 'unclear':
        case 'called off':
          return deniedByPerson('');
      }
    },
  };
}

const INPUT_ENDED = '  The input has ended: nobody can be asked any more, so calls that ask are denied.';

const WORDS = ['yes', 'no', 'always', 'stop'] as const;

type Word = (typeof WORDS)[number];

/** What is none of the words is more likely a slip than a decision. */
async function decision(
  ask: () => Promise<Typed>,
  say: (remark: string) => void,
): Promise<Word | 'unclear' | 'ended' | 'called off'> {
  for (let left = MOST_QUESTIONS - 1; left >= 0; left -= 1) {
    const typed = await ask();
    if (typeof typed === 'string') return typed;
    const answer = typed.line.trim().toLowerCase();
    if (answer === '') return 'no';
    const word = WORDS.find((one) => answer === one || answer === one.charAt(0));
    if (word !== undefined) return word;
    if (left > 0) say(`Answer y, n, a or s. It is asked ${left === 1 ? 'once' : 'twice'} more.`);
  }
  say('No answer was clear, so it is a no.');
  return 'unclear';
}

/** The call is on the screen already. */
function always(request: ApprovalRequest): string {
  const { tool, behind = 0 } = request;
  const file = sessionSubject(request);
  const what =
    file === undefined ? 'this very call' : `further ${shortName(tool)} calls on ${printableLine(file)}`;
  const more =
    behind === 0 ? '' : ` ${counted(behind, 'more call')} ${behind === 1 ? 'asks' : 'ask'} behind it.`;
  return `  Always: ${what}, until pawl ends.${more}`;
}

async function discardTyped(input: Readable): Promise<void> {
  const discard = () => {};
  input.on('data', discard).resume();
  // An abort ends the question a moment later: nothing waits here for longer than a blink.
  await wait(DISCARD_MS);
  input.off('data', discard).pause();
}

/** What became of a question: a line, or none, since the input has ended or somebody else decided. */
type Typed = { readonly line: string } | 'ended' | 'called off';

function askLine(input: Readable, screen: Screen, question: string, signal: AbortSignal): Promise<Typed> {
  if (signal.aborted) return Promise.resolve('called off');
  if (!input.readable) return Promise.resolve('ended');
  screen.prompt(wrapped(question.split(' '), screen.columns));
  const lines = readline.createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    // At once, before anything else is told of the run: the question is the last line on the screen.
    const callOff = () => {
      if (signal.reason instanceof AnsweredElsewhere) screen.line(answeredElsewhere(signal.reason));
      resolve('called off');
      lines.close();
    };
    signal.addEventListener('abort', callOff, { once: true });
    lines.once('line', (line) => {
      // A line that the end of the input has cut short was not echoed with a line feed.
      if (!input.readableEnded) screen.answered();
      resolve({ line });
      lines.close();
    });
    lines.once('error', () => lines.close());
    lines.once('close', () => {
      signal.removeEventListener('abort', callOff);
      resolve('ended');
    });
  });
}

const answeredElsewhere = ({ answer }: AnsweredElsewhere): string =>
  `  Answered elsewhere: ${typeof answer === 'object' && answer.granted ? 'yes' : 'no'}.`;
