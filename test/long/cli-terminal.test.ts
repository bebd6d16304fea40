/** On a real terminal: questions, and the answer where the text was already seen. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place } from '../cli/support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const write = (path: string) => ({ name: 'write_file', input: { path, content: `${path}\n` } });
const ALLOW = 'Approve write_file? [y]es / [N]o / [a]lways / [s]top: ';
const REASON = 'Reason for the model (Enter for none): ';

describe('a person at the terminal', () => {
  it('is asked about one call after the other, and each answer counts for its own call', async () => {
    place.write('s.json', [
      { calls: [write('a.txt'), write('b.txt'), write('c.txt')] },
      { when: 'Reason: keep it', text: 'Understood.' },
    ]);
    const { code, shown } = await place.terminal(
      ['run', '--script', 's.json', 't'],
      [
        [ALLOW, 'n\n'],
        [REASON, 'keep it\n'],
        [ALLOW, 'y\n'],
        [ALLOW, '\n'],
        [REASON, '\n'],
      ],
    );
    expect(code).toBe(0);
    expect(shown.match(/ asks to run:/g)).toHaveLength(3);
    expect(['a.txt', 'b.txt', 'c.txt'].map((name) => place.has(name))).toEqual([false, true, false]);
  });

  it('stops the run at the question, which is no signal', async () => {
    place.write('s.json', [{ calls: [write('a.txt')] }]);
    const { code, shown } = await place.terminal(['run', '--script', 's.json', 't'], [[ALLOW, 's\n']]);
    expect(code).toBe(130);
    expect(shown).toContain('! Stopped at the question.');
    expect(shown).not.toContain('SIGINT');
    const { stdout } = await place.shell(
      'pawl log "$(ls $PAWL_HOME/runs/*.jsonl)"; pawl replay "$(ls $PAWL_HOME/runs/*.jsonl)"',
    );
    expect(stdout).toContain('cancelled at the question');
    expect(stdout).toMatch(/as (it was )?recorded|same/);
  });

  it('cancels the run with Ctrl-C at the question', async () => {
    place.write('s.json', [{ calls: [write('a.txt')] }]);
    const { code, shown } = await place.terminal(['run', '--script', 's.json', 't'], [[ALLOW, '\x03']]);
    expect(code).toBe(130);
    expect(shown).toContain('! Cancelled by SIGINT.');
    expect(place.has('a.txt')).toBe(false);
  });

  it('sees what comes behind a question on a line of its own, however it was answered', async () => {
    place.write('s.json', [{ calls: [write('a.txt')] }, { text: 'ok' }]);
    const cut = await place.terminal(['run', '--script', 's.json', 't'], [[ALLOW, 'y\x04\x04']]);
    const ended = await place.terminal(['run', '--script', 's.json', 't'], [[ALLOW, '\x04']]);
    for (const { code, shown } of [cut, ended]) {
      expect(code).toBe(0);
      const [, behind = ''] = shown.split(ALLOW);
      expect(behind).toMatch(/^y?\r\n/);
    }
    expect(ended.shown).toContain('The input has ended: nobody can be asked any more');
    expect(ended.shown).not.toContain('The person denied');
    expect(ended.shown).toContain('Denied: write_file needs an approval, and nobody can be asked');
  });

  it('sees the answer once, without control characters', async () => {
    place.write('s.json', [{ text: 'All \x1b[2Jdone.', delay_ms: 400 }]);
    const { code, shown } = await place.terminal(['run', '--script', 's.json', 't'], []);
    expect(code).toBe(0);
    expect(shown.split('All \\x1b[2Jdone.')).toHaveLength(2);
    expect(shown).toMatch(/asking\.requesting, 0\.\d s/);
    expect(shown).not.toContain('\x1b[2J');
  });
});
