/** What each request has cost: in money where a price is known, else in tokens. */
import type { Spent } from '../film/spending.ts';
import { counted, short, usd } from '../parts/format.ts';

/** More would be too thin to tell apart; neighbours then share one bar. */
const MOST_BARS = 60;

export function Bars({
  items,
  onShow,
}: {
  readonly items: readonly Spent[];
  readonly onShow: (index: number) => void;
}) {
  const inMoney = items.some(({ costUsd }) => costUsd > 0);
  const bars = gathered(items, inMoney);
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const write = inMoney ? usd : (value: number) => `${short(value)} tokens`;
  return (
    <figure class="bars">
      <figcaption>
        <span>{inMoney ? 'Cost' : 'Tokens'} per request</span>
        <span class="muted">
          {bars.length > 0 && `${counted(items.length, 'request')}, at most ${write(most)}`}
        </span>
      </figcaption>
      <div class="bar-row">
        {bars.map(({ item, value }) => (
          <button
            type="button"
            key={item.index}
            class={item.isSummary ? 'bar summary' : 'bar'}
            style={{ '--share': value / most }}
            title={`Turn ${item.turn}${item.isSummary ? ', summary' : ''}: ${write(value)}`}
            aria-label={`Turn ${item.turn}: ${write(value)}`}
            onClick={() => onShow(item.index)}
          />
        ))}
      </div>
    </figure>
  );
}

function gathered(items: readonly Spent[], inMoney: boolean): { item: Spent; value: number }[] {
  const each = Math.ceil(items.length / MOST_BARS) || 1;
  return items.flatMap((item, place) => {
    if (place % each !== 0) return [];
    const some = items.slice(place, place + each);
    return [{ item, value: Math.max(...some.map(({ costUsd, tokens }) => (inMoney ? costUsd : tokens))) }];
  });
}
