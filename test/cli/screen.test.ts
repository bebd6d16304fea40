import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasColours, styleOf } from '../../src/cli/style.ts';
import { recordingScreen } from './screen.ts';

describe('the screen', () => {
  it('starts a line of its own behind running text', () => {
    const out = recordingScreen();
    out.screen.text('half a ');
    out.screen.text('sentence');
    out.screen.line('a line');
    out.screen.text('end');
    out.screen.close();
    expect(out.written).toBe('half a sentence\na line\nend\n');
  });

  it('shows on a terminal what is being waited for, and takes it away before anything else is written', async () => {
    const out = recordingScreen({ isTTY: true, columns: 40 });
    out.screen.wait('asking.requesting');
    await wait(350);
    expect(out.written).toMatch(/\r\x1b\[K. asking\.requesting, 0\.\d s$/);
    out.screen.line('done');
    expect(out.written).toMatch(/ s\r\x1b\[Kdone\n$/);
    out.screen.close();
  });

  it('lets nothing move while a person types', async () => {
    const out = recordingScreen({ isTTY: true, columns: 40 });
    out.screen.wait('executing');
    out.screen.prompt('Allow? ');
    await wait(250);
    expect(out.written).toBe('Allow? ');
    out.screen.answered();
    out.screen.line('next');
    expect(out.written).toBe('Allow? next\n');
  });

  it('never moves where there is no terminal', async () => {
    const out = recordingScreen();
    out.screen.wait('asking.requesting');
    await wait(250);
    out.screen.close();
    expect(out.written).toBe('');
  });
});

describe('colours', () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: false }, {}, false],
    [{}, {}, false],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { NO_COLOR: '' }, true],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
    [{ isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('for %j with %j: %j', (stream, env, expected) => {
    expect(hasColours(stream, env)).toBe(expected);
  });

  it('leave the text as it is where they are off', () => {
    expect(styleOf(false).red('x')).toBe('x');
    expect(styleOf(true).red('x')).toBe('\x1b[31mx\x1b[39m');
  });
});
