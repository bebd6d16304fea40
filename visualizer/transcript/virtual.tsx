/** A list of which only what can be seen is in the document, however long it is and whatever the heights of its items. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly count: number;
  readonly label: string;
  readonly item: (index: number) => ComponentChildren;
  readonly keyOf: (index: number) => string;
}

const ESTIMATE_PX = 90;
/** So much is drawn above and below what can be seen. */
const BEYOND_PX = 500;

export function Virtual({ count, label, item, keyOf }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const [scroll, setScroll] = useState({ top: 0, height: 800 });
  const [, draw] = useState(0);
  const atEnd = useRef(true);

  const places = useRef(new Map<string, number>());
  const tops: number[] = [];
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    const key = keyOf(index);
    tops.push(total);
    places.current.set(key, total);
    total += heights.current.get(key) ?? ESTIMATE_PX;
  }
  const first = Math.max(0, lastBefore(tops, scroll.top - BEYOND_PX));
  const end = Math.min(count, lastBefore(tops, scroll.top + scroll.height + BEYOND_PX) + 1);

  const [measured] = useState(
    () =>
      new ResizeObserver((entries) => {
        let isNew = false;
        for (const { target } of entries) {
          const { key } = (target as HTMLElement).dataset;
          const height = (target as HTMLElement).offsetHeight;
          if (key === undefined || height === 0 || heights.current.get(key) === height) continue;
          // What is above the sight must not push it.
          const above = (places.current.get(key) ?? 0) < (pane.current?.scrollTop ?? 0);
          if (above && !atEnd.current && pane.current)
            pane.current.scrollTop += height - (heights.current.get(key) ?? ESTIMATE_PX);
          heights.current.set(key, height);
          isNew = true;
        }
        if (isNew) draw((times) => times + 1);
      }),
  );

  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const read = () => {
      const { scrollTop, clientHeight, scrollHeight } = element;
      atEnd.current = scrollTop + clientHeight >= scrollHeight - 24;
      setScroll({ top: scrollTop, height: clientHeight });
    };
    const sizes = new ResizeObserver(read);
    sizes.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  useEffect(() => () => measured.disconnect(), []);

  useLayoutEffect(() => {
    const element = pane.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [count, total]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div class="virtual" ref={pane} role="feed" aria-label={label} tabIndex={0} data-scrolls>
      <div class="virtual-sheet" style={{ height: `${total}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
          const index = first + offset;
          const key = keyOf(index);
          return (
            <div
              class="virtual-item"
              key={key}
              data-key={key}
              style={{ transform: `translateY(${tops[index]}px)` }}
              ref={(element) => {
                if (element) measured.observe(element);
              }}
            >
              {item(index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The last place in a sorted list whose value is not above the wanted one. */
function lastBefore(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
