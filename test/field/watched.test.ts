/** A run that somebody looks at, with what is too large or too odd to be looked at, and one that others would like to steer. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { askForEffects } from '../../src/permissions/policy.ts';
import { start, TWO_WRITES, withoutChance } from '../inspector/served-run.ts';
import { ask, bearer, FeedReader } from '../inspector/support.ts';

const LARGE = { name: 'bash', input: { command: "head -c 3000000 /dev/zero | tr '\\0' q" } };
/** JSON that a model may send: deep, wide, with names that mean something to JavaScript, and texts that are no text. */
const odd = (place: number): unknown =>
  JSON.parse(
    `{"deep": ${'['.repeat(400)}${']'.repeat(400)}, "__proto__": {"hit": ${place}}, "constructor": null, "": "\\u0000 \\u2028",
      "wide": ${JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index))}, "long": "${'x'.repeat(200_000)}"}`,
  );
const ROUNDS = 4;
const rounds = Array.from({ length: ROUNDS }, (_, place) => ({
  calls: [LARGE, { name: 'launch', input: odd(place) }],
}));
/** A result has 100,000 bytes at most, and what the model sends is passed on as it came. */
const LARGEST_EVENT = 600_000;

describe('a run that is watched', () => {
  it('with outputs of megabytes and odd values decides and records the same as one that is not, and each event stays small', async () => {
    const replies = [...rounds, { text: 'ok' }];
    const alone = await start({ replies, isWatched: false });
    const aloneOutcome = await alone.outcome;
    const watched = await start({ replies });
    if (watched.server === undefined) throw new Error('not served');
    const reader = await FeedReader.of(watched.server, 'own');
    const outcome = await watched.outcome;
    expect([aloneOutcome.status, outcome.status]).toEqual(['answered', 'answered']);
    expect(withoutChance(watched.records)).toEqual(withoutChance(alone.records));
    await reader.until(({ seqs }) => seqs.length === watched.records.length);
    expect(reader.told.filter(({ event }) => event === 'record').map(({ data }) => data)).toEqual(
      JSON.parse(JSON.stringify(watched.records)),
    );
    const sizes = reader.told.map(({ data }) => JSON.stringify(data).length);
    expect(Math.max(...sizes)).toBeLessThan(LARGEST_EVENT);
    expect(({} as { hit?: number }).hit).toBeUndefined();
  });

  it('answers no other page, whatever it sends and whatever it knows: nothing is approved, and nothing is told', async () => {
    const one = await start({ policy: askForEffects, replies: TWO_WRITES });
    await one.asked('toolu_a');
    const { server } = one;
    if (server === undefined) throw new Error('not served');
    const approve = JSON.stringify({ callId: 'toolu_a', granted: true });
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'https://evil.example', ...bearer(server) },
      { Host: 'evil.example', ...bearer(server) },
      { Host: `localhost.evil.example:${server.port}`, ...bearer(server) },
      {},
    ];
    const paths = ['', '/records', '/control', '/approvals'].map((part) => `/api/runs/own${part}`);
    for (const headers of foreign)
      for (const target of ['/', '/events', '/api/events', '/api/state', '/api/runs', ...paths]) {
        const got = await ask(server, target, { headers });
        expect([target, got.status, got.body.includes('the task')]).toEqual([target, 403, false]);
        for (const type of ['text/plain', 'application/json']) {
          const asked = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body: approve };
          expect([target, (await ask(server, target, asked)).status]).toEqual([target, 403]);
        }
      }
    expect(await opened(server.port, server.token)).toBe('refused');
    expect(one.controls.state.questions.map(({ callId }) => callId)).toEqual(['toolu_a']);
    expect(one.has('a')).toBe(false);
    await one.decide('toolu_a', true);
    await one.asked('toolu_b');
    await one.decide('toolu_b', false);
    expect(await one.outcome).toMatchObject({ status: 'answered' });
    expect([one.has('a'), one.has('b')]).toEqual([true, false]);
  });
});

/** What becomes of a WebSocket of another page that has found out the token. */
function opened(port: number, token: string): Promise<string> {
  const headers = { Origin: 'https://evil.example', Authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('error', () => resolve('refused'));
  });
}
