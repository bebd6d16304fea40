/** `pawl run --verify`: real files, a real check, a scripted model. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ending, RunPlace } from './resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
  place.write('app.py', 'def add(a, b):\n    return a - b\n');
  place.write('check.py', 'from app import add\nassert add(2, 3) == 5, f"expected 5, got {add(2, 3)}"\n');
});
afterEach(() => place.remove());

interface Checked extends Ending {
  readonly verified: boolean | null;
  readonly counters: { readonly checks: number; readonly repairs: number };
}

const edit = (old_string: string, new_string: string) => ({
  calls: [{ name: 'edit_file', input: { path: 'app.py', old_string, new_string } }],
});
const CLAIM = { text: 'It is mended.' };
const VERIFY = ['--yes', '--verify', 'PYTHONDONTWRITEBYTECODE=1 python3 check.py'];
const run = async (script: readonly object[], flags: readonly string[] = VERIFY) =>
  (await place.run(script, flags)) as Checked;

/** The check says that it has begun and then hangs. */
const HANGING = 'echo begun > begun; sleep 30';

describe('a check that fails', () => {
  it('goes back to the model with what it printed; the work is mended at the second try, and all of it can be read again', async () => {
    const ending = await run([
      CLAIM,
      { ...edit('a - b', 'a + b'), when: 'expected 5, got -1' },
      { text: 'Now it is.' },
    ]);
    expect(ending).toMatchObject({
      status: 'answered',
      exit_code: 0,
      result: 'Now it is.',
      verified: true,
      counters: { checks: 2, repairs: 1 },
    });
    expect(place.read('app.py')).toContain('a + b');
    const [show, log, replay] = await Promise.all([
      place.pawl(['show', ending.run_id]),
      place.pawl(['log', ending.run_id]),
      place.pawl(['replay', ending.run_id]),
    ]);
    expect(show.stdout).toMatch(/^state +answered$/m);
    expect(show.stdout).toMatch(/^check +.*check\.py: passed, run 2 times, 1 correction$/m);
    expect(log.stdout).toMatch(/check\.finished +check 1 failed/);
    expect(log.stdout).toMatch(/repair\.started +repair 1/);
    expect(replay).toMatchObject({ code: 0 });
  });

  it('to the last leaves the run unverified, with exit code 40, and the answer on standard output', async () => {
    place.write('s.json', [CLAIM, CLAIM]);
    const { code, stdout, stderr } = await place.pawl([
      ...['run', '--script', 's.json', '--max-repairs', '1', ...VERIFY, 'mend it'],
    ]);
    expect({ code, stdout }).toEqual({ code: 40, stdout: 'It is mended.\n' });
    expect(stderr).toContain('check failed (exit code 1');
    expect(stderr).toMatch(/error: The check failed to the last \(exit code 1\)/);
    expect(stderr).toMatch(/✗ unverified · 2 turns · 2 checks · .* exit code 40\n/);
    expect(stderr).toContain(`go on with: pawl resume ${place.ids[0]} --max-repairs +1`);
    // All corrections of the run are spent; one more is one more of the whole run.
    place.write('s.json', [CLAIM, CLAIM, CLAIM]);
    const more = await place.resumed('--last', '--yes', '--max-repairs', '+1');
    expect(more).toMatchObject({ status: 'unverified', num_turns: 3, counters: { checks: 4, repairs: 2 } });
    const runs = await place.pawl(['runs', '--status', 'unverified', '--json']);
    expect(JSON.parse(runs.stdout)).toMatchObject([{ run_id: place.ids[0], status: 'unverified' }]);
    // A person mends it: the check alone is wanted.
    place.write('app.py', 'def add(a, b):\n    return a + b\n');
    expect(await place.resumed(place.ids[0] ?? '', '--yes')).toMatchObject({
      status: 'answered',
      verified: true,
      num_turns: 3,
    });
  });

  it('by taking too long has failed like any other', async () => {
    const ending = await run(
      [CLAIM],
      [...['--yes', '--verify', 'echo started; sleep 30', '--verify-timeout', '300ms', '--max-repairs', '0']],
    );
    expect(ending).toMatchObject({ status: 'unverified', exit_code: 40, verified: false });
    expect(place.records().find(({ type }) => type === 'check.finished')).toMatchObject({
      exitCode: null,
      output: expect.stringContaining('timed out after 0.3 s'),
    });
  });
});

describe('while the check runs', () => {
  const begun = async () => {
    place.write('s.json', [CLAIM]);
    const started = place.start([
      ...['run', '--script', 's.json', '--output-format', 'json', '--yes', '--verify', HANGING, 'mend it'],
    ]);
    await place.until(() => place.has('begun'));
    return started;
  };

  it('a Ctrl-C ends the run in order, nothing of the check outlives it, and the check alone is made up for', async () => {
    const { child, finished } = await begun();
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'cancelled',
      verified: null,
      counters: { checks: 1 },
    });
    expect(place.types().slice(-2)).toEqual(['check.finished', 'run.ended']);
    expect(await place.resumed('--last', '--yes', '--verify', 'true')).toMatchObject({
      status: 'answered',
      verified: true,
      num_turns: 1,
    });
  });

  it('a crash loses nothing: the run is interrupted, and goes on with the check as it was recorded', async () => {
    const { child, finished } = await begun();
    child.kill('SIGKILL');
    await finished;
    const show = await place.pawl(['show', place.ids[0] ?? '']);
    expect(show.stdout).toMatch(/^state +verifying \(interrupted; go on with: pawl resume/m);
    const ending = await place.resumed('--last', '--yes', '--verify-timeout', '200ms', '--max-repairs', '0');
    expect(ending).toMatchObject({ status: 'unverified', verified: false, num_turns: 1 });
    expect(ending.stderr).toContain('The check is run, from its beginning.');
    expect(place.records().findLast(({ type }) => type === 'check.finished')).toHaveProperty(
      'command',
      HANGING,
    );
  });
});
