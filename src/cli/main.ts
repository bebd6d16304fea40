#!/usr/bin/env node
/**
 * The `pawl` command. This file and what it imports stay small: each command loads its own parts when it is called, so
 * that `pawl --help` costs no more than Node itself.
 */
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { defectLine, INTERNAL_EXIT_CODE, onStrayError, stackOf, watchStrayErrors } from './defects.ts';
import { printableLine } from './printable.ts';
import { buildProgram } from './program.ts';
import { leaveAtOnce } from './signals.ts';
import { flushed, watchOutputs } from './standard-output.ts';
import { typed } from './typed.ts';
import { UsageError } from './usage-error.ts';

const USAGE_EXIT_CODE = 2;
/** The longest that a timer takes. */
const LONGEST_DELAY_MS = 2_147_483_647;

/**
 * @param argv the words behind the program's name
 * @returns the exit code. The process is not ended from here: what was written to a pipe must arrive whole.
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
    if (error instanceof CommanderError) return await afterParsing(error, argv);
    if (error instanceof UsageError) return await refuse(error.message);
    if ((error as NodeJS.ErrnoException | undefined)?.syscall === 'uv_cwd')
      return await refuse('The current folder does not exist any more. Change to another one.');
    return reportDefect(error, argv.includes('--verbose'));
  }
}

/** Commander also throws when it has shown a help text or the version. */
async function afterParsing(error: CommanderError, argv: readonly string[]): Promise<number> {
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') return USAGE_EXIT_CODE;
  const [, problem = '', meant = ''] =
    /^(?:error: )?(.*?)(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
  const command = argv.find((word) => !word.startsWith('-')) ?? '';
  const remedy =
    error.code === 'commander.unknownCommand'
      ? `A task is given like this: ${typed('run')} "task". All commands: ${typed('--help')}`
      : `All options: ${typed(command)} --help`;
  return refuse([`${problem.replace(/\.$/, '')}.`, meant, remedy].join(' ').replace('  ', ' '));
}

function reportDefect(error: unknown, isVerbose: boolean): number {
  process.stderr.write(stackOf(error, isVerbose));
  return complain(defectLine(error), INTERNAL_EXIT_CODE);
}

/** Loads nothing: it is also for the case that nothing can be loaded any more. */
function complain(message: string, exitCode: number): number {
  process.stderr.write(`pawl: ${printableLine(message)}\n`);
  return exitCode;
}

/** The same, broken at words where a terminal would break anywhere. */
async function refuse(message: string): Promise<number> {
  const { tell } = await import('./tell.ts');
  tell(`pawl: ${printableLine(message)}`);
  return USAGE_EXIT_CODE;
}

/** Tool modules and scripts may leave timers, sockets and promises behind: a result that is out waits for none of them. */
async function start(argv: readonly string[]): Promise<never> {
  // Waiting for what never settles keeps no process alive by itself, and a run that vanished could not be cancelled.
  setInterval(() => {}, LONGEST_DELAY_MS);
  let lossCode = 0;
  watchOutputs((error) => {
    lossCode = complain(`standard output cannot be written: ${error.message}`, INTERNAL_EXIT_CODE);
  });
  // Until a run knows better: the process is in an unknown state and ends.
  onStrayError((error) => leaveAtOnce(reportDefect(error, argv.includes('--verbose'))));
  watchStrayErrors();
  const exitCode = await main(argv);
  await flushed();
  leaveAtOnce(exitCode || lossCode);
}

/** Through a link in a bin folder, or without its extension, it is still this file. */
function isStartedDirectly(): boolean {
  const [, script = ''] = process.argv;
  const self = fileURLToPath(import.meta.url);
  return [script, `${script}.js`].some((file) => existsSync(file) && realpathSync(file) === self);
}

if (isStartedDirectly()) await start(process.argv.slice(2));
