import { kindOf } from '../checks/shape.ts';
import { JournalError } from '../journal/journal.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { ToolFailure } from '../tools/tool.ts';
import { mayPass } from './gate.ts';
import { keepFile } from './keep-file.ts';
import { normalised, type Outcome, redacted } from './outcome.ts';
import { type CallParts, mostBytes, type OneCall, recorder, type Send } from './record-outcome.ts';

/** A tool that ignores its abort signal is left behind after this, so that a cancel always comes to an end. */
const LONGEST_STOP_MS = 5_000;

/** A call whose intent is on record: what it is carried out with. */
export interface BegunCall {
  readonly tool: Tool;
  readonly input: unknown;
}

/** Order: precondition, intent on record, effect, hooks, outcome on record. The intent of a call with effects is on the disk first. */
export async function runCall(
  parts: CallParts,
  one: OneCall,
  signal: AbortSignal,
  send: Send,
): Promise<void> {
  const begun = await beginCall(parts, one, signal, send);
  if (begun !== undefined) await carryOut(parts, one, begun, signal, send);
}

/** Up to the intent. @returns undefined where nothing is to be carried out: the call has an outcome, or was left at the gate */
export async function beginCall(
  parts: CallParts,
  one: OneCall,
  signal: AbortSignal,
  send: Send,
): Promise<BegunCall | undefined> {
  const { toolbox, log, gate, redact } = parts;
  const { turn, call } = one;
  const { id: callId, name, effect } = call;
  const input = log.transcript.openCall(callId)?.input;
  const record = recorder(parts, one, send);
  const finish = (found: Outcome) => record(redacted(found, redact));
  const checked = toolbox.check(name, input);
  const scope = scopeOf(parts, one, signal);
  if (call.progress === 'started' && effect === 'effectful') {
    const found = checked.ok
      ? await withinStop(probed(checked.tool, checked.input, scope), signal, UNKNOWN_OUTCOME)
      : UNKNOWN_OUTCOME;
    if (found !== 'not happened') return finish(found);
  }
  const repeated = isRepeated(call);
  if (!checked.ok) return finish(repeated ? notRepeated(checked.reason) : notRun(checked.reason));
  const objection =
    checked.tool.precondition &&
    (await withinStop(objectionOf(checked.tool, checked.input, scope), signal, undefined));
  if (objection !== undefined)
    return finish(repeated ? notRepeated(objection.reason) : notRun(objection.text));

  if (!(await mayPass(gate, { kind: 'tool', turn, tool: name, callId }, signal))) return undefined;
  const intent = { type: 'tool.started', turn, callId } as const;
  if (effect === 'read') log.note(intent);
  else await log.save(intent);
  send(intent);
  return checked;
}

/** From the intent on. */
export async function carryOut(
  parts: CallParts,
  one: OneCall,
  { tool, input }: BegunCall,
  signal: AbortSignal,
  send: Send,
): Promise<void> {
  const { log, redact, afterCall } = parts;
  const { turn, call } = one;
  const { id: callId, name } = call;
  // A call takes as long as it runs, however long somebody has held it at the gate.
  const record = recorder(parts, one, send);
  if (signal.aborted) return record(redacted(isRepeated(call) ? UNKNOWN_OUTCOME : STOPPED_BEFORE, redact));
  const found = await withinStop(outcomeOf(tool, input, scopeOf(parts, one, signal)), signal, LEFT_BEHIND);
  const seen = { turn, callId, tool: name, input: log.transcript.openCall(callId)?.input };
  await record(await afterCall(seen, redacted(found, redact), signal));
}

/** What an earlier process began, and can be repeated, may have had its effect then. */
const isRepeated = ({ progress, effect }: OneCall['call']): boolean =>
  progress === 'started' && effect !== 'effectful';

const scopeOf = ({ context, log }: CallParts, one: OneCall, signal: AbortSignal): ToolContext => ({
  ...context,
  signal,
  keepFile: keepFile(log, one.turn, one.call.id),
  asked: log.transcript.askedAbout(one.call.id),
  maxResultBytes: mostBytes(one),
});

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
    const reason: unknown = await tool.precondition?.(input, context);
    if (reason === undefined) return undefined;
    // Whatever it meant: a rule whose word nobody understands lets nothing through.
    if (typeof reason !== 'string')
      throw new Error(`it answered with ${kindOf(reason)}, and not with a text`);
    return { reason, text: reason };
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
