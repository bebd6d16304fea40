/** A text of any length, as text. A long one is folded; one of megabytes is never drawn whole. */
import { useState } from 'preact/hooks';
import { figure } from '../parts/format.ts';
import { beginningOf } from './folded-text.ts';

const MOST_LETTERS = 200_000;

export function Folded({
  text,
  tone = 'plain',
}: {
  readonly text: string;
  readonly tone?: 'plain' | 'bad' | 'prose';
}) {
  const [isOpen, setOpen] = useState(false);
  const beginning = beginningOf(text);
  const isLong = beginning.length < text.length;
  const shown = isOpen ? text.slice(0, MOST_LETTERS) : beginning;
  return (
    <div class={`text text-${tone}`}>
      <pre>{shown}</pre>
      {isOpen && text.length > MOST_LETTERS && (
        <p class="cut">
          {figure(text.length - MOST_LETTERS)} more characters are left out here; copying takes all.
        </p>
      )}
      {isLong && (
        <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${figure(text.length)} characters`}
        </button>
      )}
    </div>
  );
}
