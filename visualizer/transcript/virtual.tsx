/** A list of which only what can be seen is in the document, however long it is and whatever the heights of its items. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Heights } from './heights.ts';

interface Props {
  readonly count: number;
  readonly label: string;
  readonly item: (index: number) => ComponentChildren;
}

/** So much is drawn above and below what can be seen. */
const BEYOND_PX = 250;
/** Whoever is this near to the end wants to stay there. */
const NEAR_PX = 24;

export function Virtual({ count, label, item }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const [heights] = useState(() => new Heights());
  const [scroll, setScroll] = useState({ top: 0, height: 800 });
  const [, draw] = useState(0);
  const atEnd = useRef(true);

  const [measured] = useState(
    () =>
      new ResizeObserver((entries) => {
        let isNew = false;
        for (const { target } of entries) {
          const index = Number((target as HTMLElement).dataset.index);
          const height = (target as HTMLElement).offsetHeight;
          const taller = height === 0 ? null : heights.measure(index, height);
          if (taller === null) continue;
          isNew = true;
          // What is above the sight must not push it.
          const element = pane.current;
          if (element && !atEnd.current && heights.top(index) < element.scrollTop)
            element.scrollTop += taller;
        }
        if (isNew) draw((times) => times + 1);
      }),
  );

  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const read = () => {
      const { scrollTop: top, clientHeight: height, scrollHeight } = element;
      setScroll((before) => {
        // Only a person scrolls up; all else that moves the end away is followed.
        const isNear = top + height >= scrollHeight - NEAR_PX;
        if (isNear || top < before.top) atEnd.current = isNear;
        return before.top === top && before.height === height ? before : { top, height };
      });
    };
    const sizes = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      read();
    });
    sizes.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      sizes.disconnect();
      measured.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);

  const total = heights.top(count);
  useLayoutEffect(() => {
    if (pane.current && atEnd.current) pane.current.scrollTop = total;
  }, [count, total]);

  // At the end it is drawn where it will be scrolled to.
  const top = atEnd.current ? Math.max(0, total - scroll.height) : scroll.top;
  const first = heights.at(top - BEYOND_PX, count);
  const end = Math.min(count, heights.at(top + scroll.height + BEYOND_PX, count) + 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div class="virtual" ref={pane} role="region" aria-label={label} tabIndex={0} data-scrolls>
      <div class="virtual-sheet" style={{ height: `${total}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
          const index = first + offset;
          return (
            <div
              class="virtual-item"
              key={index}
              data-index={index}
              style={{ transform: `translateY(${heights.top(index)}px)` }}
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
