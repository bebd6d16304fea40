/** Tools that take time, fail, ignore that they are stopped, and are killed right before and right behind their effects. */
import { z } from 'zod';
import type { Effect } from '../../machines/protocol.ts';
import type { Approver } from '../../src/permissions/approver.ts';
import type { Policy } from '../../src/permissions/policy.ts';
import {
  defineTool,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolOutput,
} from '../../src/tools/tool.ts';
import type { Life } from './life.ts';
import type { Random } from './random.ts';
import type { Watch } from './watch.ts';
import type { World } from './world.ts';

const input = z.strictObject({ key: z.string() });
type Input = z.output<typeof input>;
type Rest = Partial<Tool<typeof input>>;

/** Named in the order in which the model is told of them. `write` asks, `secret` is denied, `pay` can be looked up. */
export const EFFECTS = {
  look: 'read',
  find: 'read',
  set: 'idempotent',
  write: 'effectful',
  send: 'effectful',
  pay: 'effectful',
  guard: 'effectful',
  secret: 'effectful',
} as const satisfies Record<string, Effect>;
export type ToolName = keyof typeof EFFECTS;
export const TOOL_NAMES = Object.keys(EFFECTS) as [ToolName, ...ToolName[]];

/** The input of calls that are the same to the letter; every other input is that of one call. */
export const AGAIN = 'again';

/** Longer than any tool that was stopped is waited for. */
const VERY_LONG_MS = 60_000;

export function simulatedTools(world: World, life: Life, watch: Watch): Tool[] {
  const { random } = world;
  const delay = () => delayMs(world, [2, VERY_LONG_MS]);
  async function work({ key }: Input, name: ToolName, signal: AbortSignal): Promise<ToolOutput> {
    const call = watch.onRun(key, name);
    const heeded = random.chance(0.5) ? signal : undefined;
    try {
      await life.moment(delay(), heeded);
      watch.onEffect(call);
      await life.moment(delay(), heeded);
      return outputOf(world, key);
    } finally {
      watch.onRunEnded(call);
    }
  }
  const rest: Partial<Record<ToolName, Rest>> = {
    pay: {
      async probe({ key }: Input) {
        await life.moment(delay());
        if (random.chance(0.2)) return undefined;
        if (random.chance(0.1)) throw new Error('nothing can be looked up');
        return world.executions.has(key) ? 'paid' : 'not happened';
      },
    },
    set: {
      /** Breaks mostly where the call has had its effect already. */
      async precondition({ key }: Input) {
        if (random.chance(world.executions.has(key) ? 0.5 : 0.02)) throw new Error('the rule broke');
        return undefined;
      },
    },
    guard: {
      async precondition() {
        await life.moment(delay());
        if (random.chance(0.1)) throw new Error('the guard fell');
        return random.chance(0.3) ? 'look first' : undefined;
      },
    },
  };
  return TOOL_NAMES.map((name) =>
    defineTool({
      name,
      description: name,
      input,
      effect: EFFECTS[name],
      run: (values: Input, { signal }: ToolContext) => work(values, name, signal),
      ...rest[name],
    }),
  ) as Tool[];
}

function outputOf({ random }: World, key: string): ToolOutput {
  const kind = random.weighted({ text: 12, blocks: 1, blank: 1, failed: 1, broken: 1, told: 1 });
  switch (kind) {
    case 'text':
      return key === AGAIN ? 'as before' : `done ${key}`;
    case 'blocks':
      return {
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'half \ud800' },
        ],
        isError: false,
      };
    case 'blank':
      return { content: '', isError: random.chance(0.5) };
    case 'failed':
      throw new ToolFailure('it does not work like this');
    case 'broken':
      throw new Error('the tool is broken');
    case 'told':
      return { content: 'exit code 1', isError: true };
  }
}

/** Nothing, most of the time. */
export const delayMs = ({ random, profile }: World, most: readonly [number, ...number[]]): number =>
  random.chance(profile.slowness) ? random.int(0, random.pick(most)) : 0;

export const policyOf = (life: Life): Policy => ({
  decide({ tool }) {
    life.beat();
    if (tool === 'secret') return { decision: 'deny', rule: 'no secrets', reason: 'secrets are kept' };
    return { decision: tool === 'write' || tool === 'pay' ? 'ask' : 'allow', rule: 'the rest' };
  },
});

/**
 * Takes its time, and may be asked again by a later process what it has not answered. Where there is a later process, it
 * may leave the answer to that. @param isLast there is none
 */
export const approverOf = (world: World, life: Life, watch: Watch, isLast: boolean): Approver => ({
  async ask({ callId, fingerprint }, signal) {
    watch.onQuestion(callId, fingerprint);
    const { random, profile } = world;
    await life.moment(delayMs(world, [50, 3_600_000]), random.chance(0.7) ? signal : undefined);
    if (!isLast && random.chance(profile.absence)) return 'later';
    if (random.chance(0.02)) {
      life.stop();
      return 'stop';
    }
    return answerOf(random);
  },
});

export const answerOf = (random: Random) =>
  random.chance(0.75) ? ({ granted: true } as const) : ({ granted: false, reason: 'ask politely' } as const);
