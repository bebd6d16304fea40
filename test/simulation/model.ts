/** A model behind a network: it answers, takes its time, fails, and does not always notice that nobody listens any more. */
import type { Usage } from '../../machines/protocol.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { type ModelClient, ModelFailure } from '../../src/model/client.ts';
import { wire } from '../durable/recovery.ts';
import type { Fields } from '../helpers/strict-form.ts';
import type { Life } from './life.ts';
import { unitsOf } from './money.ts';
import { brokenUsage, promptTokensOf, replyTo } from './replies.ts';
import { delayMs } from './tools.ts';
import type { Watch } from './watch.ts';
import type { World } from './world.ts';

export const simulatedModel = (world: World, life: Life, watch: Watch): ModelClient => ({
  name: 'simulation',
  ...(world.profile.canCount && {
    async countTokens(request, { signal }) {
      await life.moment(delayMs(world, [5]), signal);
      return promptTokensOf(wire(request));
    },
  }),
  async ask(request, { signal, onText }) {
    const body = wire(request);
    const end = watch.onRequest(body);
    // Whoever gives up a request may send another one, whatever becomes of the first.
    signal.addEventListener('abort', end, { once: true });
    // As long as nobody knows better, and for ever if nobody hears.
    const assumed = shareOf(world, body, NO_USAGE);
    watch.onCharge(assumed);
    const settle = (units: number) => watch.onCharge(units - assumed);
    try {
      await life.moment(delayMs(world, [5, 60_000, 600_000]), world.random.chance(0.7) ? signal : undefined);
      if (world.random.chance(world.profile.failures)) throw failureOf(world, body, settle);
      if (promptTokensOf(body) > (world.books.window ?? Number.POSITIVE_INFINITY)) {
        settle(0);
        throw tooLong();
      }
      const { message, usage, model } = replyTo(world, body);
      settle(unitsOf(model, usage));
      onText?.('words');
      await life.moment(delayMs(world, [5]));
      return message;
    } finally {
      end();
    }
  },
});

const tooLong = () => new ModelFailure('too long', { kind: 'context', status: 400, retryable: false });

/** Something between what is known of a request and all that it may come to. No chance is used up for it. */
function shareOf({ requests }: World, body: Fields, known: Usage): number {
  const model = String(body.model);
  const least = unitsOf(model, known);
  const worst = unitsOf(model, {
    ...NO_USAGE,
    cacheWrite: promptTokensOf(body),
    output: Number(body.max_tokens),
  });
  const share = requests.length % 3 === 0 ? 1 : (requests.length * 0.618) % 1;
  return least + Math.floor(share * Math.max(0, worst - least));
}

function failureOf(world: World, body: Fields, settle: (units: number) => void): ModelFailure {
  const { random } = world;
  const kind = random.weighted({ busy: 4, wait: 2, cut: 3, longWait: 1, wrong: 1, context: 1 });
  if (kind !== 'cut') settle(0);
  switch (kind) {
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
      return cutOff(world, body, settle);
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
      return tooLong();
  }
}

/** Before the first word or behind it: then it is known what it has cost until then. */
function cutOff(world: World, body: Fields, settle: (units: number) => void): ModelFailure {
  const kind = world.random.pick(['connection', 'interrupted'] as const);
  if (kind === 'connection') return new ModelFailure('cut off', { kind, retryable: true });
  const name = world.newName('failure');
  const usage = brokenUsage(world, body);
  settle(shareOf(world, body, usage));
  world.failures.set(name, { model: String(body.model), usage });
  return new ModelFailure(`cut off: ${name}`, { kind, retryable: true, usage });
}
