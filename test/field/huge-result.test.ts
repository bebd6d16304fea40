/** A command that prints one line of 24 MB. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/index.ts';
import type { StrictReply, StrictRequest } from '../helpers/strict-server.ts';
import { call, calls, place, play, resultsIn, says } from './support.ts';

const BYTES = 24_000_000;
const PRINT = `head -c ${BYTES} /dev/zero | tr '\\0' x`;

/** Any request over 1 MB is too long for this service. */
const short =
  (reply: StrictReply) =>
  (request: StrictRequest): StrictReply =>
    request.raw.length <= 1_000_000
      ? reply
      : {
          fault: 'status',
          status: 400,
          body: {
            type: 'error',
            error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 1' },
          },
        };

describe('a line of 24 MB', () => {
  it('enters the history as its beginning and its end, with its true size, and the run goes on', async () => {
    const { outcome, server } = await play(
      [short(calls(call('toolu_1', 'bash', { command: PRINT }))), short(says('long'))],
      {},
    );
    expect(outcome).toMatchObject({ status: 'answered', result: 'long', counters: { turns: 2 } });
    const [result] = resultsIn(server, 2);
    expect(result?.content.length).toBeLessThan(60_000);
    expect(result?.content).toMatch(/^exit_code=0\nx{1000}/);
    expect(result?.content).toMatch(
      /\n\[239\d{5} characters left out here; the whole output is 24000000 bytes\]\n/,
    );
  });

  it('from a tool of the person is cut too, and the whole is in a file that the model can read', async () => {
    const at = place();
    const shout = defineTool({
      name: 'shout',
      description: 'Shouts.',
      input: z.strictObject({}),
      effect: 'read',
      run: async () => 'x'.repeat(BYTES),
    });
    const { outcome, server } = await play(
      [short(calls(call('toolu_1', 'shout', {}))), short(says('loud'))],
      {
        at,
        options: { tools: [shout] },
      },
    );
    expect(outcome).toMatchObject({ status: 'answered', result: 'loud' });
    const [result] = resultsIn(server, 2);
    expect(result?.content.length).toBeLessThanOrEqual(100_100);
    const [, file = ''] =
      /24000000 bytes in all, .*The whole is in (\S+): read it/.exec(result?.content ?? '') ?? [];
    expect(at.read(file)).toHaveLength(BYTES);
  });
});
