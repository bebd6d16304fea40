#!/usr/bin/env node
/**
 * The `pawl` command. This file and what it imports stay small: each command loads its own parts when it is called, so
 * that `pawl --help` costs no more than Node itself.
 */
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { printable, printableLine } from './printable.ts';
import { buildProgram } from './program.ts';
import { leaveAtOnce } from './signals.ts';
import { UsageError } from './usage-error.ts';

const USAGE_EXIT_CODE = 2;
const INTERNAL_EXIT_CODE = 1;

/**
 * @param argv the words behind the program's name
 * @returns the exit code. The process is never ended from here: what was written to a pipe must arrive whole.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return afterParsing(error, argv);
    if (error instanceof UsageError) return complain(error.message, USAGE_EXIT_CODE);
    return reportDefect(error, argv.includes('--verbose'));
  }
}

/** Commander also throws when it has shown a help text or the version. */
function afterParsing(error: CommanderError, argv: readonly string[]): number {
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') return USAGE_EXIT_CODE;
  const [, problem = '', meant = ''] =
    /^(?:error: )?(.*?)(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
  const command = argv.find((word) => !word.startsWith('-')) ?? '';
  const remedy =
    error.code === 'commander.unknownCommand'
      ? 'A task is given like this: pawl run "task". All commands: pawl --help'
      : `All options: pawl ${command} --help`;
  return complain(
    [`${problem.replace(/\.$/, '')}.`, meant, remedy].join(' ').replace('  ', ' '),
    USAGE_EXIT_CODE,
  );
}

function reportDefect(error: unknown, isVerbose: boolean): number {
  if (isVerbose && error instanceof Error) process.stderr.write(`${printable(error.stack ?? '')}\n`);
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
  return complain(`internal error: ${line} (run with --verbose for the stack)`, INTERNAL_EXIT_CODE);
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`pawl: ${printableLine(message)}\n`);
  return exitCode;
}

/**
 * A reader that has seen enough (`| head`) is no error. What else keeps the answer from being written is one; where the
 * same happens to standard error, there is no place left to tell it.
 */
function watchOutputs(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    leaveAtOnce(complain(`standard output cannot be written: ${error.message}`, INTERNAL_EXIT_CODE));
  });
}

/** What no promise carries back to `main`: the process is in an unknown state and ends at once. */
function reportStrayErrors(argv: readonly string[]): void {
  process.on('uncaughtException', (error) => {
    leaveAtOnce(reportDefect(error, argv.includes('--verbose')));
  });
}

/** Through a link in a bin folder, or without its extension, it is still this file. */
function isStartedDirectly(): boolean {
  const [, script = ''] = process.argv;
  const self = fileURLToPath(import.meta.url);
  return [script, `${script}.js`].some((file) => existsSync(file) && realpathSync(file) === self);
}

if (isStartedDirectly()) {
  const argv = process.argv.slice(2);
  watchOutputs();
  reportStrayErrors(argv);
  process.exitCode = await main(argv);
}
