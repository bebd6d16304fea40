/** The chart of the machine, with the run in it as of one frame. */
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { edgesAt, type Frame } from '../film/film.ts';
import { stateId } from '../film/machine.ts';
import type { Counts } from '../film/tally.ts';
import { Button } from '../parts/button.tsx';
import { useSize } from '../parts/hooks.ts';
import { ArrowLabel, ArrowView } from './arrow.tsx';
import { BoxView, Pills } from './box.tsx';
import { ANYWHERE, arrowIndexOf, arrows, boxes, boxOf, SHEET } from './chart-model.ts';
import { ExportButtons } from './export-buttons.tsx';
import { isSelected, type Selection } from './selection.ts';
import { useView } from './use-view.ts';
import { READABLE, reveal, SMALLEST } from './viewport.ts';

interface Props {
  readonly frame: Frame | undefined;
  /** Where the machine is, which may be further than the frame. */
  readonly state: string;
  readonly counts: Counts;
  readonly held: ReadonlySet<string>;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection | null) => void;
}

export function Chart({ frame, state, counts, held, selection, onSelect }: Props) {
  const [pane, size] = useSize<HTMLDivElement>();
  const active = boxOf(state);
  const start = active && { x: active.x + active.width / 2, y: active.y + active.height / 2 };
  const { ref, view, change, zoomBy, fitAll } = useView(SHEET, size, start ?? null);
  const [follows, setFollows] = useState(true);
  const isFast = useHaste(frame?.index);
  const trail = useMemo(() => trailOf(frame), [frame, frame?.steps]);

  useEffect(() => {
    if (follows && active && view && size.width > 0 && view.scale > 0.55)
      change((now) => reveal(now, active, size));
  }, [state, follows]);

  const onState = (name: string) => onSelect({ kind: 'state', name });
  const onEdges = (edges: readonly number[]) => onSelect({ kind: 'edges', edges });
  const common = {
    active: state,
    visits: (name: string) => counts.visits[stateId(name)] ?? 0,
    timeMs: (name: string) => counts.timeMs[stateId(name)] ?? 0,
    passed: trail.states,
    taken: trail.edges,
    chosen: selection?.kind === 'state' ? selection.name : null,
    held,
    onState,
    onEdges,
  };
  const drawn = arrows.map((arrow, index) => ({
    arrow,
    order: trail.arrows.get(index) ?? null,
    visits: arrow.edges.reduce((sum, edge) => sum + (counts.taken[edge] ?? 0), 0),
    isChosen: isSelected(selection, arrow.edges),
    hasBreak: held.has(`${arrow.source}->${arrow.target}`),
    onSelect: () => onEdges(arrow.edges),
  }));
  /** What moves is drawn anew, so that it moves again. */
  const again = (key: string | number | undefined, moves: boolean) =>
    moves && !isFast ? `${key} ${frame?.index}` : String(key);
  const [root, ...rest] = boxes;
  const scale = view?.scale ?? 1;
  const distance = (scale < READABLE ? ' far' : '') + (scale < SMALLEST ? ' map' : '');
  return (
    <div class="chart">
      <div class="paper" ref={pane}>
        <svg
          ref={ref}
          class={`sheet${distance}${isFast ? ' fast' : ''}`}
          role="group"
          // One stop for the keyboard, which goes on with the keys up and down.
          tabindex={0}
          aria-label={`Chart of the machine; it is in ${state || 'no state'}. Up and down: its parts`}
          onKeyDown={goAround}
        >
          {view && (
            <g class="camera" transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
              {rest
                .filter(({ isGroup }) => isGroup)
                .map((box) => (
                  <BoxView key={again(box.name, trail.states.has(box.name))} box={box} {...common} />
                ))}
              {drawn.map((one) => (
                <ArrowView key={again(one.arrow.edges[0], one.order !== null)} {...one} />
              ))}
              {rest
                .filter(({ isGroup }) => !isGroup)
                .map((box) => (
                  <BoxView key={again(box.name, trail.states.has(box.name))} box={box} {...common} />
                ))}
              {drawn.map((one) => (
                <ArrowLabel key={one.arrow.edges[0]} {...one} />
              ))}
              {root && (
                <g class="anywhere" transform={`translate(${ANYWHERE.x} ${ANYWHERE.y})`}>
                  <text y="12">from any state</text>
                  <Pills box={root} taken={trail.edges} onEdges={onEdges} left={78} top={0} />
                </g>
              )}
            </g>
          )}
        </svg>
      </div>
      <div class="chart-tools" role="toolbar" aria-label="Chart">
        <Button label="Zoom in" icon="plus" onClick={() => zoomBy(1.3)} />
        <Button label="Zoom out" icon="minus" onClick={() => zoomBy(1 / 1.3)} />
        <Button label="Fit the whole chart" icon="fit" onClick={fitAll} />
        <Button
          label="Follow the active state"
          icon="target"
          pressed={follows}
          onClick={() => setFollows(!follows)}
        />
        <ExportButtons sheet={ref} />
      </div>
    </div>
  );
}

/** From part to part, beginning with the state that the machine is in: each a stop of its own would be too many. */
function goAround(event: TargetedKeyboardEvent<SVGSVGElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const parts = [...event.currentTarget.querySelectorAll<SVGElement>('[role=button]')];
  const at = parts.indexOf(document.activeElement as SVGElement);
  const first = parts.find((part) => part.ariaCurrent);
  (at < 0 && first ? first : parts.at((at + by) % parts.length))?.focus();
}

/** Frames that follow each other faster than this are not animated: nobody could see it, and drawing anew costs the most. */
const CALM_MS = 250;

function useHaste(index: number | undefined): boolean {
  const shown = useRef({ index, at: 0, isFast: false });
  if (shown.current.index !== index) {
    const at = performance.now();
    shown.current = { index, at, isFast: at - shown.current.at < CALM_MS };
  }
  return shown.current.isFast;
}

/** What was taken on the way to a frame, in order. */
function trailOf(frame: Frame | undefined) {
  const arrowsTaken = new Map<number, number>();
  const states = new Map<string, number>();
  frame?.steps.forEach(({ edges, to }, order) => {
    for (const edge of edges) {
      const index = arrowIndexOf(edge);
      if (index !== undefined) arrowsTaken.set(index, order);
    }
    states.set(to, order);
  });
  return { arrows: arrowsTaken, states, edges: new Set(frame ? edgesAt(frame) : []) };
}
