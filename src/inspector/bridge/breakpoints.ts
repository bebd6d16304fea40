import type { EffectPoint, Gate } from '../../actors/gate.ts';
import type { Breakpoint, Parked, Transition } from '../protocol.ts';
import { fits } from './place.ts';

interface Waiting {
  readonly parked: Parked;
  readonly pass: () => void;
}

/**
 * The gate, held by a person. Order: the machine enters a state, then the state's effect comes here. What was passed
 * through since the last effect (states without one among them) is remembered until then, so that every state and
 * transition can be stopped at. While the run is held, everything that comes waits, what runs side by side included.
 */
export class Breakpoints implements Gate {
  readonly #places = new Set<Breakpoint>();
  #waiting: Waiting[] = [];
  #passed: Transition[] = [];
  #isPaused = false;
  #isOpen = false;

  /** @param onChange told whenever what is parked, paused or set has changed */
  constructor(
    places: readonly Breakpoint[],
    private readonly onChange: () => void,
  ) {
    for (const place of places) this.#places.add(place);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get parked(): readonly Parked[] {
    return this.#waiting.map(({ parked }) => parked);
  }

  get places(): readonly Breakpoint[] {
    return [...this.#places];
  }

  transition(taken: Transition): void {
    if (this.#places.size > 0) this.#passed.push(taken);
  }

  cross(point: EffectPoint, signal: AbortSignal): Promise<void> {
    const passed = this.#passed.splice(0);
    if (this.#isOpen || signal.aborted) return Promise.resolve();
    const breakpoint = this.places.find((place) => fits(place, point, passed)) ?? null;
    if (breakpoint !== null) this.#isPaused = true;
    if (!this.#isPaused) return Promise.resolve();
    return new Promise((resolve) => {
      const pass = () => {
        signal.removeEventListener('abort', pass);
        this.#waiting = this.#waiting.filter((other) => other.pass !== pass);
        resolve();
        this.onChange();
      };
      signal.addEventListener('abort', pass);
      this.#waiting.push({ parked: { ...point, breakpoint }, pass });
      this.onChange();
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.onChange();
  }

  continue(): void {
    this.#isPaused = false;
    this.#passAll();
  }

  /** Where nothing waits yet, an effect is under way, and the next one is the one that will wait. */
  step(): void {
    this.#isPaused = true;
    if (this.#waiting[0]) this.#waiting[0].pass();
    else this.onChange();
  }

  set(place: Breakpoint): void {
    this.#places.add(place);
    this.onChange();
  }

  clear(place: Breakpoint): void {
    this.#places.delete(place);
    this.onChange();
  }

  /** Nothing waits here any more, whatever is set: the run is to end. */
  open(): void {
    this.#isOpen = true;
    this.continue();
  }

  #passAll(): void {
    for (const { pass } of this.#waiting) pass();
    this.onChange();
  }
}
