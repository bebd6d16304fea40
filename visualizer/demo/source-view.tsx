import { useEffect, useRef } from 'preact/hooks';
import { spotOf, tokensOf } from './source-text.ts';

/** The source of the machine, with the state that it is in marked and in sight. */
export function SourceView({ state }: { readonly state: string }) {
  const pane = useRef<HTMLDivElement>(null);
  const { source, range } = spotOf(state);
  const [from, to] = range ?? [-1, -1];
  useEffect(() => {
    const element = pane.current;
    const line = element?.querySelectorAll('li')[Math.max(0, from)];
    if (element && line && from >= 0)
      element.scrollTo({ top: line.offsetTop - element.clientHeight / 4, behavior: 'smooth' });
  }, [source, from]);
  return (
    <div
      class="source"
      ref={pane}
      role="region"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      data-scrolls
      aria-label={`Source, ${source.file}`}
    >
      <p class="source-name">machines/{source.file}</p>
      <ol>
        {source.lines.map((line, at) => (
          <li key={at} class={at >= from && at <= to ? 'here' : undefined}>
            {tokensOf(line).map(({ is, text }, place) => (
              <span key={place} class={`token-${is}`}>
                {text}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}
