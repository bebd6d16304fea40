/** The whole run as a band, and the place in it that is shown. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Film, Frame } from '../film/film.ts';
import { gistOf } from '../film/gist.ts';
import type { Marker } from '../film/markers.ts';
import { Button } from '../parts/button.tsx';
import { clock, counted, duration } from '../parts/format.ts';
import { useSize } from '../parts/hooks.ts';
import { toneOf } from '../parts/state-tone.ts';
import { bandOf, type Stretch } from './band.ts';
import { type Playback, SPEEDS } from './use-playback.ts';

interface Props {
  readonly film: Film;
  readonly playback: Playback;
  readonly isGrowing: boolean;
  /** What can be done with the record that is shown. */
  readonly children?: ComponentChildren;
}

export function Timeline({ film, playback, isGrowing, children }: Props) {
  const { index, show } = playback;
  const { frames, markers } = film;
  const [track, { width }] = useSize<HTMLDivElement>();
  const count = frames.length;
  const band = useMemo(() => bandOf(frames, width), [count, width]);
  const shown = useMemo(() => thinned(markers, count, width), [markers.length, count, width]);
  const at = count === 0 ? 0 : (index + 0.5) / count;
  const frame = frames[index];
  return (
    <section class="timeline" aria-label="Timeline">
      <Transport playback={playback} isGrowing={isGrowing} />
      <div class="track" ref={track}>
        <div class="markers">
          {shown.map(({ index: place, kind, text }) => (
            <button
              type="button"
              key={place}
              class={`marker marker-${kind}`}
              style={{ left: `${((place + 0.5) / count) * 100}%` }}
              title={`#${place} ${text}`}
              aria-label={`Record ${place}: ${text}`}
              onClick={() => show(place)}
            />
          ))}
        </div>
        <Band band={band} width={width} />
        <Peek frames={frames} width={width} />
        <input
          type="range"
          class="scrub"
          min={0}
          max={Math.max(0, count - 1)}
          value={index}
          aria-label="Record"
          aria-valuetext={frame ? `${frameTitle(frame)}, in ${frame.run}` : 'no record'}
          onInput={(event) => show(Number(event.currentTarget.value))}
        />
        <div class="playhead" style={{ left: `${at * 100}%` }} />
      </div>
      <div class="frame-row">
        <FrameLine frame={frame} before={frames[index - 1]} count={count} />
        {children}
      </div>
    </section>
  );
}

function Transport({ playback, isGrowing }: Pick<Props, 'playback' | 'isGrowing'>) {
  const { isLive, isPlaying, speed, show, move, follow, togglePlay, setSpeed } = playback;
  return (
    <div class="transport" role="toolbar" aria-label="Playback">
      <Button label="First record" icon="first" onClick={() => show(0)} />
      <Button label="Back one record" icon="back" onClick={() => move(-1)} />
      <Button
        label={isPlaying ? 'Pause playback' : 'Play'}
        icon={isPlaying ? 'pause' : 'play'}
        onClick={togglePlay}
      />
      <Button label="On by one record" icon="step" onClick={() => move(1)} />
      <Button label="Last record" icon="last" onClick={follow} />
      <select
        class="speed"
        aria-label="Speed"
        value={speed}
        onChange={(event) => setSpeed(SPEEDS[event.currentTarget.selectedIndex] ?? 1)}
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      {isGrowing && (
        <Button
          label={isLive ? 'Following the run' : 'Go to the newest record and follow'}
          pressed={isLive}
          onClick={follow}
        >
          <span class="live-dot" />
          Live
        </Button>
      )}
      <details class="keys">
        <summary aria-label="Keys" title="Keys">
          ?
        </summary>
        <p>
          ← → one record · Page ten · Home, End first and last · Space plays · in the chart ↑ ↓ its parts,
          Enter tells about one
        </p>
      </details>
    </div>
  );
}

function Band({ band, width }: { readonly band: readonly Stretch[]; readonly width: number }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context || width === 0) return;
    const draw = () => {
      const style = getComputedStyle(canvas);
      const colours = new Map(band.map(({ tone }) => [tone, '']));
      for (const tone of colours.keys()) colours.set(tone, style.getPropertyValue(tone));
      const { clientHeight: height } = canvas;
      canvas.width = width * devicePixelRatio;
      canvas.height = height * devicePixelRatio;
      context.scale(devicePixelRatio, devicePixelRatio);
      for (const { from, to, tone } of band) {
        context.fillStyle = colours.get(tone) ?? '';
        // A line between two stretches, where there is room for one.
        const gap = (to - from) * width > 3 ? 1 : 0;
        context.fillRect(from * width, 0, Math.max((to - from) * width - gap, 0.5), height);
      }
    };
    draw();
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => themes.disconnect();
  }, [band, width]);
  return <canvas class="band" ref={ref} />;
}

/** What the pointer is over. */
function Peek({ frames, width }: { readonly frames: readonly Frame[]; readonly width: number }) {
  const ref = useRef<HTMLOutputElement>(null);
  const [x, setX] = useState<number | null>(null);
  useEffect(() => {
    const track = ref.current?.parentElement;
    const onMove = ({ clientX, pointerType }: PointerEvent) =>
      setX(pointerType === 'mouse' ? clientX - (track?.getBoundingClientRect().left ?? 0) : null);
    const onLeave = () => setX(null);
    track?.addEventListener('pointermove', onMove);
    track?.addEventListener('pointerleave', onLeave);
    return () => {
      track?.removeEventListener('pointermove', onMove);
      track?.removeEventListener('pointerleave', onLeave);
    };
  }, []);
  const frame = x === null ? undefined : frames[Math.floor((x / width) * frames.length)];
  return (
    <output class="peek" ref={ref} hidden={!frame} style={{ left: `${x ?? 0}px` }} aria-hidden="true">
      {frame && (
        <>
          <i style={{ background: `var(${toneOf(frame.run)})` }} />
          {frameTitle(frame)} <span>{frame.run}</span>
        </>
      )}
    </output>
  );
}

const frameTitle = ({ index, record, event }: Frame): string => `#${index} ${record?.type ?? event ?? ''}`;

function FrameLine({
  frame,
  before,
  count,
}: {
  readonly frame: Frame | undefined;
  readonly before: Frame | undefined;
  readonly count: number;
}) {
  if (!frame) return <p class="frame-line">No record yet.</p>;
  const { record, at } = frame;
  const later = before ? at - before.at : 0;
  return (
    <p class="frame-line">
      <code>{frameTitle(frame)}</code>
      <span class="of">of {count - 1}</span>
      <span>{placeOf(frame)}</span>
      <span>{clock(at)}</span>
      {later > 0 && <span>+{duration(later)}</span>}
      {record && <span class="gist">{gistOf(record).slice(0, 240)}</span>}
    </p>
  );
}

/** At the end, and in the summary behind it, the turn of the machine is one that there will never be. */
function placeOf({ record, context: { turn, counters, stop } }: Frame): string {
  if (record?.type === 'run.ended') return counted(counters.turns, 'turn');
  if (stop !== null && turn > counters.turns) return 'summary';
  return `turn ${turn}`;
}

const MARKER_PX = 7;
const RANK: Record<Marker['kind'], number> = {
  end: 5,
  crash: 4,
  resume: 4,
  failed: 4,
  limit: 3,
  retry: 2,
  check: 2,
  approval: 1,
};

/** Where markers would cover each other, the one that matters most is left. */
function thinned(markers: readonly Marker[], count: number, width: number): Marker[] {
  const shown: Marker[] = [];
  for (const marker of markers) {
    const last = shown.at(-1);
    const isNear = last !== undefined && ((marker.index - last.index) / count) * width < MARKER_PX;
    if (!isNear) shown.push(marker);
    else if (RANK[marker.kind] > RANK[last.kind]) shown[shown.length - 1] = marker;
  }
  return shown;
}
