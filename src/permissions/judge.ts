/**
 * Judges a call by rules: deny beats ask, ask beats allow, and what no rule is about is decided by the mode. A call of
 * several parts gets the strictest of their decisions. Without I/O; where a path leads is found by what is handed in.
 */
import { isProtected, matchRule } from './match.ts';
import type { Mode } from './mode.ts';
import type { CallToJudge, Decision, Policy } from './policy.ts';
import { denialByMode, denialByRule, planDenial } from './reasons.ts';
import { type Rule, type RuleList, tellRule } from './rule.ts';
import { type FindPlace, type JudgedPart, partsOf } from './subject.ts';

export interface PartJudgement {
  /** The part as a person reads it. */
  readonly part: string;
  readonly decision: RuleList;
  /** What decided: a rule of somebody, or one that always holds. */
  readonly why: string;
  readonly rule?: Rule;
  /** For the model, where it must not run. */
  readonly reason?: string;
}

export type Judgement = Decision & { readonly parts: readonly PartJudgement[] };

export interface RulesPolicy extends Policy {
  readonly rules: readonly Rule[];
  readonly mode: Mode;
  decide(call: CallToJudge): Promise<Decision>;
  /** The decision with all that led to it. */
  judge(call: CallToJudge): Promise<Judgement>;
}

export function policyOf(rules: readonly Rule[], mode: Mode, findPlace: FindPlace): RulesPolicy {
  const judge = async (call: CallToJudge): Promise<Judgement> => {
    if (mode === 'plan' && call.effect !== 'read') {
      const part: PartJudgement = {
        part: call.tool,
        decision: 'deny',
        why: 'the mode plan allows reads alone',
        reason: planDenial(call.tool),
      };
      return { ...decisionOf(call.tool, [part]), parts: [part] };
    }
    const parts = (await partsOf(call, findPlace)).map((part) => judgePart(part, call, rules, mode));
    return { ...decisionOf(call.tool, parts), parts };
  };
  return {
    rules,
    mode,
    judge,
    decide: async (call) => {
      const { parts: _, ...decision } = await judge(call);
      return decision;
    },
  };
}

const STRICTNESS: readonly RuleList[] = ['deny', 'ask', 'allow'];

/** A part that is the first of the strictest decides. A command without parts, such as a comment, does nothing. */
function decisionOf(tool: string, parts: readonly PartJudgement[]): Decision {
  const strictest = STRICTNESS.map((list) => parts.find(({ decision }) => decision === list)).find(Boolean);
  if (strictest === undefined) return { decision: 'allow', rule: 'nothing is run' };
  const { decision, why, reason = `Denied: ${tool} is not allowed (${why}).` } = strictest;
  if (decision === 'deny') return { decision, rule: why, reason };
  if (decision === 'ask') return { decision, rule: why };
  return { decision, rule: [...new Set(parts.map((part) => part.why))].join('; ') };
}

function judgePart(part: JudgedPart, call: CallToJudge, rules: readonly Rule[], mode: Mode): PartJudgement {
  const judged = byRules(part, rules) ?? byMode(part, call, mode);
  if (judged.decision !== 'ask' || mode !== 'deny') return judged;
  return { ...judged, decision: 'deny', reason: denialByMode(call.tool, judged) };
}

function byRules(part: JudgedPart, rules: readonly Rule[]): PartJudgement | undefined {
  const text = part.text;
  if (part.is === 'refused')
    return { part: text, decision: 'deny', why: 'the path cannot be used', reason: part.reason };
  const found = (list: RuleList, ...wanted: readonly string[]) =>
    rules.find((rule) => rule.list === list && wanted.includes(matchRule(rule, part)));
  const denied = found('deny', 'yes');
  if (denied)
    return {
      part: text,
      decision: 'deny',
      why: tellRule(denied),
      rule: denied,
      reason: denialByRule(denied, text),
    };
  const perhaps = found('deny', 'maybe') ?? found('ask', 'maybe');
  const asked = found('ask', 'yes');
  if (asked) return { part: text, decision: 'ask', why: tellRule(asked), rule: asked };
  if (perhaps)
    return {
      part: text,
      decision: 'ask',
      why: `${doubtOf(part)}, so ${tellRule(perhaps)} may apply`,
      rule: perhaps,
    };
  if (part.is === 'file' && isProtected(part))
    return { part: text, decision: 'ask', why: 'writing to .git or .pawl always asks' };
  const allowed = found('allow', 'yes');
  return allowed && { part: text, decision: 'allow', why: tellRule(allowed), rule: allowed };
}

function byMode(part: JudgedPart, { effect }: CallToJudge, mode: Mode): PartJudgement {
  const given = (decision: RuleList, why: string) => ({ part: part.text, decision, why });
  if (mode === 'bypass') return given('allow', 'the mode bypass allows what no rule forbids');
  if (part.is === 'unknown' || part.is === 'evaluation') return given('ask', part.why);
  const isInside = part.is === 'file' && part.isInside;
  if (effect === 'read' || (isInside && !part.isWrite)) return given('allow', 'reads are allowed');
  if (mode === 'accept-edits' && isInside)
    return given('allow', 'the mode accept-edits allows edits in the workspace');
  return given(
    'ask',
    part.is === 'file' && !isInside ? 'it is not known to stay in the workspace' : 'effects ask',
  );
}

function doubtOf(part: JudgedPart): string {
  if (part.is === 'unknown' || part.is === 'evaluation') return part.why;
  return part.is === 'file'
    ? 'it is not known which files it uses'
    : 'some of its words are not known before';
}
