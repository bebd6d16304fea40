/**
 * Asks a person at the terminal about one call at a time. The terminal stays in its ordinary mode: it edits the line by
 * itself, and Ctrl-C stays a signal, which cancels the run.
 */
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalAnswer, Approver } from '../permissions/approver.ts';
import { nobody } from '../permissions/nobody.ts';
import { callInFull } from './call-in-full.ts';
import { printableLine } from './printable.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';

/** What was typed before the question stood on the screen is no answer to it. */
const DISCARD_MS = 50;

const DENIED = 'The person denied this call.';

/** @param input the terminal. Once it has ended (Ctrl-D), nobody can be asked any more. */
export function terminalApprover(input: Readable, screen: Screen, style: Style): Approver {
  return {
    async ask(request, signal) {
      await discardTyped(input);
      if (input.readableEnded) return nobody('with --yes').ask(request, signal);
      if (signal.aborted) return denied('');
      screen.line(`${style.yellow('?')} ${style.bold(printableLine(request.tool))} asks to run:`);
      screen.line(callInFull(request.input));
      const answer = await askLine(input, screen, '  Allow? [y]es / [n]o: ', signal);
      if (/^\s*(y|yes)\s*$/i.test(answer)) return { granted: true };
      return denied(await askLine(input, screen, '  Reason for the model (Enter for none): ', signal));
    },
  };
}

const denied = (reason: string): ApprovalAnswer => ({
  granted: false,
  reason:
    reason.trim() === ''
      ? `${DENIED} Do not repeat it: try another way, or say in your answer what is left undone.`
      : `${DENIED} Reason: ${reason.trim()}`,
});

async function discardTyped(input: Readable): Promise<void> {
  const discard = () => {};
  input.on('data', discard).resume();
  // An abort ends the question a moment later: nothing waits here for longer than a blink.
  await wait(DISCARD_MS);
  input.off('data', discard).pause();
}

/** One line of input; nothing where there is none any more, or where the question was called off. */
function askLine(input: Readable, screen: Screen, question: string, signal: AbortSignal): Promise<string> {
  if (signal.aborted || input.readableEnded) return Promise.resolve('');
  screen.prompt(question);
  const lines = readline.createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const close = () => lines.close();
    signal.addEventListener('abort', close, { once: true });
    lines.once('line', (line) => {
      screen.answered();
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      signal.removeEventListener('abort', close);
      resolve('');
    });
  });
}
