import type { LoopEvent } from '../../machines/events.ts';
import type { Call } from '../../machines/turn.ts';
import { MOST_RESULT_BYTES } from '../../machines/window.ts';
import { JournalError } from '../journal/journal.ts';
import type { RunLog } from '../journal/run-log.ts';
import { keepResult } from '../tools/kept-results.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { ToolFailure } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { AfterCall } from './after-call.ts';
import { fingerprint } from './fingerprint.ts';
import { fitResult } from './fit-result.ts';
import { type Gate, mayPass } from './gate.ts';
import { keepFile } from './keep-file.ts';
import { normalised, type Outcome, redacted } from './outcome.ts';
import type { Redact } from './redact.ts';

/** A tool that ignores its abort signal is left behind after this, so that a cancel always comes to an end. */
const LONGEST_STOP_MS = 5_000;

export interface CallParts {
  readonly toolbox: Toolbox;
  readonly context: Omit<ToolContext, 'signal' | 'keepFile' | 'asked'>;
  readonly log: RunLog;
  readonly gate: Gate;
  readonly now: () => number;
  /** For results: a program can find the key in the environment of this process. */
  readonly redact: Redact;
  readonly afterCall: AfterCall;
}

export interface OneCall {
  readonly turn: number;
  readonly call: Extract<Call, { effect: unknown }>;
  /** null: as much as every result may have. */
  readonly maxResultBytes: number | null;
}

type Send = (event: LoopEvent) => void;

/** Order: precondition, intent on record, effect, hooks, outcome on record. The intent of a call with effects is on the disk first. */
export async function runCall(
  { toolbox, context, log, gate, now, redact, afterCall }: CallParts,
  { turn, call, maxResultBytes }: OneCall,
  signal: AbortSignal,
  send: Send,
): Promise<void> {
  const { id: callId, name, effect } = call;
  const input = log.transcript.openCall(callId)?.input;
  let startedAt = now();
  const finish = (found: Outcome) => record(redacted(found, redact));
  const record = async ({ content, ...rest }: Outcome) => {
    const keep = (text: string) => kept(context.workspace, callId, text);
    const most = Math.min(maxResultBytes ?? MOST_RESULT_BYTES, MOST_RESULT_BYTES);
    const outcome = { content: fitResult(content, most, keep), ...rest };
    // What is asked again and again because it changes is no repetition.
    const isPolling = toolbox.find(name)?.polls === true;
    const digest = isPolling ? fingerprint(callId) : fingerprint(name, input, outcome.content);
    const body = {
      type: 'tool.finished',
      turn,
      callId,
      ...outcome,
      fingerprint: digest,
      durationMs: now() - startedAt,
    } as const;
    if (effect === 'read') log.note(body);
    else await log.save(body);
    send({ type: 'tool.finished', turn, callId, fingerprint: digest });
  };

  const checked = toolbox.check(name, input);
  const asked = log.transcript.askedAbout(callId);
  const scope: ToolContext = { ...context, signal, keepFile: keepFile(log, turn, callId), asked };
  if (call.progress === 'started' && effect === 'effectful') {
    const found = checked.ok
      ? await withinStop(probed(checked.tool, checked.input, scope), signal, UNKNOWN_OUTCOME)
      : UNKNOWN_OUTCOME;
    if (found !== 'not happened') return finish(found);
  }
  // What an earlier process began, and can be repeated, may have had its effect then.
  const isRepeated = call.progress === 'started' && effect !== 'effectful';
  if (!checked.ok) return finish(isRepeated ? notRepeated(checked.reason) : notRun(checked.reason));
  const objection = await withinStop(objectionOf(checked.tool, checked.input, scope), signal, undefined);
  if (objection !== undefined)
    return finish(isRepeated ? notRepeated(objection.reason) : notRun(objection.text));

  if (!(await mayPass(gate, { kind: 'tool', turn, tool: name, callId }, signal))) return;
  // A call takes as long as it runs, however long somebody has held it at the gate.
  startedAt = now();
  const intent = { type: 'tool.started', turn, callId } as const;
  if (effect === 'read') log.note(intent);
  else await log.save(intent);
  send(intent);
  if (signal.aborted) return finish(isRepeated ? UNKNOWN_OUTCOME : STOPPED_BEFORE);
  const found = await withinStop(outcomeOf(checked.tool, checked.input, scope), signal, LEFT_BEHIND);
  await record(await afterCall({ turn, callId, tool: name, input }, redacted(found, redact), signal));
}

const UNKNOWN_OUTCOME: Outcome = {
  content:
    'This call was started before the run was interrupted, and its outcome is unknown: it may have happened fully, partly or not at all. Check the state of things before repeating it.',
  isError: true,
};

const notRun = (reason: string): Outcome => ({ content: reason.toWellFormed(), isError: true });

/** Why it cannot be repeated says nothing of what it did before. */
const notRepeated = (reason: string): Outcome =>
  notRun(`${UNKNOWN_OUTCOME.content} It was not repeated: ${reason}`);

const STOPPED_BEFORE: Outcome = {
  content: 'Not executed: the run was stopped right before it.',
  isError: true,
};

const LEFT_BEHIND: Outcome = {
  content:
    'Stopped, but it did not end in time: its outcome is unknown. Check the state of things before repeating it.',
  isError: true,
};

/** What a tool finds out about a call that an earlier process started. A probe that fails has found out nothing. */
async function probed(tool: Tool, input: unknown, context: ToolContext): Promise<Outcome | 'not happened'> {
  try {
    const found = await tool.probe?.(input, context);
    if (found === undefined) return UNKNOWN_OUTCOME;
    return found === 'not happened' ? found : normalised(found);
  } catch (error) {
    const { content } = UNKNOWN_OUTCOME;
    return { content: `${content} Looking it up failed: ${messageOf(error)}`.toWellFormed(), isError: true };
  }
}

interface Objection {
  readonly reason: string;
  /** For a call that never began. */
  readonly text: string;
}

async function objectionOf(tool: Tool, input: unknown, context: ToolContext): Promise<Objection | undefined> {
  try {
    const reason = await tool.precondition?.(input, context);
    return reason === undefined ? undefined : { reason, text: reason };
  } catch (error) {
    const reason = `the rule that guards this tool failed (${messageOf(error)}).`;
    return { reason, text: `Not executed: ${reason}` };
  }
}

async function outcomeOf(tool: Tool, input: unknown, context: ToolContext): Promise<Outcome> {
  try {
    return normalised(await tool.run(input, context));
  } catch (error) {
    // Met where the tool was about to note a change: the run ends before anything is changed.
    if (error instanceof JournalError) throw error;
    const content =
      error instanceof ToolFailure ? error.message : `The tool ${tool.name} failed: ${messageOf(error)}`;
    return { content: content.toWellFormed(), isError: true };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Where it cannot be kept, the result says so: it has been cut all the same. */
function kept(workspace: string, callId: string, text: string): string | undefined {
  try {
    return keepResult(workspace, callId, text);
  } catch {
    return undefined;
  }
}

/** What the work came to; `otherwise` where it has not ended some time after the stop. */
async function withinStop<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  otherwise: Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let arm = () => {};
  const late = new Promise<Value>((resolve) => {
    arm = () => {
      timer = setTimeout(resolve, LONGEST_STOP_MS, otherwise);
    };
  });
  if (signal.aborted) arm();
  else signal.addEventListener('abort', arm, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    signal.removeEventListener('abort', arm);
    clearTimeout(timer);
  }
}
