/** Plays a scenario in the page's own copy of the machine: the same machine as that of every run, without its jobs. */
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { stateName } from '../../machines/state-name.ts';
import type { StopStatus } from '../../machines/status.ts';
import { type JournalRecord, RECORD_VERSION, type RecordBody } from '../../src/journal/record.ts';
import { Film } from '../film/film.ts';
import { type Step, Walk } from '../film/walk.ts';
import { type Choice, choicesFor } from './choices.ts';
import type { Scenario } from './scenarios.ts';
import type { ScriptReply } from './script.ts';

/** So much time passes between two events of a story, so that figures of time are not all zero. */
const TICK_MS = 400;

export class Player {
  readonly film = new Film();
  readonly #machine: Walk;
  /** Since the last frame. */
  #steps: Step[] = [];
  readonly #usedIds = new Set<string>();
  readonly #script: ScriptReply[];
  readonly #happens: string[];
  #seq = 0;
  #at = Date.UTC(2026, 0, 1, 9);

  constructor(scenario: Scenario) {
    this.#script = [...scenario.script];
    this.#happens = [...scenario.happens];
    const limits = { ...DEFAULT_LIMITS, ...scenario.limits };
    this.#machine = new Walk({ limits }, (step) => this.#steps.push(step));
    this.#show(null, {
      type: 'run.started',
      version: RECORD_VERSION,
      pawl: 'demo',
      runId: `demo-${scenario.id}`,
      task: scenario.task,
      workspace: '/demo',
      model: 'scripted',
      system: '',
      effort: null,
      fallbackModel: null,
      limits,
      tools: [],
    });
  }

  /** What can happen now, what the story has next first; empty at the end. */
  get choices(): Choice[] {
    const { value, context, status } = this.#machine.getSnapshot();
    if (status !== 'active') return [];
    const scene = { state: stateName(value), context, usedIds: this.#usedIds, next: this.#script[0] };
    const choices = choicesFor(scene);
    const [next] = this.#happens;
    const told = choices.find(({ id }) => id === next);
    return told ? [told, ...choices.filter((choice) => choice !== told)] : choices;
  }

  choose(choice: Choice): void {
    if (choice.id === this.#happens[0]) this.#happens.shift();
    if (choice.id === 'script') this.#script.shift();
    const { event } = choice;
    this.#machine.send(event);
    if (event.type === 'model.replied') for (const { id } of event.reply.calls) this.#usedIds.add(id);
    this.#at += TICK_MS;
    this.#show(choice, choice.record);
    const { status, value, context } = this.#machine.getSnapshot();
    if (status !== 'done') return;
    const { counters, usage, costUsd } = context;
    this.#show(null, {
      type: 'run.ended',
      status: stateName(value) as StopStatus,
      turns: counters.turns,
      usage,
      costUsd,
    });
  }

  #show(choice: Choice | null, body: RecordBody | undefined): void {
    const { value, context, status } = this.#machine.getSnapshot();
    const record =
      body && ({ ...body, seq: this.#seq, at: new Date(this.#at).toISOString() } as JournalRecord);
    if (record) this.#seq += 1;
    const steps = this.#steps;
    this.#steps = [];
    const state = stateName(value);
    this.film.push({
      record: record ?? null,
      event: choice?.event.type ?? null,
      at: this.#at,
      state,
      run: state,
      isOver: status === 'done',
      context,
      steps,
    });
  }
}
