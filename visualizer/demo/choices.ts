/** What can happen to the machine in the state that it is in: the whole world, as choices. */
import type { LoopContext } from '../../machines/context.ts';
import type { AttemptFailure, LoopEvent } from '../../machines/events.ts';
import { digestReply } from '../../machines/reply.ts';
import type { Call, Verdict } from '../../machines/turn.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { messageOf, type ScriptReply } from './script.ts';

export interface Choice {
  readonly id: string;
  readonly text: string;
  readonly by: 'model' | 'world' | 'person' | 'journal';
  readonly event: LoopEvent;
  /** What the job that found it out would have recorded. */
  readonly record?: RecordBody;
}

export interface Scene {
  readonly state: string;
  readonly context: LoopContext;
  readonly usedIds: ReadonlySet<string>;
  /** The reply that the script has next. */
  readonly next: ScriptReply | undefined;
}

/** The first one is what happens if nothing goes wrong. */
export function choicesFor(scene: Scene): Choice[] {
  const { state } = scene;
  if (state.startsWith('persisting.'))
    return [...saving(scene), ...interrupts(scene, state !== 'persisting.summary')];
  switch (state) {
    case 'asking.measuring':
    case 'finishing.measuring':
      return [...measuring(scene), ...interrupts(scene)];
    case 'asking.requesting':
    case 'finishing.requesting':
      return [...replies(scene), ...failures(scene), ...interrupts(scene)];
    case 'backingOff':
      return [
        {
          id: 'waited',
          text: 'The wait is over',
          by: 'world',
          event: { type: 'wait.elapsed', ...place(scene) },
        },
        ...interrupts(scene),
      ];
    case 'validating.reviewing':
      return [...reviews(scene), ...interrupts(scene)];
    case 'awaitingApproval':
      return [...approvals(scene), ...interrupts(scene)];
    case 'executing.running':
      return [...executions(scene), ...interrupts(scene)];
    case 'executing.stopping':
      return executions(scene);
    default:
      return [];
  }
}

const place = ({ context: { turn, attempt } }: Scene) => ({ turn, attempt });

function interrupts({ context: { stop } }: Scene, isPossible = true): Choice[] {
  if (!isPossible || stop?.status === 'cancelled') return [];
  return [
    {
      id: 'cancel',
      text: 'The person cancels',
      by: 'person',
      event: { type: 'run.cancelled', signal: 'SIGINT' },
    },
    ...(stop === null
      ? [
          {
            id: 'expire',
            text: 'The time limit passes',
            by: 'world',
            event: { type: 'time.expired' },
          } as const,
        ]
      : []),
  ];
}

function saving({ context: { pending, turn } }: Scene): Choice[] {
  if (pending === null) return [];
  return [
    {
      id: 'saved',
      text: 'It is saved',
      by: 'journal',
      event: { type: 'record.saved', record: pending.type, turn },
      record: pending,
    },
    {
      id: 'full',
      text: 'The disk is full',
      by: 'journal',
      event: { type: 'record.failed', message: 'no space left' },
    },
  ];
}

function measuring(scene: Scene): Choice[] {
  const measured = (id: string, text: string, inputTokens: number): Choice => {
    const record = {
      type: 'prompt.measured',
      ...place(scene),
      isExact: true,
      forecast: { inputTokens, inputUsd: 3e-6, outputUsd: 15e-6 },
    } as const;
    return { id, text, by: 'world', event: record, record };
  };
  return [measured('fits', 'The request is small', 1_200), measured('large', 'The request is large', 90_000)];
}

function replies(scene: Scene): Choice[] {
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

function failures(scene: Scene): Choice[] {
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

const READS: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files']);
const digest = ({ name, id }: Call, what: string): string => `${name} ${what} ${id.replace(/_\d+_/, '_')}`;

function reviews({ context: { turn, calls } }: Scene): Choice[] {
  const reviewed = (id: string, text: string, verdictOf: (call: Call) => Verdict): Choice => {
    const record = { type: 'calls.reviewed', turn, verdicts: calls.map(verdictOf) } as const;
    return { id, text, by: 'world', event: record, record };
  };
  const base = (call: Call) => ({ callId: call.id, fingerprint: digest(call, 'asked') });
  const effect = ({ name }: Call) => (READS.has(name) ? 'read' : 'effectful') as 'read' | 'effectful';
  return [
    reviewed('allow', 'All calls may run', (call) => ({
      ...base(call),
      verdict: 'approve',
      effect: effect(call),
    })),
    reviewed('ask', 'A person is asked', (call) => ({
      ...base(call),
      verdict: READS.has(call.name) ? 'approve' : 'ask',
      effect: effect(call),
    })),
    reviewed('refuse', 'Calls refused', (call) => ({
      ...base(call),
      verdict: 'refuse',
      reason: `There is no tool ${call.name}. Tools: read_file, write_file.`,
    })),
  ];
}

function approvals({ context: { turn, calls } }: Scene): Choice[] {
  const call = calls.find(({ progress }) => progress === 'waiting');
  if (!call) return [];
  const granted = { type: 'approval.granted', turn, callId: call.id } as const;
  const denied = {
    type: 'approval.denied',
    turn,
    callId: call.id,
    content: 'Denied by the person: not in this file.',
  } as const;
  return [
    { id: 'grant', text: `${call.name} allowed`, by: 'person', event: granted, record: granted },
    {
      id: 'deny',
      text: `${call.name} denied`,
      by: 'person',
      event: { type: 'approval.denied', turn, callId: call.id },
      record: denied,
    },
  ];
}

function executions({ state, context: { turn, calls } }: Scene): Choice[] {
  const running = calls.find(({ progress }) => progress === 'started');
  const waiting = calls.find(({ progress }) => progress === 'approved');
  const finished = (
    call: Call,
    id: string,
    text: string,
    content: string,
    isError: boolean,
    durationMs: number,
  ): Choice => {
    const record = {
      type: 'tool.finished',
      turn,
      callId: call.id,
      content,
      isError,
      durationMs,
      fingerprint: digest(call, id),
    } as const;
    return { id, text, by: 'world', event: record, record };
  };
  if (running)
    return [
      finished(running, 'ok', `${running.name} succeeds`, 'ok, exit code 0', false, 84),
      finished(
        running,
        'error',
        `${running.name}: error reported`,
        'ZeroDivisionError: division by zero, exit code 1',
        true,
        91,
      ),
      finished(
        running,
        'timeout',
        `${running.name}: timed out`,
        'Stopped after 30 s. Its output until then: (none)',
        true,
        30_000,
      ),
    ];
  if (waiting && state === 'executing.running') {
    const record = { type: 'tool.started', turn, callId: waiting.id } as const;
    return [{ id: 'start', text: `${waiting.name} starts`, by: 'world', event: record, record }];
  }
  return [
    { id: 'done', text: 'All calls are through', by: 'world', event: { type: 'calls.finished', turn } },
  ];
}
