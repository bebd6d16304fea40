/** Whether a program of awk may run a command. In doubt it may. */

/** Behind these a slash begins a pattern; elsewhere it may divide, and is looked behind. */
const BEFORE_PATTERN = /[({,;!~&|}\n]|^$/;

/** system(…), a pipe, an extension or an indirect call, outside of texts and patterns. */
export function runsFromAwk(program: string): boolean {
  let before = '';
  for (let at = 0; at < program.length; at += 1) {
    const letter = program.charAt(at);
    if (letter === '#') at = endOf(program, at, '\n') - 1;
    else if (letter === '\\' && program.charAt(at + 1) === '\n') at += 1;
    else if (letter === '"') at = endOf(program, at, '"');
    else if (letter === '/' && BEFORE_PATTERN.test(before)) {
      const end = endOf(program, at, '/');
      // A slash in brackets ends the pattern for some, and not for others.
      if (/\[[^\]]*$/.test(program.slice(at, end))) return true;
      at = end;
    } else if (letter === '@' || program.startsWith('system', at)) return true;
    else if (letter === '|') {
      if (program.charAt(at + 1) !== '|') return true;
      at += 1;
    }
    if (letter === '\n' || !/\s/.test(letter)) before = program.charAt(at);
  }
  return false;
}

/** Where the next such letter stands that no backslash is in front of. */
function endOf(text: string, from: number, letter: string): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\' && letter !== '\n') at += 1;
    else if (text.charAt(at) === letter) return at;
  }
  return text.length;
}
