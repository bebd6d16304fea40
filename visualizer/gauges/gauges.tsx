import { useMemo } from 'preact/hooks';
import type { Film } from '../film/film.ts';
import { Bars } from './bars.tsx';
import { type Gauge, gaugesOf, startedAt } from './gauge-values.ts';

export function Gauges({
  film,
  index,
  onShow,
}: {
  readonly film: Film;
  readonly index: number;
  readonly onShow: (index: number) => void;
}) {
  const frame = film.frames[index];
  const began = useMemo(() => startedAt(film.frames, index), [film, index]);
  if (!frame) return null;
  return (
    <section class="gauges" aria-label="What was used">
      <div class="gauge-grid">
        {gaugesOf(frame, began).map((gauge) => (
          <GaugeView key={gauge.name} gauge={gauge} />
        ))}
      </div>
      <Bars items={film.spending.at(index)} onShow={onShow} />
    </section>
  );
}

function GaugeView({ gauge }: { readonly gauge: Gauge }) {
  const { name, text, cap, parts, reserve, note } = gauge;
  const used = parts.reduce((sum, { value }) => sum + value, 0);
  const whole = Math.max(cap ?? used, used) || 1;
  const percent = (value: number) => `${Math.min(100, (value / whole) * 100)}%`;
  const level = cap === null ? 'free' : used + reserve >= cap ? 'full' : used >= cap * 0.8 ? 'high' : 'low';
  const detail =
    parts.length > 1
      ? `: ${parts.map((part) => `${part.name} ${Math.round(part.value).toLocaleString('en-US')}`).join(', ')}`
      : '';
  return (
    <div class={`gauge level-${level}`} title={`${name}: ${text}${detail}`}>
      <div class="gauge-head">
        <span>{name}</span>
        <b>{text}</b>
      </div>
      <div
        class="gauge-bar"
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={cap ?? used}
        aria-valuenow={used}
        aria-valuetext={`${text}${detail}`}
      >
        {parts.map((part, place) => (
          <i
            key={part.name}
            class={parts.length > 1 ? `part-${place + 1}` : 'part'}
            style={{ width: percent(part.value) }}
          />
        ))}
        {reserve > 0 && cap !== null && <i class="reserve" style={{ width: percent(reserve) }} />}
      </div>
      <div class="gauge-note">{note}</div>
    </div>
  );
}
