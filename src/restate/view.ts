import type { InspectionEvent } from 'xstate';
import type { LoopContext } from '../../machines/context.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import type { JournalRecord, RunStarted } from '../journal/record.ts';
import { GLANCE, type Glance, recordKey, type Submission } from './protocol.ts';

/** Of the task, in lists. */
const LONGEST_TASK = 200;

/** What readers see of a run: its records, each written once, and how far it has come. */
export class View {
  #header: RunStarted | undefined;
  #context: LoopContext | undefined;
  #isWaiting = false;
  #shown = '';

  /** @param set sets a value that readers see */
  constructor(private readonly set: (key: string, text: string) => void) {}

  add(record: JournalRecord): void {
    if (record.type === 'run.started') this.#header = record;
    this.set(recordKey(record.seq), JSON.stringify(record));
  }

  /** Where the machine of the loop stands. */
  look(inspected: InspectionEvent): void {
    if (inspected.type !== '@xstate.snapshot' || !('context' in inspected.snapshot)) return;
    const { context, value } = inspected.snapshot as unknown as { context: LoopContext; value: unknown };
    this.#context = context;
    this.#isWaiting = typeof value === 'object' && value !== null && 'awaitingApproval' in value;
  }

  /** Where nothing has changed, nothing is written. */
  show(status: Glance['status'] = null): void {
    if (this.#header === undefined) return;
    const { task, model, workspace } = this.#header;
    this.#write({ task, model, workspace, status });
  }

  /** A run that has no header, since none could be made of what was submitted. */
  showNothing({ task, workspace }: Submission, status: 'rejected' | 'internal_error'): void {
    this.#write({ task, model: '', workspace: workspace ?? '', status });
  }

  #write({ task, ...named }: Pick<Glance, 'task' | 'model' | 'workspace' | 'status'>): void {
    const glance: Glance = {
      task: task.slice(0, LONGEST_TASK).toWellFormed(),
      ...named,
      isWaiting: this.#isWaiting,
      turns: this.#context?.counters.turns ?? 0,
      usage: this.#context?.usage ?? NO_USAGE,
      costUsd: this.#context?.costUsd ?? 0,
    };
    const text = JSON.stringify(glance);
    if (text !== this.#shown) this.set(GLANCE, text);
    this.#shown = text;
  }
}
