/** What happens between a request and the next try of it: who waits, how long, and what is told of it. */
import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/cli/progress.ts';
import type { RunEvent } from '../../src/outcome.ts';
import { plain, recordingScreen } from '../cli/screen.ts';
import type { Fault, StrictReply } from '../helpers/strict-server.ts';
import { servedPlace } from './served.ts';
import { call, calls, place, play, says } from './support.ts';

/** Notes when each request came. */
function timed(replies: readonly StrictReply[]) {
  const at: number[] = [];
  const noted = replies.map((reply) => () => {
    at.push(performance.now());
    return reply;
  });
  return { noted, gaps: () => at.slice(1).map((time, index) => time - (at[index] ?? 0)) };
}

const busy = (headers: Record<string, string>): Fault => ({ fault: 'status', status: 429, headers });
const refusing = (status: number): Fault => ({
  fault: 'status',
  status,
  body: { type: 'error', error: { type: 'an_error', message: `the words of ${status}` } },
});

describe('a wait that the server asks for', () => {
  it('is kept both times, in seconds and in milliseconds, and the person sees that and why the run waits', async () => {
    const { noted, gaps } = timed([
      busy({ 'retry-after': '1' }),
      busy({ 'retry-after': '9', 'retry-after-ms': '300' }),
      says('done'),
    ]);
    const out = recordingScreen();
    const progress = new Progress(out.screen, plain);
    const onEvent = (event: RunEvent) => progress.event(event);
    const { outcome } = await play(noted, { options: { onEvent } });
    progress.close();
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: 1, attempts: 3 } });
    const [first = 0, second = 0] = gaps();
    expect(first).toBeGreaterThan(995);
    expect(second).toBeGreaterThan(295);
    expect(second).toBeLessThan(9_000);
    expect(out.written).toMatch(/attempt 1 failed: HTTP 429[\s\S]*backingOff \(1\.0 s\)/);
    expect(out.written).toMatch(/attempt 2 failed: HTTP 429[\s\S]*backingOff \(0\.3 s\)/);
  });
});

describe('one layer retries', () => {
  it('so that a service which is always overloaded gets one request more than there are retries, in growing waits', async () => {
    const { noted, gaps } = timed(Array.from({ length: 9 }, () => refusing(529)));
    const chances = [0, 0.1];
    const { outcome, server, records } = await play(noted, {
      options: { runId: 'r', limits: { maxRetries: 2 }, random: () => chances.shift() ?? 0.5 },
    });
    expect(outcome).toMatchObject({ status: 'model_error', exitCode: 25, counters: { attempts: 3 } });
    expect(outcome.errors.join()).toContain('the words of 529');
    expect(server.requests).toHaveLength(3);
    const failures = records.flatMap((record) => (record.type === 'attempt.failed' ? [record] : []));
    expect(failures.map(({ failure }) => failure.delayMs).slice(0, 2)).toEqual([375, 800]);
    expect(failures.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const [first = 0, second = 0] = gaps();
    expect(first).toBeGreaterThan(370);
    expect(second).toBeGreaterThan(795);
  });

  it.each([401, 400, 413])(
    'and %i is not asked again: one request, and the words of the server',
    async (code) => {
      const { outcome, server } = await play(Array.from({ length: 9 }, () => refusing(code)));
      expect(outcome).toMatchObject({ status: 'model_error', exitCode: 25, counters: { attempts: 1 } });
      expect(outcome.errors.join()).toContain(`the words of ${code}`);
      expect(server.requests).toHaveLength(1);
    },
  );
});

const BEGIN = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [],
  stop_reason: null,
  usage: { input_tokens: 9, output_tokens: 1 },
};

describe('a stream that a proxy closes cleanly in the middle of a call', () => {
  it('is no reply: nothing of it is run or saved, and the next try is', async () => {
    const at = place();
    const half: Fault = {
      fault: 'sse',
      events: [
        ['message_start', { message: BEGIN }],
        ['content_block_start', { index: 0, content_block: { ...call('toolu_half', 'bash', {}) } }],
        [
          'content_block_delta',
          { index: 0, delta: { type: 'input_json_delta', partial_json: '{"command":"echo half >> ran.txt' } },
        ],
      ],
    };
    const whole = calls(call('toolu_whole', 'bash', { command: 'echo whole >> ran.txt' }));
    const { outcome, server, records } = await play([half, whole, says('done')], {
      at,
      options: { maxRetryWaitMs: 20 },
    });
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: 2, attempts: 3, toolCalls: 1 } });
    expect(at.read('ran.txt')).toBe('whole\n');
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]?.raw).toBe(server.requests[0]?.raw);
    expect(JSON.stringify(records.filter(({ type }) => type !== 'attempt.failed'))).not.toContain(
      'toolu_half',
    );
  });
});

describe('a stream that goes silent', () => {
  const silent: Fault = {
    fault: 'sse',
    events: [
      ['message_start', { message: BEGIN }],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'I begin' } }],
    ],
    end: 'hang',
  };

  it('is given up after the time that was set, and asked for again', async () => {
    const at = servedPlace();
    const server = await at.serve(silent, says('done'));
    const started = performance.now();
    const { code, stdout, stderr } = await at.pawl(['run', '--idle-timeout', '1s', 't']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    expect(performance.now() - started).toBeGreaterThan(1_000);
    expect(stderr).toMatch(/attempt 1 failed: .*1 s/);
    expect(server.requests).toHaveLength(2);
  });

  it('is left at once by an interrupt, however long it would have been waited for', async () => {
    const leaving = new AbortController();
    let leftAt = 0;
    const onEvent = (event: RunEvent) => {
      if (event.type !== 'text') return;
      leftAt = performance.now();
      leaving.abort('SIGINT');
    };
    const { outcome, server } = await play([silent, says('late')], {
      options: { signal: leaving.signal, onEvent, idleTimeoutMs: 600_000 },
    });
    expect(performance.now() - leftAt).toBeLessThan(30_000);
    expect(outcome).toMatchObject({ status: 'cancelled', signal: 'SIGINT', result: null });
    expect(server.requests).toHaveLength(1);
  });
});
