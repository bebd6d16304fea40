/** What is said once on standard output is not repeated on standard error; and what comes from elsewhere keeps the order. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textReporter } from '../../src/cli/text-reporter.ts';
import { bash } from '../cli/resumes.ts';
import { plain, recordingScreen } from '../cli/screen.ts';
import { Place } from '../cli/support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const ANSWER = 'This is the answer.';
const times = (text: string, part: string) => text.split(part).length - 1;

describe('an answer', () => {
  it.each([
    ['one file', '> f 2>&1; cat f', 1],
    ['a pipe', '2>&1 | cat', 1],
    ['two files', '2> e > f; cat e f', 1],
    ['standard output alone', '2> /dev/null', 1],
    ['standard error alone', '2>&1 > /dev/null', 0],
  ])('is written once where both outputs go to %s', async (_, where, wanted) => {
    place.write('s.json', [{ text: 'I look first.', ...bash('true') }, { text: ANSWER }]);
    const { stdout } = await place.shell(`pawl run --yes --script s.json t ${where}`);
    expect(times(stdout, ANSWER)).toBe(wanted);
    if (!where.includes('/dev/null')) expect(times(stdout, 'I look first.')).toBe(1);
  });

  it('that a check refuses is told where it was given, before what the check said', async () => {
    place.write('s.json', [{ text: 'A first answer.' }, { text: ANSWER }]);
    const check = 'test -e again || { touch again; exit 3; }';
    const { stdout } = await place.shell(`pawl run --yes --script s.json --verify '${check}' t 2>&1`);
    expect(stdout).toMatch(/A first answer\.\n[\s\S]*check failed \(exit code 3[\s\S]*check passed/);
    expect([times(stdout, 'A first answer.'), times(stdout, ANSWER)]).toEqual([1, 1]);
  });

  it('that its check refuses to the last is written once, too', async () => {
    place.write('s.json', [{ text: ANSWER }]);
    const { stdout } = await place.shell(
      'pawl run --yes --script s.json --verify false --max-repairs 0 t 2>&1',
    );
    expect(times(stdout, ANSWER)).toBe(1);
    expect(stdout).toContain('check failed (exit code 1');
  });

  it('that is none is told all the same', async () => {
    place.write('s.json', [{ text: 'I will not do', stop_reason: 'refusal' }]);
    const { stdout } = await place.shell('pawl run --yes --script s.json t 2>&1 > f; cat f');
    expect(times(stdout, 'I will not do')).toBe(1);
  });
});

it('a line from elsewhere stands behind the states that led to it', () => {
  const out = recordingScreen();
  const reporter = textReporter({ write: () => true }, out.screen, plain, {
    isScripted: false,
  });
  for (const state of ['asking.requesting', 'executing.running'])
    reporter.event({ type: 'transition', from: '', state, event: '', turn: 1 });
  reporter.say('  held before the call of bash');
  expect(out.written).toBe('  asking.requesting → executing.running\n  held before the call of bash\n');
});

it('a line from elsewhere breaks at a word', () => {
  const out = recordingScreen({ isTTY: true, columns: 30 });
  const reporter = textReporter({ write: () => true }, out.screen, plain, {
    isScripted: false,
  });
  reporter.say('  held before the call of bash (turn 1). Go on: pawl continue a-run');
  expect(out.written).toBe('  held before the call of bash\n    (turn 1). Go on: pawl\n    continue a-run\n');
});
