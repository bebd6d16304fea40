import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolOutput } from '../../src/tools/tool.ts';
import { deferred } from '../helpers/job-scope.ts';
import { toolOf, toolStage } from './tool-stage.ts';

const forEver = () => new Promise<ToolOutput>(() => {});
const LAST = { type: 'calls.finished', turn: 1 };
afterEach(() => {
  vi.useRealTimers();
});

describe('told to stop', () => {
  it('the running tool is told, its outcome is recorded, and nothing more begins', async () => {
    const begun = deferred();
    const ran: string[] = [];
    const write = toolOf('write', (word, { signal }) => {
      ran.push(word);
      begun.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped half way')));
    });
    const guarded = toolOf('guarded', () => 'ok', {
      precondition: () => {
        ran.push('precondition');
        return undefined;
      },
    });
    const { run, stop, outcomes, events } = toolStage(
      [write, guarded],
      [{ name: 'write' }, { name: 'guarded' }],
    );
    const running = run();
    await begun.promise;
    stop();
    await running;
    expect(ran).toEqual(['1']);
    expect(outcomes()).toEqual([{ callId: '1', content: 'stopped half way', isError: false }]);
    expect(events.at(-1)).toEqual(LAST);
  });

  it.each(['resolves', 'rejects'])(
    'at a gate that %s then, the tool does not run and nothing is recorded',
    async (how) => {
      const atGate = deferred();
      const gate = {
        cross: (_: unknown, signal: AbortSignal) => {
          atGate.resolve();
          return new Promise<void>((resolve, reject) =>
            signal.addEventListener('abort', () => (how === 'resolves' ? resolve() : reject(signal.reason))),
          );
        },
      };
      const { run, stop, written, events } = toolStage(
        [toolOf('write', () => 'ok')],
        [{ name: 'write' }],
        gate,
      );
      const running = run();
      await atGate.promise;
      stop();
      await running;
      expect(written()).toEqual([]);
      expect(events).toEqual([LAST]);
    },
  );

  it('while its intent is being saved, the tool does not run, and its outcome says so', async () => {
    let runs = 0;
    const write = toolOf('write', () => {
      runs += 1;
      return 'ok';
    });
    const { run, stop, log, outcomes, events } = toolStage([write], [{ name: 'write' }]);
    const save = log.save.bind(log);
    log.save = async (body) => {
      if (body.type === 'tool.started') stop();
      await save(body);
    };
    await run();
    expect(runs).toBe(0);
    expect(outcomes()).toEqual([
      { callId: '1', content: 'Not executed: the run was stopped right before it.', isError: true },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['tool.started', 'tool.finished', 'calls.finished']);
  });

  it('a tool that ignores it is left behind after five seconds, with its outcome unknown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun = deferred();
    const deaf = toolOf('deaf', () => {
      begun.resolve();
      return forEver();
    });
    const { run, stop, outcomes, events } = toolStage([deaf], [{ name: 'deaf' }]);
    const running = run();
    await begun.promise;
    stop();
    vi.advanceTimersByTime(4_999);
    await nextTurn();
    expect(outcomes()).toEqual([]);
    vi.advanceTimersByTime(1);
    await running;
    expect(outcomes()).toEqual([
      { callId: '1', content: expect.stringContaining('its outcome is unknown'), isError: true },
    ]);
    expect(events.at(-1)).toEqual(LAST);
  });

  it('a tool that stops the run itself and then ignores it is left behind, too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun = deferred();
    const deaf = toolOf('deaf', () => {
      stage.stop();
      begun.resolve();
      return forEver();
    });
    const stage = toolStage([deaf], [{ name: 'deaf' }]);
    const running = stage.run();
    await begun.promise;
    await nextTurn();
    vi.advanceTimersByTime(5_000);
    await running;
    expect(stage.outcomes()).toMatchObject([{ callId: '1', isError: true }]);
  });

  it('a precondition that never ends is not waited for either, and its tool does not run', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const precondition = () => new Promise<undefined>(() => {});
    const { run, stop, written } = toolStage(
      [toolOf('write', () => 'ok', { precondition })],
      [{ name: 'write' }],
    );
    const running = run();
    await nextTurn();
    stop();
    vi.advanceTimersByTime(5_000);
    await running;
    expect(written()).toEqual([]);
  });

  it('leaves no timer behind where the tool ends in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun = deferred();
    const write = toolOf('write', (_, { signal }) => {
      begun.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
    });
    const { run, stop } = toolStage([write], [{ name: 'write' }]);
    const running = run();
    await begun.promise;
    stop();
    expect(vi.getTimerCount()).toBe(1);
    await running;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('after an interruption', () => {
  it('a call with effects that was started is not repeated: its outcome is unknown', async () => {
    let runs = 0;
    const write = toolOf('write', () => {
      runs += 1;
      return 'ok';
    });
    const { run, written } = toolStage([write], [{ name: 'write', progress: 'started' }, { name: 'write' }]);
    await run();
    expect(runs).toBe(1);
    expect(written()).toMatchObject([
      {
        type: 'tool.finished',
        callId: '1',
        content: expect.stringContaining('outcome is unknown'),
        isError: true,
      },
      { type: 'tool.started', callId: '2' },
      { type: 'tool.finished', callId: '2', content: 'ok' },
    ]);
  });

  it('is judged by the effect that was recorded, not by what the tool says now', async () => {
    const harmless = toolOf('write', () => 'ok', { effect: 'read' });
    const { run, outcomes } = toolStage(
      [harmless],
      [{ name: 'write', progress: 'started', effect: 'effectful' }],
    );
    await run();
    expect(outcomes()).toMatchObject([{ content: expect.stringContaining('outcome is unknown') }]);
  });

  it.each(['read', 'idempotent'] as const)('a call that is %s is repeated', async (effect) => {
    const again = toolOf('again', () => 'ok', { effect });
    const { run, outcomes } = toolStage([again], [{ name: 'again', progress: 'started' }]);
    await run();
    expect(outcomes()).toEqual([{ callId: '1', content: 'ok', isError: false }]);
  });

  describe('a call that could be repeated, and is not, may have happened: its result says so', () => {
    const UNKNOWN = /^This call was started before the run was interrupted, and its outcome is unknown/;
    const again = (precondition?: () => string | undefined) =>
      toolOf('again', () => 'ok', { effect: 'idempotent', ...(precondition && { precondition }) });

    it('where the run is stopped right before it', async () => {
      const { run, stop, log, outcomes, events } = toolStage(
        [again()],
        [{ name: 'again', progress: 'started' }],
      );
      const save = log.save.bind(log);
      log.save = async (body) => {
        if (body.type === 'tool.started') stop();
        await save(body);
      };
      await run();
      expect(outcomes()).toEqual([{ callId: '1', content: expect.stringMatching(UNKNOWN), isError: true }]);
      expect(events.map(({ type }) => type)).toEqual(['tool.started', 'tool.finished', 'calls.finished']);
    });

    it.each<[string, () => string | undefined, string]>([
      [
        'fails',
        () => {
          throw new Error('no such rule');
        },
        'It was not repeated: the rule that guards this tool failed (no such rule).',
      ],
      ['forbids it now', () => 'Not on a Sunday.', 'It was not repeated: Not on a Sunday.'],
    ])('where its rule %s', async (_, precondition, end) => {
      const { run, outcomes } = toolStage([again(precondition)], [{ name: 'again', progress: 'started' }]);
      await run();
      const [outcome] = outcomes();
      expect(outcome?.content).toMatch(UNKNOWN);
      expect(String(outcome?.content).endsWith(end)).toBe(true);
    });

    it('where its tool is there no more', async () => {
      const { run, outcomes } = toolStage(
        [again()],
        [{ name: 'gone', progress: 'started', effect: 'idempotent' }],
      );
      await run();
      expect(outcomes()[0]?.content).toMatch(UNKNOWN);
      expect(outcomes()[0]?.content).toContain('It was not repeated: ');
    });
  });

  it('a call that has its outcome is left alone', async () => {
    const { run, written, events } = toolStage(
      [toolOf('write', () => 'ok')],
      [{ name: 'write', progress: 'finished' }],
    );
    await run();
    expect([written(), events]).toEqual([[], [LAST]]);
  });
});
