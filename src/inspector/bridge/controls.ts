import type { Approver } from '../../permissions/approver.ts';
import type { Breakpoint, Command, ControlState, Decision, Transition } from '../protocol.ts';
import { Breakpoints } from './breakpoints.ts';
import { objectionTo } from './place.ts';
import { type DiffOf, Questions } from './questions.ts';

export interface Steering {
  readonly breakpoints: readonly Breakpoint[];
  /** Names of the run's tools. */
  readonly tools: readonly string[];
  /** null: no terminal, questions are answered on the page alone. */
  readonly terminal: Approver | null;
  readonly diffOf: DiffOf;
  /** Ends the run in order. */
  readonly cancel: () => void;
}

/** What a person can do to a run of this process, and what there is to see of it beside its records. */
export class Controls {
  readonly gate: Breakpoints;
  readonly questions: Questions;
  readonly #listeners = new Set<() => void>();
  readonly #transitions = new Set<(taken: Transition) => void>();

  constructor(private readonly steering: Steering) {
    const changed = () => {
      for (const listener of this.#listeners) listener();
    };
    this.gate = new Breakpoints(steering.breakpoints, changed);
    this.questions = new Questions(steering.terminal, steering.diffOf, changed);
  }

  get state(): ControlState {
    const { isPaused, parked, places } = this.gate;
    return {
      isControlled: true,
      isPaused,
      parked,
      breakpoints: places,
      questions: this.questions.open,
    };
  }

  /** @returns why not; undefined: it is done */
  command(command: Command): string | undefined {
    switch (command.command) {
      case 'break': {
        const objection = objectionTo(command.at, this.steering.tools);
        if (objection === undefined) this.gate.set(command.at);
        return objection;
      }
      case 'unbreak':
        this.gate.clear(command.at);
        return;
      case 'cancel':
        this.steering.cancel();
        this.gate.open();
        return;
      case 'pause':
      case 'continue':
      case 'step':
        this.gate[command.command]();
        return;
      default:
        return command satisfies never;
    }
  }

  decide(decision: Decision): boolean {
    return this.questions.decide(decision);
  }

  /** Tells of a microstep of the machine. */
  transition(taken: Transition): void {
    this.gate.transition(taken);
    for (const listener of this.#transitions) listener(taken);
  }

  /** @returns ends it */
  watch(onChange: () => void, onTransition: (taken: Transition) => void = () => {}): () => void {
    this.#listeners.add(onChange);
    this.#transitions.add(onTransition);
    return () => {
      this.#listeners.delete(onChange);
      this.#transitions.delete(onTransition);
    };
  }
}

export const UNCONTROLLED: ControlState = {
  isControlled: false,
  isPaused: false,
  parked: [],
  breakpoints: [],
  questions: [],
};
