/**
 * The loop machine with its real jobs over a script, a journal in memory and tools of the test, watched: what the
 * machine was right after each record is kept, and a test may step in at every moment in which something is under way.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createActor } from 'xstate';
import type { LoopContext } from '../../machines/context.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { Limits } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { stateName } from '../../machines/state-name.ts';
import { Jobs } from '../../src/actors/job.ts';
import { headerOf } from '../../src/header.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { RunLog } from '../../src/journal/run-log.ts';
import { Transcript } from '../../src/journal/transcript.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import type { Approver } from '../../src/permissions/approver.ts';
import { nobody } from '../../src/permissions/nobody.ts';
import { allowAll } from '../../src/permissions/policy.ts';
import { toolRegistry } from '../../src/tools/registry.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { provideJobs, worksOf } from '../../src/works.ts';

export interface Play extends Partial<Pick<RunOptions, 'tools' | 'policy' | 'approver'>> {
  readonly replies: readonly ScriptReply[];
  readonly limits?: Partial<Limits>;
  /**
   * Called when an effect is at the gate ("gate …"), when the model ("ask"), a person ("question") or a tool ("run …")
   * is at work, when a sync was asked for ("sync") and before it is over ("synced"). What it does happens right then.
   */
  readonly moment?: (name: string) => void;
  /** The journal that is written to; it must pass on to the one in memory. */
  readonly wrap?: (journal: Journal) => Journal;
}

export interface Shot {
  readonly state: string;
  readonly context: LoopContext;
}

export interface Played {
  readonly records: readonly JournalRecord[];
  /** By record number: the machine once it knew of the record. */
  readonly shots: ReadonlyMap<number, Shot>;
  readonly final: Shot;
  readonly transcript: Transcript;
  readonly requests: readonly ModelRequest[];
}

export interface Stage {
  readonly records: readonly JournalRecord[];
  /** Speaks to the machine from outside. */
  send(event: LoopEvent): void;
  /** Plays to the end. Rejects when a job crashed. */
  played(): Promise<Played>;
}

export function stage(play: Play): Stage {
  const moment = play.moment ?? (() => {});
  const journal = memoryJournal(() => 0);
  const requests: ModelRequest[] = [];
  const shots = new Map<number, Shot>();
  const transcript = new Transcript();
  const registry = toolRegistry((play.tools ?? []).map((tool) => watchedTool(tool, moment)));
  const options: RunOptions = {
    task: 'the task',
    model: 'a-model',
    workspace: '/',
    client: scriptedModel((request, n) => {
      requests.push(request);
      moment('ask');
      return replyAt(play.replies, n);
    }, 'the script'),
    limits: play.limits ?? {},
    policy: play.policy ?? allowAll,
    approver: watchedApprover(play.approver ?? nobody('by being there'), moment),
    now: () => 0,
    random: () => 0.5,
    gate: {
      cross: async ({ kind, callId }) => {
        await nextTurn();
        moment(`gate ${kind} ${callId ?? ''}`.trim());
        await nextTurn();
      },
    },
  };
  const header = headerOf(options, 'a-run', registry);
  const log = new RunLog((play.wrap ?? same)(withMoments(journal, moment)), transcript, () => {});
  let crash: (error: unknown) => void = () => {};
  const jobs = new Jobs((error) => crash(error));
  const machine = loopMachine.provide({
    actors: provideJobs(worksOf(options, header, new Toolbox(registry))(log), jobs),
  });
  const shotOf = () => {
    const { value, context } = actor.getSnapshot();
    return { state: stateName(value), context };
  };
  const actor = createActor(machine, {
    input: { limits: header.limits },
    inspect: (inspected) => {
      if (inspected.type !== '@xstate.snapshot' || inspected.actorRef !== actor) return;
      const event = inspected.event as LoopEvent;
      const told = journal.records.find((record) => !shots.has(record.seq) && tells(event, record));
      if (told) shots.set(told.seq, shotOf());
    },
  });
  const played = async (): Promise<Played> => {
    await log.save(header);
    await new Promise<void>((resolve, reject) => {
      crash = reject;
      actor.subscribe({ complete: resolve, error: reject });
      actor.start();
      shots.set(0, shotOf());
    });
    await jobs.idle(1_000);
    return { records: journal.records, shots, final: shotOf(), transcript, requests };
  };
  return { records: journal.records, send: (event) => actor.send(event), played };
}

export const play = (options: Play): Promise<Played> => stage(options).played();

const same = (journal: Journal): Journal => journal;

function replyAt(replies: readonly ScriptReply[], n: number): ScriptReply {
  const reply = replies[n - 1];
  if (reply === undefined) throw new Error(`the script has no reply ${n}`);
  return reply;
}

const watchedTool = (tool: Tool, moment: (name: string) => void): Tool => ({
  ...tool,
  run: (input, context) => {
    moment(`run ${tool.name}`);
    return tool.run(input, context);
  },
});

const watchedApprover = (approver: Approver, moment: (name: string) => void): Approver => ({
  ask: (request, signal) => {
    moment('question');
    return approver.ask(request, signal);
  },
});

const withMoments = (journal: Journal, moment: (name: string) => void): Journal => ({
  ...journal,
  async sync() {
    moment('sync');
    await nextTurn();
    moment('synced');
    await journal.sync();
  },
});

/** Whether the machine learns of the record by this event. */
function tells(event: LoopEvent, record: JournalRecord): boolean {
  switch (event.type) {
    case 'record.saved':
      return record.type === event.record;
    case 'model.failed':
      return record.type === 'attempt.failed';
    case 'calls.reviewed':
    case 'prompt.measured':
      return record.type === event.type;
    case 'approval.granted':
    case 'approval.denied':
    case 'tool.started':
    case 'tool.finished':
      return record.type === event.type && record.callId === event.callId;
    default:
      return false;
  }
}
