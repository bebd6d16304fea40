import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { RunStore } from '../feed/run-store.ts';

/** Draws again whenever the store has news. */
export function useStore(store: RunStore): void {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  // Before anything else can happen: what the store tells in between would be missed.
  useLayoutEffect(() => store.subscribe(() => draw(undefined)), [store]);
}

/** The size of an element, now and whenever it changes. */
export function useSize<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size] as const;
}
