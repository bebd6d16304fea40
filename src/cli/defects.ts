/** Errors that nobody expected, in words for people; and those of them that no promise carries back to its caller. */
import { inspect } from 'node:util';
import { printable, printableLine } from './printable.ts';

export const INTERNAL_EXIT_CODE = 1;

/** One line. Anything may be thrown, also what has no form as a text. */
export function defectLine(error: unknown): string {
  const message = error instanceof Error ? String(error.message) : asText(error);
  const [line = ''] = message.split('\n');
  return `internal error: ${printableLine(line)} (run with --verbose for the stack)`;
}

/** @returns where the error arose, for standard error; nothing where the person did not ask for it */
export const stackOf = (error: unknown, isVerbose: boolean): string =>
  isVerbose && error instanceof Error ? `${printable(String(error.stack))}\n` : '';

const asText = (error: unknown): string => (typeof error === 'string' ? error : inspect(error));

type Listener = (error: unknown) => void;

let current: Listener = () => {};

/**
 * Who is told of an error that was thrown in a timer or rejected with nobody waiting, from now on. Most of them come
 * from tool modules and scripts.
 */
export function onStrayError(listener: Listener): void {
  current = listener;
}

/** Called once: without it such an error would end the process with a stack trace. */
export function watchStrayErrors(): void {
  process.on('uncaughtException', (error) => current(error));
}
