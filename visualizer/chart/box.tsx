import { brief, short } from '../parts/format.ts';
import { toneOf } from '../parts/state-tone.ts';
import { activate } from './arrow.tsx';
import type { boxes } from './chart-model.ts';
import type { EdgeId, Pill, Sign } from './graph.ts';
import { END_ROW, HEAD, jobWidth, PAD, pillWidth } from './places.ts';

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
        tabindex={-1}
        aria-label={`${[box.title, ...figuresOf(props), box.job].filter(Boolean).join(' ')}: state ${box.name}${isActive ? ', active' : ''}`}
        aria-current={isActive ? 'step' : undefined}
        onClick={() => onState(box.name)}
        onKeyDown={activate(() => onState(box.name))}
      >
        <rect class="frame" width={box.width} height={box.height} rx={box.isGroup ? 12 : 8} />
        <circle class="dot" cx={PAD + 3} cy={HEAD / 2 + 1} r="3.5" />
        <text class="title" x={PAD + 13} y={HEAD / 2 + 5.5}>
          {`${box.title} `}
        </text>
        <Figures {...props} />
        {box.job && (
          <text class="job" x={PAD} y={HEAD + 8}>
            {box.job}
          </text>
        )}
        {held.has(box.name) && <circle class="stop" cx={box.width} cy="0" r="6" />}
      </g>
      <Pills {...props} left={PAD + jobWidth(box.job)} top={HEAD - 3} />
    </g>
  );
}

/** How often it was entered, and how long it was stayed in. */
function figuresOf({ box, visits, timeMs }: BoxProps): string[] {
  const [count, time] = [visits(box.name), timeMs(box.name)];
  if (count === 0) return [];
  return time < 1 ? [`×${short(count)}`] : [`×${short(count)}`, brief(time)];
}

function Figures(props: BoxProps) {
  const [count, time] = figuresOf(props);
  if (!count) return null;
  return (
    <text class="figures" x={props.box.width - PAD} y={HEAD / 2 + 5} text-anchor="end">
      {count}
      {time && <tspan class="time"> {time}</tspan>}{' '}
    </text>
  );
}

/** Drawn in a square of 16. */
const SIGNS: Record<Sign, string> = {
  cancel: 'M5.5 5.5l5 5M10.5 5.5l-5 5',
  clock: 'M8 4.6V8l2.2 1.4',
  resume: 'M5.2 8.6a2.9 2.9 0 1 0 .9-2.7M5.6 4v2.2h2.2',
  fail: 'M8 4.6v4.2M8 11v.4',
};

interface PillsProps extends Pick<BoxProps, 'box' | 'taken' | 'onEdges'> {
  readonly left: number;
  readonly top: number;
}

export function Pills({ box, taken, onEdges, left, top }: PillsProps) {
  let next = left;
  return (
    <>
      {box.pills.map((pill) => {
        const x = next;
        next += pillWidth(pill) + 3;
        return <PillView key={pill.text} {...{ pill, x, top, taken, onEdges }} of={box.name} />;
      })}
    </>
  );
}

interface PillProps extends Pick<BoxProps, 'taken' | 'onEdges'> {
  readonly pill: Pill;
  readonly of: string;
  readonly x: number;
  readonly top: number;
}

function PillView({ pill, of, x, top, taken, onEdges }: PillProps) {
  const { text, edges, leaves, sign } = pill;
  const words = `${text} in ${of}${leaves ? ', which leaves it' : ''}`;
  return (
    <g
      class={`pill${edges.some((edge) => taken.has(edge)) ? ' taken' : ''}`}
      transform={`translate(${x} ${top})`}
      role="button"
      tabindex={-1}
      aria-label={words}
      data-edges={edges.join(' ')}
      onClick={() => onEdges(edges)}
      onKeyDown={activate(() => onEdges(edges))}
    >
      <title>{words}</title>
      <rect width={pillWidth(pill)} height="16" rx="8" />
      {sign === null ? (
        <text x="6" y="11.2">
          {text}
        </text>
      ) : (
        <path d={SIGNS[sign]} />
      )}
    </g>
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
          tabindex={-1}
          aria-label={`${end}: terminal state${active === end ? ', active' : ''}`}
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
