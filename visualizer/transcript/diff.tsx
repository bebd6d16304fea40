import { useState } from 'preact/hooks';
import { counted } from '../parts/format.ts';

const TONES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'place' };
const FOLDED_LINES = 16;
/** More would only make the page slow. */
const MOST_LINES = 5_000;

/** Lines of a diff. @param isWhole nothing is folded: whoever decides sees all of it */
export function Diff({
  lines,
  isWhole = false,
}: {
  readonly lines: readonly string[];
  readonly isWhole?: boolean;
}) {
  const [isOpen, setOpen] = useState(isWhole);
  const shown = lines.slice(0, isOpen ? MOST_LINES : FOLDED_LINES);
  const rest = lines.length - shown.length;
  return (
    <>
      <pre class="diff">
        {shown.map((line, index) => (
          <span key={index} class={TONES[line[0] ?? ''] ?? 'same'}>
            {line}
            {'\n'}
          </span>
        ))}
        {lines.length === 0 && <span class="place">(nothing would change)</span>}
      </pre>
      {rest > 0 && (
        <button type="button" class="unfold" onClick={() => setOpen(true)}>
          {isOpen ? `${counted(rest, 'more line')}: too many to show` : `Show ${counted(rest, 'more line')}`}
        </button>
      )}
    </>
  );
}
