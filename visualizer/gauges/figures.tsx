/** What was used, in full: of what it is made, what is kept back, and what each request has cost. */
import { figure } from '../parts/format.ts';
import { Bars } from './bars.tsx';
import { type GaugeProps, GaugeView, useGauges } from './gauges.tsx';

export function Figures({ onShow, ...props }: GaugeProps & { readonly onShow: (index: number) => void }) {
  const gauges = useGauges(props);
  return (
    <section class="figures-pane" aria-label="What was used, in full">
      {gauges.map((gauge) => (
        <div key={gauge.name}>
          <GaugeView gauge={gauge} />
          {gauge.parts.length > 1 && (
            <ul class="legend">
              {gauge.parts.map(({ name, value }, place) => (
                <li key={name}>
                  <i class={`part-${place + 1}`} />
                  {name} <b>{figure(value)}</b>
                </li>
              ))}
            </ul>
          )}
          <p class="gauge-note">{gauge.note}</p>
        </div>
      ))}
      <Bars items={props.film.spending.at(props.index)} onShow={onShow} />
    </section>
  );
}
