/**
 * What a person has allowed for the rest of this process. Kept in memory alone: a permission is given to one process.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Policy } from './policy.ts';

interface OneCall {
  readonly tool: string;
  readonly input: unknown;
}

/** These are about one file, which is what a person says yes to; what else has effects may differ in one letter. */
const EDITS: ReadonlySet<string> = new Set(['write_file', 'edit_file']);

export class Session {
  readonly #allowed: OneCall[] = [];

  allow({ tool, input }: OneCall): void {
    this.#allowed.push({ tool, input });
  }

  /** What asks runs if it was allowed before; what is denied stays denied. */
  over(policy: Policy): Policy {
    return {
      decide: async (call) => {
        const decided = await policy.decide(call);
        if (decided.decision !== 'ask' || !this.#covers(call)) return decided;
        return { decision: 'allow', rule: `always: ${sessionRule(call)}` };
      },
    };
  }

  #covers({ tool, input }: OneCall): boolean {
    return this.#allowed.some(
      (one) => one.tool === tool && isDeepStrictEqual(subjectOf(one), subjectOf({ tool, input })),
    );
  }
}

/** What "always" covers, in the form of a rule: further edits of the file, else this very call. */
export function sessionRule(call: OneCall): string {
  const subject = subjectOf(call);
  const { command } = (subject ?? {}) as { readonly command?: unknown };
  const text = [subject, command].findLast((one) => typeof one === 'string') ?? JSON.stringify(subject) ?? '';
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return `${call.tool}(${short})`.toWellFormed();
}

/** The file whose further edits "always" covers; undefined: it covers this very call. */
export function sessionSubject(call: OneCall): string | undefined {
  const path = EDITS.has(call.tool) ? subjectOf(call) : undefined;
  return typeof path === 'string' ? path : undefined;
}

const subjectOf = ({ tool, input }: OneCall): unknown =>
  EDITS.has(tool) ? (input as { readonly path?: unknown } | null)?.path : input;

/** A rule is a name; what is compared is the call. */
const LONGEST_TEXT = 200;
