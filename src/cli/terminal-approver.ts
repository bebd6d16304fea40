/**
 * Asks a person at the terminal about one call at a time. The terminal stays in its ordinary mode: it edits the line by
 * itself, and Ctrl-C stays a signal, which cancels the run.
 */
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Approver } from '../permissions/approver.ts';
import { deniedByPerson } from '../permissions/denial.ts';
import { nobody } from '../permissions/nobody.ts';
import { sessionRule } from '../permissions/session.ts';
import { callToDecide } from './call-to-decide.ts';
import { printableLine } from './printable.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';

/** What was typed before the question stood on the screen is no answer to it. */
const DISCARD_MS = 50;

const MOST_QUESTIONS = 3;

/**
 * @param input the terminal. Once it has ended (Ctrl-D), nobody can be asked any more.
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
  return {
    async ask(request, signal) {
      await discardTyped(input);
      if (!input.readable) return nobody(howToAllow).ask(request, signal);
      if (signal.aborted) return deniedByPerson('');
      const tool = printableLine(request.tool);
      screen.line(`${style.yellow('?')} ${style.bold(tool)} asks to run:`);
      screen.line(await callToDecide(request, style));
      screen.line(style.dim(`  Always: ${printableLine(sessionRule(request))}, until pawl ends.`));
      const line = (question: string) => askLine(input, screen, question, signal);
      switch (await decision(() => line(`  Allow ${tool}? [y]es / [N]o / [a]lways / [s]top: `))) {
        case 'yes':
          return { granted: true };
        case 'always':
          return { granted: true, always: true };
        case 'stop':
          return 'stop';
        case 'no':
          return deniedByPerson(await line('  Reason for the model (Enter for none): '));
        case 'unclear':
          screen.line('  No answer was clear, so it is a no.');
          return deniedByPerson('');
      }
    },
  };
}

const WORDS = ['yes', 'no', 'always', 'stop'] as const;

/** What is none of the words is more likely a slip than a decision. */
async function decision(ask: () => Promise<string>): Promise<(typeof WORDS)[number] | 'unclear'> {
  for (let time = 0; time < MOST_QUESTIONS; time += 1) {
    const answer = (await ask()).trim().toLowerCase();
    if (answer === '') return 'no';
    const word = WORDS.find((one) => answer === one || answer === one.charAt(0));
    if (word !== undefined) return word;
  }
  return 'unclear';
}

async function discardTyped(input: Readable): Promise<void> {
  const discard = () => {};
  input.on('data', discard).resume();
  // An abort ends the question a moment later: nothing waits here for longer than a blink.
  await wait(DISCARD_MS);
  input.off('data', discard).pause();
}

/** One line of input; an empty one where there is none any more, or where the question was called off. */
function askLine(input: Readable, screen: Screen, question: string, signal: AbortSignal): Promise<string> {
  if (signal.aborted || !input.readable) return Promise.resolve('');
  screen.prompt(question);
  const lines = readline.createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const close = () => lines.close();
    signal.addEventListener('abort', close, { once: true });
    lines.once('line', (line) => {
      // A line that the end of the input has cut short was not echoed with a line feed.
      if (!input.readableEnded) screen.answered();
      resolve(line);
      lines.close();
    });
    lines.once('error', close);
    lines.once('close', () => {
      signal.removeEventListener('abort', close);
      resolve('');
    });
  });
}
