/** Which frame is shown: the newest one as it comes, or one that a person chose; and playing from there. */
import { useEffect, useRef, useState } from 'preact/hooks';

export const SPEEDS = [1, 4, 16] as const;
export type Speed = (typeof SPEEDS)[number];
/** How long a frame is shown at speed 1. */
const FRAME_MS = 640;

export interface Playback {
  readonly index: number;
  readonly isLive: boolean;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly show: (index: number) => void;
  readonly move: (by: number) => void;
  readonly follow: () => void;
  readonly togglePlay: () => void;
  readonly setSpeed: (speed: Speed) => void;
}

/** @param count frames that there are */
export function usePlayback(count: number): Playback {
  /** null: the newest one, whichever that is. */
  const [chosen, setChosen] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const last = useRef(0);
  last.current = count - 1;

  const bounded = (wanted: number) => (wanted >= last.current ? null : Math.max(0, wanted));
  // Keys come faster than pages are drawn: each goes on from where the one before it led.
  const moved = (by: number) => setChosen((now) => bounded((now ?? last.current) + by));

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => moved(1), FRAME_MS / speed);
    return () => clearInterval(timer);
  }, [isPlaying, speed]);
  useEffect(() => {
    if (chosen === null) setPlaying(false);
  }, [chosen]);

  return {
    index: Math.min(chosen ?? count - 1, count - 1),
    isLive: chosen === null,
    isPlaying,
    speed,
    show(wanted) {
      setPlaying(false);
      setChosen(bounded(wanted));
    },
    move(by) {
      setPlaying(false);
      moved(by);
    },
    follow: () => setChosen(null),
    togglePlay() {
      // At the end, it is played from the beginning.
      if (!isPlaying && chosen === null) setChosen(0);
      setPlaying(!isPlaying);
    },
    setSpeed,
  };
}

const PAGE = 10;

const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
};

/** Keys that steer the timeline from anywhere on the page, but for fields in which one types. */
export function usePlaybackKeys(playback: Playback): void {
  const now = useRef(playback);
  now.current = playback;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return;
      if (target.closest('textarea, select, input:not([type=range])')) return;
      // A list that has the focus is moved in by its own keys, a button is pressed by the space bar.
      const scrolls = target.closest('[data-scrolls]') !== null;
      const by = MOVES[key];
      if (by !== undefined && !scrolls) now.current.move(by);
      else if (key === 'Home' && !scrolls) now.current.show(0);
      else if (key === 'End' && !scrolls) now.current.follow();
      else if (key === ' ' && !target.closest('button, a, summary, [role=button]')) now.current.togglePlay();
      else if (key === '?') document.querySelector<HTMLElement>('.keys summary')?.click();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
