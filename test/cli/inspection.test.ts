import http from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type InspectSettings, inspectSettings } from '../../src/cli/inspect-settings.ts';
import { startInspection } from '../../src/cli/inspection.ts';
import { hasScreen, tunnelHint } from '../../src/cli/open-page.ts';

describe('the settings of the page', () => {
  const TOOLS = ['bash'];

  it.each([
    [{}, null],
    [{ open: false }, null],
    [{ inspect: true }, { viewer: 'page', port: 0, opens: true, breakpoints: [] }],
    [
      { inspect: true, open: false, port: '8123' },
      { viewer: 'page', port: 8123, opens: false, breakpoints: [] },
    ],
    [
      { break: ['executing', 'tool:bash'] },
      { viewer: 'page', port: 0, opens: true, breakpoints: ['executing', 'tool:bash'] },
    ],
    [{ 'inspect=stately': true }, { viewer: 'stately', port: 8080, opens: false, breakpoints: [] }],
  ] as const)('of %j are %j', (flags, settings) => {
    expect(inspectSettings(flags, TOOLS)).toEqual(settings);
  });

  it.each([
    [{ break: ['tool:nothing'] }, '--break tool:nothing: the run has no tool "nothing"'],
    [{ break: ['asking->nowhere'] }, '--break asking->nowhere: there is no state "nowhere"'],
    [{ port: '80' }, '--port is that of the page. Add --inspect.'],
    [{ inspect: true, port: '70000' }, '--port must be at most 65535'],
    [{ inspect: true, port: 'x' }, '--port must be'],
    [{ 'inspect=stately': true, break: ['asking'] }, '--inspect=stately only shows a run'],
    [{ 'inspect=stately': true, inspect: true }, '--inspect=stately only shows a run'],
  ] as const)('cannot be %j', (flags, problem) => {
    expect(() => inspectSettings(flags, TOOLS)).toThrow(problem);
  });
});

describe('a screen', () => {
  it.each([
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{ WSL_DISTRO_NAME: 'Debian' }, 'linux', true],
    [{}, 'darwin', true],
    [{}, 'linux', false],
    [{ DISPLAY: '' }, 'linux', false],
    [{ DISPLAY: ':0', CI: 'true' }, 'linux', false],
    [{ DISPLAY: ':10', SSH_CONNECTION: '1 2 3 4' }, 'linux', false],
    [{ SSH_TTY: '/dev/pts/1' }, 'darwin', false],
  ] as const)('with %j on %s: %s', (env, platform, isThere) => {
    expect(hasScreen(env, platform)).toBe(isThere);
  });

  it('far away is reached through a tunnel with the same port on both ends', () => {
    expect(tunnelHint(8123, { SSH_CONNECTION: '1 2 3 4' })).toEqual([
      '  from your own machine: ssh -L 8123:127.0.0.1:8123 HOST',
    ]);
    expect(tunnelHint(8123, {})).toEqual([]);
  });
});

describe('where nothing can be listened on', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [[], 'The run goes on without its page: no more files.'],
    [['asking'], 'The run goes on with neither its page nor its breakpoints: no more files.'],
  ])('a run with the breakpoints %j goes on, and one line says so', async (breakpoints, line) => {
    vi.spyOn(http.Server.prototype, 'listen').mockImplementation(function (this: http.Server) {
      queueMicrotask(() => this.emit('error', new Error('no more files')));
      return this;
    });
    const settings: InspectSettings = { viewer: 'page', port: 0, opens: false, breakpoints };
    const told: string[] = [];
    const inspection = await startInspection({
      settings,
      toolNames: [],
      resumed: null,
      isEphemeral: true,
      terminal: null,
      cancel: () => {},
      tell: (text) => told.push(text),
    });
    expect(told).toEqual([line]);
    expect(inspection.gate).toBeUndefined();
    await inspection.close();
  });
});
