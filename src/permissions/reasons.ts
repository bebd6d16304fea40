/** What the model is told of a call that was denied: why, that nothing was run, and what it can do. */
import { type Rule, tellRule } from './rule.ts';

const NEXT =
  'Nothing of this call was run. Do the task without it; if that cannot be done, say in your answer what is left and why.';

export const denialByRule = (rule: Rule, part: string): string =>
  `Denied by the rule "${tellRule(rule)}", which is about: ${part}\n${NEXT}`;

export const denialByMode = (tool: string, part: string, why: string, inEveryMode: boolean): string =>
  `Denied: ${tool} needs an approval (${why}: ${part}), and nobody is asked in this run. ${NEXT} Whoever starts the run can ${inEveryMode ? '' : 'allow such calls by a rule (--allow RULE), or '}be asked in the mode ask (--permission-mode ask).`;

export const planDenial = (tool: string): string =>
  `Denied: this run only looks and plans, and ${tool} may change something. Use the tools that read, and describe in your answer what is to be done.`;
