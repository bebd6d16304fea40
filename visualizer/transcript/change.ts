/** What a call of pawl's own tools changes in a file, as lines of a diff: told from its arguments alone. Pure. */
export interface Change {
  /** Arguments that are not in the lines. */
  readonly others: object;
  /** Each begins with "+", "-" or a space. */
  readonly lines: readonly string[];
}

/** null: it changes no file, or is no call that says how. */
export function changeOf(tool: string, input: unknown): Change | null {
  const { content, old_string: from, new_string: to, ...others } = (input ?? {}) as Record<string, unknown>;
  if (tool === 'write_file' && typeof content === 'string')
    return { others, lines: marked('+', linesOf(content)) };
  if (tool === 'edit_file' && typeof from === 'string' && typeof to === 'string')
    return { others, lines: diffOf(linesOf(from), linesOf(to)) };
  return null;
}

/** The line end behind the last line begins no further one. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const marked = (mark: string, lines: readonly string[]): string[] => lines.map((line) => mark + line);

/** More pairs of lines are not compared one by one. */
const MOST_PAIRS = 250_000;

/** What both have at their beginnings and ends stays; between them, the longest lines that they have in common. */
function diffOf(from: readonly string[], to: readonly string[]): string[] {
  const least = Math.min(from.length, to.length);
  let start = 0;
  while (start < least && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < least - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const [left, right] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  return [
    ...marked(' ', from.slice(0, start)),
    ...(left.length * right.length > MOST_PAIRS
      ? [...marked('-', left), ...marked('+', right)]
      : compared(left, right)),
    ...marked(' ', from.slice(from.length - end)),
  ];
}

function compared(left: readonly string[], right: readonly string[]): string[] {
  // How many lines are common from here on, for each pair of places.
  const common = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      (common[row] as Uint32Array)[column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length)
    if (row < left.length && left[row] === right[column] && column < right.length) {
      lines.push(` ${left[row]}`);
      row += 1;
      column += 1;
    } else if (row < left.length && (column === right.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`-${left[row]}`);
      row += 1;
    } else {
      lines.push(`+${right[column]}`);
      column += 1;
    }
  return lines;
}
