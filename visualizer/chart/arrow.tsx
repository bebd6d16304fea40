import type { DrawnArrow } from './chart-model.ts';
import { headOf, pathOf } from './paths.ts';
import { LABEL_LINE } from './places.ts';

interface Props {
  readonly arrow: DrawnArrow;
  readonly visits: number;
  /** Its place among the steps of the record that is shown, from 0; null: it was not taken there. */
  readonly order: number | null;
  readonly isChosen: boolean;
  readonly hasBreak: boolean;
  readonly onSelect: () => void;
}

export const activate = (act: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  event.stopPropagation();
  act();
};

export function ArrowView({ arrow, visits, order, isChosen, hasBreak, onSelect }: Props) {
  const path = pathOf(arrow.points);
  const classes = [
    'arrow',
    visits > 0 && 'seen',
    order !== null && 'taken',
    isChosen && 'chosen',
    hasBreak && 'held',
  ];
  return (
    <g
      class={classes.filter(Boolean).join(' ')}
      style={{ '--order': order ?? 0 }}
      role="button"
      tabindex={-1}
      aria-label={`From ${arrow.source} to ${arrow.target}: ${arrow.lines.join(', ')}; taken ${visits} times`}
      data-arrow={`${arrow.source} ${arrow.target}`}
      data-edges={arrow.edges.join(' ')}
      onClick={onSelect}
      onKeyDown={activate(onSelect)}
    >
      <path class="hit" d={path} />
      <path class="line" d={path} pathLength={1} />
      <path class="head" d={headOf(arrow.points)} />
      {order !== null && <circle class="runner" r="5" style={{ offsetPath: `path("${path}")` }} />}
    </g>
  );
}

export function ArrowLabel({ arrow, order, isChosen }: Pick<Props, 'arrow' | 'order' | 'isChosen'>) {
  if (arrow.label === null) return null;
  const { x, y, width, height } = arrow.label;
  return (
    <g
      class={`label${order !== null ? ' taken' : ''}${isChosen ? ' chosen' : ''}`}
      transform={`translate(${x} ${y})`}
    >
      <rect width={width} height={height} rx="3" />
      {arrow.lines.map((line, index) => (
        <text key={line} class={/^[[+ ]/.test(line) ? 'guard' : 'event'} x="5" y={12 + index * LABEL_LINE}>
          {line}
        </text>
      ))}
    </g>
  );
}
