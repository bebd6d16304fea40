/**
 * Judges a call by rules: deny beats ask, ask beats allow, and what no rule is about is decided by the mode. A call of
 * several parts gets the strictest of their decisions. Without I/O; where a path leads is found by what is handed in.
 */
import type { Effect } from '../../machines/protocol.ts';
import { isProtected, matchRule } from './match.ts';
import type { Mode } from './mode.ts';
import type { CallToJudge, Decision, Policy } from './policy.ts';
import { denialByMode, denialByRule, planDenial } from './reasons.ts';
import { type Rule, type RuleList, tellRule } from './rule.ts';
import { type FindPlace, type JudgedPart, partsOf } from './subject.ts';
import type { Match } from './wildcard.ts';

export interface PartJudgement {
  /** The part as a person reads it. */
  readonly part: string;
  readonly decision: RuleList;
  /** What decided, or why nobody could tell. */
  readonly why: string;
  /** Absent where no rule of a person decided. */
  readonly rule?: Rule;
  /** It is what no rule is about. */
  readonly isByMode?: boolean;
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
    const parts = (await partsOf(call, findPlace)).map((part) => judgePart(part, call, rules, mode));
    const { decision, part, why, rule } = strictest(parts);
    const inEveryMode = parts.some((one) => one.decision === 'ask' && !one.isByMode);
    if (mode === 'plan' && call.effect !== 'read')
      return {
        decision: 'deny',
        rule: 'the mode plan allows reads alone',
        reason: planDenial(call.tool),
        parts,
      };
    if (mode === 'deny' && decision === 'ask')
      return { decision: 'deny', rule: why, reason: denialByMode(call.tool, part, why, inEveryMode), parts };
    if (decision === 'deny')
      return rule
        ? { decision, rule: why, reason: denialByRule(rule, part), parts }
        : { decision, rule: why, reason: why, isImpossible: true, parts };
    return decision === 'ask'
      ? { decision, rule: why, ...(inEveryMode && { inEveryMode }), parts }
      : { decision, rule: reasonsOf(parts), parts };
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

/** The first of them, where several are. A call has at least one part. */
const strictest = (parts: readonly PartJudgement[]): PartJudgement =>
  parts.reduce((worst, part) =>
    STRICTNESS.indexOf(part.decision) < STRICTNESS.indexOf(worst.decision) ? part : worst,
  );

const COVERED = 'it is started by what is allowed';

const reasonsOf = (parts: readonly PartJudgement[]): string =>
  [...new Set(parts.map(({ why }) => why))].filter((why) => why !== COVERED).join('; ');

function judgePart(part: JudgedPart, call: CallToJudge, rules: readonly Rule[], mode: Mode): PartJudgement {
  const given = (decision: RuleList, why: string, rule?: Rule): PartJudgement => ({
    part: part.text,
    decision,
    why,
    ...(rule && { rule }),
  });
  const byRule = (rule: Rule) => given(rule.list, tellRule(rule), rule);
  const find = (list: RuleList, match: Match) =>
    rules.find((rule) => rule.list === list && matchRule(rule, part) === match);

  const denied = find('deny', 'yes');
  if (denied) return byRule(denied);
  if (part.is === 'refused') return given('deny', part.why);
  const asked = find('ask', 'yes');
  if (asked) return byRule(asked);
  const perhaps = find('deny', 'maybe') ?? find('ask', 'maybe');
  if (perhaps) return given('ask', `${doubtOf(part)}, and ${tellRule(perhaps)} may be about it`, perhaps);
  if (part.is === 'file' && isProtected(part)) return given('ask', 'writing to .git and .pawl always asks');
  if (part.isCovered) return given('allow', COVERED);
  const allowed = find('allow', 'yes');
  if (allowed) return byRule(allowed);
  const [decision, why] = byMode(part, call.effect, mode);
  return { ...given(decision, why), isByMode: true };
}

/** What becomes of a part that no rule is about. */
function byMode(part: JudgedPart, effect: Effect, mode: Mode): readonly ['allow' | 'ask', string] {
  if (mode === 'bypass') return ['allow', 'the mode bypass allows what no rule is about'];
  if (effect === 'read') return ['allow', 'reads are allowed'];
  if (part.is === 'unknown' || part.is === 'evaluation') return ['ask', part.why];
  if (part.is !== 'file') return ['ask', 'effects ask'];
  if (!part.isInside) return ['ask', 'it is not known to stay in the workspace'];
  if (!part.isWrite) return ['allow', 'reads are allowed'];
  return mode === 'accept-edits'
    ? ['allow', 'the mode accept-edits allows edits in the workspace']
    : ['ask', 'effects ask'];
}

function doubtOf(part: JudgedPart): string {
  if ('why' in part) return part.why;
  return part.is === 'file' ? 'it is not known which files it uses' : 'its words are not all known before';
}
