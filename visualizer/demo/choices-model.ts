/** What can come of a request. */
import type { AttemptFailure } from '../../machines/events.ts';
import { digestReply } from '../../machines/reply.ts';
import type { Choice, Scene } from './choices.ts';
import { messageOf, type ScriptReply } from './script.ts';

export const place = ({ context: { turn, attempt } }: Scene) => ({ turn, attempt });

export function replies(scene: Scene): Choice[] {
  const { context, usedIds, next } = scene;
  const given = (id: string, text: string, reply: ScriptReply): Choice => {
    const message = messageOf(reply, context.counters.attempts + 1);
    return {
      id,
      text,
      by: 'model',
      event: { type: 'model.replied', ...place(scene), message, reply: digestReply(message, usedIds) },
    };
  };
  const call = { name: 'run_main', input: {} };
  return [
    ...(next
      ? [
          given(
            'script',
            next.calls?.length
              ? `Script: calls ${next.calls.map(({ name }) => name).join(', ')}`
              : 'Script: answers',
            next,
          ),
        ]
      : []),
    given('answer', 'Answers', { text: 'It ran. All three tests pass.' }),
    given('calls', 'Makes two calls', {
      text: 'I will look, then change it.',
      calls: [
        { name: 'read_file', input: { path: 'main.py' } },
        { name: 'write_file', input: { path: 'main.py', content: 'print(2)\n' } },
      ],
    }),
    given('cut', 'Reply cut off', {
      text: 'I will write the whole fi',
      calls: [call],
      stop_reason: 'max_tokens',
    }),
    given('refuses', 'Refuses', { text: 'I cannot help with that.', stop_reason: 'refusal' }),
    given('empty', 'Empty reply', { stop_reason: 'end_turn' }),
    given('pauses', 'Pauses its turn', { text: 'Searching …', stop_reason: 'pause_turn' }),
    given('contradicts', 'Contradicts itself', { text: 'Done.', calls: [call], stop_reason: 'end_turn' }),
    given('exhausted', 'Context is full', { text: '…', stop_reason: 'model_context_window_exceeded' }),
    given('strange', 'Unknown stop reason', { text: '…', stop_reason: 'moon_phase' }),
  ];
}

export function failures(scene: Scene): Choice[] {
  const failed = (id: string, text: string, failure: AttemptFailure): Choice => {
    const record = { type: 'attempt.failed', ...place(scene), failure } as const;
    return { id, text, by: 'world', event: { ...record, type: 'model.failed' }, record };
  };
  return [
    failed('overloaded', 'Overloaded (529)', {
      kind: 'http',
      status: 529,
      message: 'Overloaded',
      retryable: true,
      delayMs: 2_000,
    }),
    failed('silent', 'Timed out', {
      kind: 'idle',
      message: 'Nothing came for two minutes',
      retryable: true,
      delayMs: 1_000,
    }),
    failed('unauthorized', 'Wrong key (401)', {
      kind: 'http',
      status: 401,
      message: 'invalid x-api-key',
      retryable: false,
      delayMs: 0,
    }),
    failed('too-long', 'Prompt too long', {
      kind: 'context',
      status: 400,
      message: 'prompt is too long',
      retryable: false,
      delayMs: 0,
    }),
  ];
}
