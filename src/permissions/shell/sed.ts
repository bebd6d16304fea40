/** Whether a script of sed may run a command: by the command e, or the flag e of s. What is not understood may. */
export const runsFromSed = (script: string): boolean => !new Script(script).isHarmless();

const ADDRESS = /^(?:[0-9]+(?:~[0-9]+)?|\$|[~+][0-9]+)/;
/** Nothing of these runs anything: alone, with a number, with a label, with the rest of the line. */
const HARMLESS = [/^[={}dDgGhHnNpPxzF]/, /^[lqQL][ \t]*[0-9]*/, /^[btTv:][^\n;}]*/, /^[#rRwW][^\n]*/];
/** Text to be put in, with lines that end in a backslash. */
const TEXT = /^[aic](?:[^\\\n]|\\[\s\S])*/;
const FLAGS = /^[gpiImM0-9]*(?:w[^\n]*)?/;

class Script {
  constructor(private rest: string) {}

  isHarmless(): boolean {
    for (;;) {
      this.#take(/^[\s;]+/);
      if (this.rest === '') return true;
      if (!this.#addresses() || !this.#command()) return false;
    }
  }

  #take(what: RegExp): string {
    const found = what.exec(this.rest)?.[0] ?? '';
    this.rest = this.rest.slice(found.length);
    return found;
  }

  #addresses(): boolean {
    if (!this.#address()) return false;
    if (this.#take(/^[ \t]*,[ \t]*/) !== '' && !this.#address()) return false;
    this.#take(/^[\s!]+/);
    return true;
  }

  #address(): boolean {
    if (this.#take(ADDRESS) !== '' || !/^(\/|\\[^\n])/.test(this.rest)) return true;
    this.#take(/^\\/);
    if (!this.#pattern(true)) return false;
    this.rest = this.rest.slice(1);
    this.#take(/^[IM]+/);
    return true;
  }

  #command(): boolean {
    const isBlock = /^[{}]/.test(this.rest);
    if (/^[sy][^\s\\]/.test(this.rest)) {
      this.rest = this.rest.slice(1);
      if (!this.#pattern(true) || !this.#pattern(false)) return false;
      this.rest = this.rest.slice(1);
      this.#take(FLAGS);
    } else {
      const known = [...HARMLESS, TEXT].find((one) => one.test(this.rest));
      if (known === undefined) return false;
      this.#take(known);
    }
    // Whatever else stands in the same line is read otherwise than here.
    return isBlock || /^[ \t]*([\n;}#]|$)/.test(this.rest);
  }

  /** Goes on to the next letter like the one in hand. In brackets of a pattern it is a letter like others. */
  #pattern(hasBrackets: boolean): boolean {
    const mark = this.rest.charAt(0);
    for (let at = 1; at < this.rest.length; at += 1) {
      const letter = this.rest.charAt(at);
      if (letter === '\\') at += 1;
      else if (letter === mark) {
        this.rest = this.rest.slice(at);
        return true;
      } else if (letter === '\n') return false;
      else if (letter === '[' && hasBrackets) {
        const brackets = /^\[\^?\]?(?:\[[:.=][^\]\n]*\]|[^\]\n])*\]/.exec(this.rest.slice(at));
        if (brackets === null) return false;
        at += brackets[0].length - 1;
      }
    }
    return false;
  }
}
