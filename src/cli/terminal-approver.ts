/**
 * Asks a person at the terminal about one call at a time. The terminal stays in its ordinary mode: it edits the line by
 * itself, and Ctrl-C stays a signal, which cancels the run.
 */
import readline from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalAnswer, Approver } from '../permissions/approver.ts';
import { callInFull } from './call-in-full.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';

/** What was typed before the question stood on the screen is no answer to it. */
const DISCARD_MS = 50;

const DENIED = 'The person denied this call.';

export function terminalApprover(input: NodeJS.ReadableStream, screen: Screen, style: Style): Approver {
  return {
    async ask({ tool, input: argument }, signal) {
      await discardTyped(input, signal);
      screen.line(`${style.yellow('?')} ${style.bold(`Run ${tool}?`)}`);
      screen.line(callInFull(argument));
      const answer = await askLine(input, screen, '  Allow? [y]es / [n]o: ', signal);
      if (/^\s*(y|yes)\s*$/i.test(answer ?? '')) return { granted: true };
      if (answer === undefined) return denied('');
      return denied((await askLine(input, screen, '  Reason for the model (Enter for none): ', signal)) ?? '');
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

async function discardTyped(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  const discard = () => {};
  input.on('data', discard).resume();
  await delay(DISCARD_MS, undefined, { signal }).catch(() => {});
  input.off('data', discard).pause();
}

/** One line of input; undefined where there is none any more, or where the question was called off. */
function askLine(
  input: NodeJS.ReadableStream,
  screen: Screen,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
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
      resolve(undefined);
    });
  });
}
