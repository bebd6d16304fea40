/** A model behind a network: it answers, takes its time, fails, and does not always notice that nobody listens any more. */
import { type ModelClient, ModelFailure } from '../../src/model/client.ts';
import { wire } from '../durable/recovery.ts';
import type { Life } from './life.ts';
import { replyTo } from './replies.ts';
import { delayMs } from './tools.ts';
import type { Watch } from './watch.ts';
import type { World } from './world.ts';

export const simulatedModel = (world: World, life: Life, watch: Watch): ModelClient => ({
  name: 'simulation',
  async ask(request, { signal, onText }) {
    const body = wire(request);
    const end = watch.onRequest(body);
    // Whoever gives up a request may send another one, whatever becomes of the first.
    signal.addEventListener('abort', end, { once: true });
    try {
      await life.moment(delayMs(world, [5, 60_000, 600_000]), world.random.chance(0.7) ? signal : undefined);
      if (world.random.chance(world.profile.failures)) throw failureOf(world);
      const { message } = replyTo(world, body);
      onText?.('words');
      await life.moment(delayMs(world, [5]));
      return message;
    } finally {
      end();
    }
  },
});

function failureOf({ random }: World): ModelFailure {
  switch (random.weighted({ busy: 4, wait: 2, cut: 3, longWait: 1, wrong: 1, context: 1 })) {
    case 'busy':
      return new ModelFailure('overloaded', { kind: 'http', status: 529, retryable: true });
    case 'wait':
      return new ModelFailure('slow down', {
        kind: 'http',
        status: 429,
        retryable: true,
        retryAfterMs: 7_000,
      });
    case 'cut':
      return new ModelFailure('cut off', {
        kind: random.pick(['connection', 'interrupted']),
        retryable: true,
      });
    case 'longWait':
      return new ModelFailure('tomorrow', {
        kind: 'http',
        status: 429,
        retryable: true,
        retryAfterMs: 86_400_000,
      });
    case 'wrong':
      return new ModelFailure('bad request', { kind: 'http', status: 400, retryable: false });
    case 'context':
      return new ModelFailure('too long', { kind: 'context', status: 400, retryable: false });
  }
}
