import { END_STATUSES, exitCodeOf, OTHER_EXIT_CODES } from '../../../machines/status.ts';
import { hung } from '../format.ts';
import { outputColumns } from '../log-lines.ts';

/** Every exit code there is, in order of the code. A status of two signals has two. */
export function exitCodes() {
  const ended = Object.entries({ ...END_STATUSES, ...OTHER_EXIT_CODES }).map(
    ([status, { exitCode, meaning }]) => ({
      exit_code: exitCode as number,
      status,
      meaning: meaning as string,
    }),
  );
  const terminated = {
    exit_code: exitCodeOf('cancelled', 'SIGTERM'),
    status: 'cancelled',
    meaning: END_STATUSES.cancelled.meaning,
  };
  return [...ended, terminated].sort((a, b) => a.exit_code - b.exit_code);
}

export function exitCodesCommand(asJson: boolean): number {
  const codes = exitCodes();
  const width = Math.max(...codes.map(({ status }) => status.length));
  process.stdout.write(
    asJson
      ? `${JSON.stringify(codes, null, 2)}\n`
      : codes
          .map(({ exit_code, status, meaning }) => {
            const head = `${String(exit_code).padStart(3)}  ${status.padEnd(width)}  `;
            return `${hung(head, meaning, outputColumns())}\n`;
          })
          .join(''),
  );
  return 0;
}
