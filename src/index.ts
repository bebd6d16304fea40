/** The public interface of pawl. */
export type { JobInputs, JobName, LoopContext, LoopInput } from '../machines/context.ts';
export type { AttemptFailure, LoopEvent, PendingRecord, StopCalls } from '../machines/events.ts';
export { DEFAULT_LIMITS, type Limits } from '../machines/limits.ts';
export { loopMachine } from '../machines/loop.machine.ts';
export type * from '../machines/protocol.ts';
export { digestReply } from '../machines/reply.ts';
export {
  END_STATUSES,
  type EndStatus,
  exitCodeOf,
  type RunStatus,
  STOP_STATUSES,
  type StopStatus,
} from '../machines/status.ts';
export { taskMachine } from '../machines/task.machine.ts';
export {
  repairInstruction,
  TASK_STATUSES,
  type TaskContext,
  type TaskEvent,
  type TaskInput,
  type TaskJobInputs,
  type TaskJobName,
  type TaskStatus,
} from '../machines/task.ts';
export { type EffectPoint, type Gate, openGate } from './actors/gate.ts';
export { parsePrices } from './budget/parse-prices.ts';
export { LIST_PRICES, type Prices } from './budget/price-list.ts';
export { OptionsError } from './checks/options-error.ts';
export { type CallDecision, CannotDecide, type DecideOptions, decide } from './decide.ts';
export {
  commandEndHook,
  commandHook,
  type EndHookCommand,
  type HookCommand,
} from './hooks/command-hook.ts';
export type { CallFacts, EndFacts, EndHook, Hook, Hooks, ResultFacts } from './hooks/hook.ts';
export { fileJournal, reopenJournal } from './journal/file.ts';
export { Fold, foldRecords } from './journal/fold.ts';
export {
  type Journal,
  JournalCorrupt,
  JournalError,
  JournalHeld,
  type OpenedJournal,
} from './journal/journal.ts';
export { memoryJournal } from './journal/memory.ts';
export { readJournal } from './journal/read.ts';
export type { Check, JournalRecord, RecordBody } from './journal/record.ts';
export { anthropicModel } from './model/anthropic.ts';
export { type ModelClient, ModelFailure, type ModelRequest } from './model/client.ts';
export { scriptedModel } from './model/scripted.ts';
export type { Means, ResumeOptions, RunOptions } from './options.ts';
export { RunCrashed, type RunEvent, type RunFacts, type RunOutcome } from './outcome.ts';
export { type ApprovalAnswer, type ApprovalRequest, type Approver, later } from './permissions/approver.ts';
export type { Judgement, PartJudgement, RulesPolicy } from './permissions/judge.ts';
export type { Mode } from './permissions/mode.ts';
export {
  allowAll,
  askForEffects,
  type CallToJudge,
  type Decision,
  type Policy,
} from './permissions/policy.ts';
export { type Rule, RuleError } from './permissions/rule.ts';
export { resume } from './resume.ts';
export { CannotResume } from './resumption.ts';
export { type RulesPolicyOptions, rulesPolicy } from './rules-policy.ts';
export { run } from './run.ts';
export { type Confinement, confine } from './sandbox/confine.ts';
export type { ProcessRequest, ProcessResult, Sandbox } from './sandbox/sandbox.ts';
export type { View } from './sandbox/view.ts';
export { builtinTools } from './tools/registry.ts';
export { defineTool, type FileChange, type Tool, type ToolContext, ToolFailure } from './tools/tool.ts';
export { type WaitingCall, waitingCalls } from './waiting.ts';
