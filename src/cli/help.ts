import type { Command } from 'commander';
import { asTyped } from './typed.ts';

export interface JsonFlag {
  readonly json?: true;
}

export const withVerbose = (command: Command): Command =>
  command.option('--verbose', 'show the stack of an internal error');

/** Of a terminal as people have it. */
const COLUMNS = 80;

/** Remarks stand beside the commands, or, where that would be too wide, below them. */
export function examples(...given: readonly (readonly [command: string, remark?: string])[]): string {
  const lines = given.map(([command, remark = '']) => [asTyped(command), asTyped(remark)] as const);
  const width = Math.max(...lines.map(([command]) => command.length));
  const isBeside = lines.every(([, remark]) => `  ${''.padEnd(width)}   ${remark}`.length <= COLUMNS);
  const shown = lines.map(([command, remark]) => {
    if (remark === '') return `  ${command}`;
    return isBeside ? `  ${command.padEnd(width)}   ${remark}` : `  ${command}\n      ${remark}`;
  });
  return `\nExamples:\n${shown.join('\n')}`;
}

/** A flag that may be given more than once. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** By which a command is about runs of an engine. */
export const withRestate = (command: Command): Command =>
  withRestateAdmin(
    command.option('--restate <url>', 'runs of this Restate server, and not those of this machine'),
  );

export const withRestateAdmin = (command: Command): Command =>
  command.option(
    '--restate-admin <url>',
    'its admin address (else the same host, port 9070; PAWL_RESTATE_ADMIN for the server that PAWL_RESTATE names)',
  );

/** In place of the name of a run. */
export const LAST = ['--last', 'the newest run'] as const;
