/** A run of this process, looked at while it goes on: its page, or a viewer of somebody else. */
import { Controls } from '../inspector/bridge/controls.ts';
import { type ControlFile, removeControlFile, writeControlFile } from '../inspector/control-file.ts';
import { type Library, runsIn } from '../inspector/library.ts';
import type { Parked } from '../inspector/protocol.ts';
import { type InspectorServer, startServer } from '../inspector/server.ts';
import { fileSource, MemorySource } from '../inspector/source.ts';
import { statelyInspector } from '../inspector/stately/stately.ts';
import { runPath, stateFolder } from '../journal/location.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { Means } from '../options.ts';
import type { RunEvent } from '../outcome.ts';
import type { Approver } from '../permissions/approver.ts';
import { changeAsDiff } from './call-to-decide.ts';
import { effectName } from './effect-name.ts';
import type { InspectSettings } from './inspect-settings.ts';
import { openInBrowser, tunnelHint } from './open-page.ts';
import { printableLine } from './printable.ts';
import { reasonOf } from './read-file.ts';
import { typed } from './typed.ts';

/** What a run gets from whoever looks at it. */
export interface Inspection extends Pick<Means, 'gate' | 'approver' | 'inspect'> {
  event(event: RunEvent): void;
  close(): Promise<void>;
}

export interface Inspected {
  readonly settings: InspectSettings;
  readonly toolNames: readonly string[];
  /** Of a run that is taken up again; null: a new one, whose first record says it. */
  readonly resumed: { readonly runId: string; readonly journal: string } | null;
  readonly isEphemeral: boolean;
  /** null: no terminal. */
  readonly terminal: Approver | null;
  readonly cancel: () => void;
  readonly tell: (line: string) => void;
}

const NOTHING: Inspection = { event: () => {}, close: async () => {} };

/** Never rejects: where there can be no viewer, that is told, and the run goes on without one. */
export async function startInspection(inspected: Inspected): Promise<Inspection> {
  const { settings, tell } = inspected;
  try {
    if (settings.viewer === 'stately') return await forStately(settings.port, tell);
    return await pageInspection(inspected);
  } catch (error) {
    const without =
      settings.breakpoints.length > 0 ? 'with neither its page nor its breakpoints' : 'without its page';
    tell(`The run goes on ${without}: ${printableLine(reasonOf(error))}.`);
    return NOTHING;
  }
}

async function forStately(port: number, tell: Inspected['tell']): Promise<Inspection> {
  const { inspect, stop } = await statelyInspector(port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND'
      ? new Error('the package @statelyai/inspect is missing. Install it: npm install @statelyai/inspect')
      : error;
  });
  tell(`inspection events go to ws://127.0.0.1:${port}`);
  return { inspect, event: () => {}, close: async () => stop() };
}

async function pageInspection(inspected: Inspected): Promise<Inspection> {
  const { settings, toolNames, terminal, cancel, tell } = inspected;
  const controls = new Controls({
    breakpoints: settings.breakpoints,
    tools: toolNames,
    terminal,
    diffOf: changeAsDiff,
    cancel,
  });
  const library: Library = { folder: stateFolder() };
  const server = await startServer(runsIn(library), settings.port);
  let served: ServedRun | undefined;
  const unwatch = controls.watch(heldLines(controls, inspected, () => served?.runId ?? ''));
  return {
    gate: controls.gate,
    approver: controls.questions,
    event(event) {
      if (event.type === 'transition') controls.transition(event);
      if (event.type !== 'record') return;
      if (served === undefined) {
        served = new ServedRun(event.record, inspected, server);
        library.own = { runId: served.runId, source: served.source, controls, command: served.command };
        for (const line of served.announce()) tell(line);
      }
      served.record(event.record);
    },
    async close() {
      unwatch();
      await server.close();
      served?.withdraw();
      if (served?.command) tell(`  its page again: ${served.command}`);
    },
  };
}

/** The run once it has begun: where its records are read, and where it can be steered from. */
class ServedRun {
  readonly runId: string;
  readonly source;
  readonly #journal: string | null;
  readonly #control: ControlFile;

  constructor(
    first: JournalRecord,
    private readonly inspected: Inspected,
    private readonly server: InspectorServer,
  ) {
    const { resumed, isEphemeral } = inspected;
    this.runId = resumed?.runId ?? (first.type === 'run.started' ? first.runId : '');
    this.#journal = isEphemeral ? null : (resumed?.journal ?? runPath(stateFolder(), this.runId));
    this.source = this.#journal === null ? new MemorySource() : fileSource(this.#journal);
    const { address, token } = server;
    this.#control = { runId: this.runId, address, token, pid: process.pid };
  }

  get command(): string | null {
    return this.#journal === null ? null : `${typed('inspect')} ${this.runId}`;
  }

  /** @returns what there is to tell */
  announce(): string[] {
    const { settings } = this.inspected;
    const { port } = this.server;
    const query = `run=${encodeURIComponent(this.runId)}`;
    const lines = [`  its page: ${this.server.open(query)}`];
    if (settings.port !== 0 && port !== settings.port)
      lines.unshift(`  port ${settings.port} cannot be had, so it is port ${port}`);
    lines.push(...tunnelHint(port, process.env));
    if (settings.opens) openInBrowser(this.server.openOnce(query), process);
    if (this.#journal !== null) {
      try {
        writeControlFile(this.#journal, this.#control);
      } catch (error) {
        lines.push(`  it cannot be steered from another terminal: ${printableLine(reasonOf(error))}`);
      }
    }
    return lines;
  }

  record(record: JournalRecord): void {
    if (this.source instanceof MemorySource) this.source.add(record);
  }

  withdraw(): void {
    if (this.#journal !== null) removeControlFile(this.#journal, this.#control);
  }
}

/** @returns tells, for each effect that begins to wait, what it is and how the run goes on; and where a question is answered */
function heldLines(controls: Controls, { terminal, tell }: Inspected, runId: () => string): () => void {
  let told: readonly unknown[] = [];
  return () => {
    const { parked, questions } = controls.state;
    for (const one of parked.filter((found) => !told.includes(found))) {
      tell(`  held before ${effectName(one)}${reason(one)}`);
      tell(`  go on with: ${typed('continue')} ${runId()}`);
    }
    for (const { callId, tool } of questions.filter((question) => !told.includes(question.callId)))
      if (terminal === null)
        tell(`? ${printableLine(tool)} asks (${printableLine(callId)}): answer on the page`);
    told = [...parked, ...questions.map(({ callId }) => callId)];
  };
}

const reason = ({ breakpoint }: Parked): string => (breakpoint === null ? '' : `, breakpoint ${breakpoint}`);
