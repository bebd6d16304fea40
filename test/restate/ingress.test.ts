/** What is sent to the engine's ingress, and what its answers are taken for. The engine is a server that keeps keys. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Ingress } from '../../src/restate/ingress.ts';

/** Takes one request of a key, as the engine does. */
async function keeper() {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    const status = keys.includes(key) ? 'PreviouslyAccepted' : 'Accepted';
    keys.push(key);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ invocationId: 'inv_1', status }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { keys, ingress: new Ingress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

const run = { runId: 'a-run', workflow: 'pawl-run-test' };
const word = { callId: 'call_1', fingerprint: '0123456789ab', granted: true, reason: '' };

describe('a word on a call', () => {
  it('counts if it is the first one, and whoever comes later is told that it does not', async () => {
    const { ingress } = await keeper();
    expect(await ingress.decide(run, word)).toBe(true);
    expect(await ingress.decide(run, word)).toBe(false);
    expect(await ingress.decide(run, { ...word, granted: false, reason: 'no' })).toBe(false);
  });

  it('is no word on another call, or on the same one with another input', async () => {
    const { ingress } = await keeper();
    await ingress.decide(run, word);
    expect(await ingress.decide(run, { ...word, callId: 'call_2' })).toBe(true);
    expect(await ingress.decide(run, { ...word, fingerprint: 'ba9876543210' })).toBe(true);
  });

  it('goes out whatever the model has called the call', async () => {
    const { ingress, keys } = await keeper();
    expect(await ingress.decide(run, { ...word, callId: 'call\r\nx: ü' })).toBe(true);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
