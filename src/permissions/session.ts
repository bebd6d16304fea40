/**
 * What a person has allowed for the rest of this process. Kept in memory alone: a permission is given to one process.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Policy } from './policy.ts';

interface OneCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Their diff is on the screen each time, and they stay in the workspace; what else has effects may differ in one letter. */
const EDITS: ReadonlySet<string> = new Set(['write_file', 'edit_file']);

export class Session {
  readonly #allowed: OneCall[] = [];

  allow({ tool, input }: OneCall): void {
    this.#allowed.push({ tool, input });
  }

  /** What asks runs if it was allowed before; what is denied stays denied. */
  over(policy: Policy): Policy {
    return {
      decide: (call) => {
        const decided = policy.decide(call);
        if (decided.decision !== 'ask' || !this.#covers(call)) return decided;
        return { decision: 'allow', rule: `always: ${sessionRule(call)}` };
      },
    };
  }

  #covers({ tool, input }: OneCall): boolean {
    return this.#allowed.some(
      (one) => one.tool === tool && (EDITS.has(tool) || isDeepStrictEqual(one.input, input)),
    );
  }
}

/** What "always" covers, in the form of a rule: every call of a tool that edits files, else this very call. */
export function sessionRule({ tool, input }: OneCall): string {
  if (EDITS.has(tool)) return tool;
  const { command } = (input ?? {}) as { readonly command?: unknown };
  const text = typeof command === 'string' ? command : (JSON.stringify(input) ?? '');
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return `${tool}(${short})`.toWellFormed();
}

/** A rule is a name; what is compared is the call. */
const LONGEST_TEXT = 200;
