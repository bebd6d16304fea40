/** `pawl run`: settings, then the run itself, then what it came to. */
import { run } from '../../run.ts';
import { announcing } from '../announcing.ts';
import { conduct } from '../conduct.ts';
import type { RunFlags } from '../run-flags.ts';
import { resolveSettings } from '../settings.ts';
import { keepForAnswer } from '../standard-output.ts';

/** @returns the exit code. @throws UsageError before anything was created; whatever else it throws is a defect */
export async function runCommand(words: readonly string[], flags: RunFlags): Promise<number> {
  keepForAnswer();
  const { env, stdin } = process;
  const folder = process.cwd();
  const { options, how, notices } = await resolveSettings(words, flags, { folder, env, input: stdin });
  return conduct(how, (surroundings) =>
    run({ ...options, ...surroundings, onEvent: announcing(notices, surroundings.onEvent) }),
  );
}
