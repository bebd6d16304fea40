/**
 * What the page and the server say to each other. Types only: the page bundles this file.
 *
 *   GET  /?token=T[&run=ID | &demo]     the page; the token is kept in a cookie, and the address is cleared of it: the page
 *                                       is at /?run=ID (one run), /?demo (the scenario player) or / (the list)
 *   GET  /api/runs                      RunEntry[], newest first, at most 500
 *   GET  /api/runs/ID/records           server-sent events, see FeedEvents. Last-Event-ID goes on behind it. An ID that there
 *                                       is not is answered with 404, and EventSource then stays closed
 *   GET  /api/runs/ID/control           ControlState
 *   POST /api/runs/ID/control           Command; answered with ControlState
 *   POST /api/runs/ID/approvals         Decision; answered with ControlState
 *
 * Every request needs the cookie (or `Authorization: Bearer T`), a Host that is the server's own, and no foreign Origin;
 * what changes something is JSON. A refusal is a Problem: 400 what cannot be understood, 403 not allowed, 404 no such run,
 * 409 a run that this process cannot steer, or a call that does not wait.
 *
 * A page file for `pawl export --html` is dist/visualizer/export.html with one empty
 * <script type="application/json" id="pawl-records"></script>: its content becomes JournalRecord[].
 */
import type { RunStatus } from '../../machines/status.ts';
import type { JournalRecord } from '../journal/record.ts';

export interface RunEntry {
  readonly runId: string;
  readonly task: string;
  /** ISO 8601. Empty where the journal cannot be read. */
  readonly startedAt: string;
  /** null: not ended, `isLive` tells whether somebody works on it. 'rejected': an engine's workers could not begin it. */
  readonly status: RunStatus | 'rejected' | null;
  readonly isLive: boolean;
  /** Calls in it wait for a person. */
  readonly isWaiting: boolean;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** What is wrong with its journal, or why it was rejected, in words; null: nothing. */
  readonly problem: string | null;
}

/** The events of a feed by name, and what their data is. `records` alone has an id: the seq of the last one. */
export interface FeedEvents {
  /** Many at a time where there are many: an event for each would take the browser longer than all that it does with them. */
  records: readonly JournalRecord[];
  /** All records that there were are sent; what comes now is live. Once. */
  live: null;
  /** The run is at work in an engine, and the address of that: what waits in it is answered there. Once, first. */
  engine: { readonly url: string };
  /** Whether a process works on the journal, first and whenever it changes. Not told where this process or an engine runs the run. */
  held: boolean;
  /** Where this process runs the run: now, and whenever it changes. */
  control: ControlState;
  /** A microstep, where this process runs the run. Live only, and left out for a reader that is behind. */
  transition: Transition;
  /** The end of the feed: the journal was deleted. */
  gone: null;
  /** The end of the feed: the journal cannot be read any further, and why. */
  damaged: { readonly problem: string };
  /** The end of the feed: the process that serves it ends. The command shows the run again; null: it left no journal. */
  over: { readonly command: string | null };
}

/** Full state names, such as "persisting.response"; `from` is empty where the machine begins. */
export interface Transition {
  readonly from: string;
  readonly state: string;
  readonly event: string;
  readonly turn: number;
}

/**
 * Where a run is held: `executing` (a state, or one that states are in), `asking->backingOff` (a transition),
 * `tool:bash`. The next effect behind it waits; a tool's breakpoint holds each of its calls. Terminal states have no effect
 * behind them and are refused.
 */
export type Breakpoint = string;

/** Why an effect waits at the gate. */
export interface Parked {
  readonly kind: 'request' | 'wait' | 'review' | 'hook' | 'approval' | 'tool' | 'check';
  readonly turn: number;
  readonly tool?: string;
  readonly callId?: string;
  /** The breakpoint that held it; null: the run is paused or stepped. */
  readonly breakpoint: Breakpoint | null;
}

/** A call that waits for a person's word. */
export interface OpenQuestion {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** Where the call would change a file: a unified diff against the file as it is now. null: none could be made. */
  readonly diff: readonly string[] | null;
}

/**
 * `isControlled` false: another process's run or one that is over; it can be watched, not steered. `isPaused`: effects
 * wait, whether by a breakpoint, by `pause` or behind a step.
 */
export interface ControlState {
  readonly isControlled: boolean;
  readonly isPaused: boolean;
  readonly parked: readonly Parked[];
  readonly breakpoints: readonly Breakpoint[];
  readonly questions: readonly OpenQuestion[];
}

/** `step`: one effect passes, and the next one waits; a run that is not paused is paused. */
export type Command =
  | { readonly command: 'pause' | 'continue' | 'step' | 'cancel' }
  | { readonly command: 'break' | 'unbreak'; readonly at: Breakpoint };

export interface Decision {
  readonly callId: string;
  readonly granted: boolean;
  /** Goes to the model. */
  readonly reason?: string;
}

export interface Problem {
  readonly problem: string;
}
