/** What was used, as a strip that is always in view. */
import { useEffect, useState } from 'preact/hooks';
import type { Film } from '../film/film.ts';
import { type Gauge, gaugesOf } from './gauge-values.ts';

export interface GaugeProps {
  readonly film: Film;
  readonly index: number;
  /** A process works on the run, and the newest record is shown: its time goes on. */
  readonly isRunning: boolean;
}

export function useGauges({ film, index, isRunning }: GaugeProps): readonly Gauge[] {
  const frame = film.frames[index];
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return frame ? gaugesOf(frame, film.startedAt(index), isRunning && now > frame.at ? now : frame.at) : [];
}

export function GaugeStrip(props: GaugeProps) {
  const gauges = useGauges(props);
  if (gauges.length === 0) return null;
  return (
    <section class="gauge-strip" aria-label="What was used">
      {gauges.map((gauge) => (
        <GaugeView key={gauge.name} gauge={gauge} />
      ))}
    </section>
  );
}

export function GaugeView({ gauge }: { readonly gauge: Gauge }) {
  const { name, used: text, of, cap, parts, reserve, note } = gauge;
  const used = parts.reduce((sum, { value }) => sum + value, 0);
  const whole = Math.max(cap ?? used, used) || 1;
  const percent = (value: number) => `${Math.min(100, (value / whole) * 100)}%`;
  const level = cap === null ? 'free' : used + reserve >= cap ? 'full' : used >= cap * 0.8 ? 'high' : 'low';
  const words = `${text}${of === null ? '' : ` of ${of}`}; ${note}`;
  return (
    <div class={`gauge level-${level}`} title={`${name}: ${words}`}>
      <div class="gauge-head">
        <span>{name}</span>
        <b>
          {text}
          {of !== null && <span> / {of}</span>}
        </b>
      </div>
      <div
        class="gauge-bar"
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={cap ?? used}
        aria-valuenow={used}
        aria-valuetext={words}
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
    </div>
  );
}
