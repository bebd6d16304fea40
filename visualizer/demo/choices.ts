/** What can happen to the machine in the state that it is in: the whole world, as choices. */
import type { LoopContext } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { approvals, executions, reviews } from './choices-calls.ts';
import { failures, place, replies } from './choices-model.ts';
import type { ScriptReply } from './script.ts';

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
    case 'awaitingApproval.asking':
      return [...approvals(scene), ...interrupts(scene)];
    case 'executing.running':
      return [...executions(scene), ...interrupts(scene)];
    case 'executing.stopping':
      return executions(scene);
    default:
      return [];
  }
}

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
