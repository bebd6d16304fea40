/** The loop machine with jobs of one's own: what pawl's `run()` does, in its smallest form. Prints each state. */
import { createActor, fromCallback, waitFor } from 'xstate';
import {
  type AssistantMessage,
  DEFAULT_LIMITS,
  digestReply,
  type JobInputs,
  type JobName,
  type LoopEvent,
  loopMachine,
  type StopCalls,
} from '../src/index.ts';

/** A job gets its input when its state is entered, and answers with events that carry the turn they belong to. */
const job = <Name extends JobName>(work: (input: JobInputs[Name]) => Promise<LoopEvent[]>) =>
  fromCallback<StopCalls, JobInputs[Name]>(({ input, sendBack }) => {
    let isLeft = false;
    work(input).then((events) => {
      for (const event of events) if (!isLeft) sendBack(event);
    });
    return () => {
      isLeft = true;
    };
  });

const replies: AssistantMessage[] = [
  { content: [{ type: 'tool_use', id: 'call_1', name: 'dice', input: {} }], stop_reason: 'tool_use' },
  { content: [{ type: 'text', text: 'You threw a four.' }], stop_reason: 'end_turn' },
];
const journal: unknown[] = [];

const machine = loopMachine.provide({
  actors: {
    askModel: job<'askModel'>(async ({ turn, attempt }) => {
      const message = replies[turn - 1] ?? { content: [], stop_reason: 'end_turn' };
      return [{ type: 'model.replied', turn, attempt, message, reply: digestReply(message) }];
    }),
    /** The time limit, of which there is none here. */
    watchClock: job<'watchClock'>(async () => []),
    appendJournal: job<'appendJournal'>(async ({ record }) => {
      journal.push(record);
      return [{ type: 'record.saved', record: record.type, turn: record.turn }];
    }),
    reviewCalls: job<'reviewCalls'>(async ({ turn, calls }) => [
      {
        type: 'calls.reviewed',
        turn,
        verdicts: calls.map(({ id: callId }) => ({
          callId,
          verdict: 'approve',
          effect: 'read',
          fingerprint: callId,
        })),
      },
    ]),
    executeTools: job<'executeTools'>(async ({ turn, calls }) => [
      ...calls.map(
        ({ id: callId }): LoopEvent => ({ type: 'tool.finished', turn, callId, fingerprint: callId }),
      ),
      { type: 'calls.finished', turn },
    ]),
  },
});

const actor = createActor(machine, { input: { limits: DEFAULT_LIMITS } });
actor.subscribe(({ value }) => console.log(JSON.stringify(value)));
actor.start();
await waitFor(actor, ({ status }) => status === 'done');
console.log(`${journal.length} records`);
