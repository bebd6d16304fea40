import { duration, short } from '../parts/format.ts';
import { toneOf } from '../parts/state-tone.ts';
import { activate } from './arrow.tsx';
import type { boxes } from './chart-model.ts';
import type { EdgeId } from './graph.ts';
import { END_ROW, HEAD, JOB, PAD, pillWidth } from './places.ts';

export interface BoxProps {
  readonly box: (typeof boxes)[number];
  /** The state that the machine is in, full name. */
  readonly active: string;
  readonly visits: (state: string) => number;
  readonly timeMs: (state: string) => number;
  /** Places of states among the steps of the record that is shown: the machine went through them. */
  readonly passed: ReadonlyMap<string, number>;
  readonly taken: ReadonlySet<EdgeId>;
  readonly chosen: string | null;
  readonly held: ReadonlySet<string>;
  readonly onState: (name: string) => void;
  readonly onEdges: (edges: readonly EdgeId[]) => void;
}

export function BoxView(props: BoxProps) {
  const { box, active, visits, passed, chosen, held, onState } = props;
  if (box.ends.length > 0) return <EndsView {...props} />;
  const isActive = active === box.name;
  const isAround = box.isGroup && active.startsWith(`${box.name}.`);
  const order = passed.get(box.name);
  const classes = [
    'box',
    box.isGroup ? 'group' : 'leaf',
    box.height < 40 && 'short',
    isActive && 'active',
    isAround && 'around',
    order !== undefined && 'passed',
    visits(box.name) > 0 && 'seen',
    chosen === box.name && 'chosen',
  ];
  return (
    <g
      class={classes.filter(Boolean).join(' ')}
      transform={`translate(${box.x} ${box.y})`}
      style={{ '--order': order ?? 0, '--tone': `var(${toneOf(box.name)})`, '--height': `${box.height}px` }}
      data-state={box.name}
    >
      <g
        class="face"
        role="button"
        tabindex={0}
        aria-label={`State ${box.name}${isActive ? ', active' : ''}, entered ${visits(box.name)} times`}
        aria-current={isActive ? 'step' : undefined}
        onClick={() => onState(box.name)}
        onKeyDown={activate(() => onState(box.name))}
      >
        <rect class="frame" width={box.width} height={box.height} rx={box.isGroup ? 12 : 8} />
        <circle class="dot" cx={PAD + 3} cy={HEAD / 2 + 1} r="3.5" />
        <text class="title" x={PAD + 13} y={HEAD / 2 + 5.5}>
          {box.title}
        </text>
        <Figures {...props} />
        {box.job && (
          <text class="job" x={PAD} y={HEAD + 10}>
            {box.job}
          </text>
        )}
        {held.has(box.name) && <circle class="stop" cx={box.width} cy="0" r="6" />}
      </g>
      <Pills {...props} top={HEAD + (box.job === null ? 0 : JOB)} />
    </g>
  );
}

function Figures({ box, visits, timeMs }: BoxProps) {
  const count = visits(box.name);
  if (count === 0) return null;
  const time = timeMs(box.name);
  return (
    <text class="figures" x={box.width - PAD} y={HEAD / 2 + 5} text-anchor="end">
      ×{short(count)}
      {time >= 1 && <tspan class="time"> · {duration(time)}</tspan>}
    </text>
  );
}

export function Pills({
  box,
  taken,
  onEdges,
  top,
}: Pick<BoxProps, 'box' | 'taken' | 'onEdges'> & { readonly top: number }) {
  let left = PAD;
  return (
    <>
      {box.pills.map(({ text, edges, leaves }) => {
        const width = pillWidth(text, leaves);
        const x = left;
        left += width + 4;
        const isTaken = edges.some((edge) => taken.has(edge));
        return (
          <g
            key={text}
            class={`pill${leaves ? ' leaves' : ''}${isTaken ? ' taken' : ''}`}
            transform={`translate(${x} ${top})`}
            role="button"
            tabindex={0}
            aria-label={`${text} in ${box.name}`}
            data-edges={edges.join(' ')}
            onClick={() => onEdges(edges)}
            onKeyDown={activate(() => onEdges(edges))}
          >
            <rect width={width} height="15" rx="7.5" />
            <text x="6" y="10.7">
              {text}
              {leaves && ' ↗'}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** Terminal states that are reached from the same places, one under the other. */
function EndsView({ box, active, chosen, onState }: BoxProps) {
  const isActive = box.ends.includes(active);
  return (
    <g class={`box ends${isActive ? ' around' : ''}`} transform={`translate(${box.x} ${box.y})`}>
      <rect class="frame" width={box.width} height={box.height} rx="10" />
      {box.ends.map((end, index) => (
        <g
          key={end}
          class={`end${active === end ? ' active' : ''}${chosen === end ? ' chosen' : ''}`}
          transform={`translate(5 ${5 + index * END_ROW})`}
          style={{ '--tone': `var(${toneOf(end)})` }}
          role="button"
          tabindex={0}
          aria-label={`Terminal state ${end}${active === end ? ', active' : ''}`}
          aria-current={active === end ? 'step' : undefined}
          data-state={end}
          onClick={() => onState(end)}
          onKeyDown={activate(() => onState(end))}
        >
          <rect class="frame" width={box.width - 10} height={END_ROW} rx="6" />
          <circle class="ring" cx="13" cy={END_ROW / 2} r="5" />
          <circle class="dot" cx="13" cy={END_ROW / 2} r="2.5" />
          <text class="title" x="25" y={END_ROW / 2 + 4.5}>
            {end}
          </text>
        </g>
      ))}
    </g>
  );
}
