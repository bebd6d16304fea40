/** The band of a timeline: which state the machine was in, record by record, as stretches of one colour. Pure. */
import type { Frame } from '../film/film.ts';
import { toneOf } from '../parts/state-tone.ts';

export interface Stretch {
  /** In parts of the whole, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly tone: string;
}

/**
 * @param most stretches; of frames that fall into one, the longest state is drawn
 */
export function bandOf(frames: readonly Frame[], most: number): Stretch[] {
  const stretches: Stretch[] = [];
  const columns = Math.min(frames.length, Math.max(1, Math.floor(most)));
  for (let column = 0; column < columns; column += 1) {
    const [first, end] = [column, column + 1].map((one) => Math.floor((one * frames.length) / columns)) as [
      number,
      number,
    ];
    const tone = commonest(frames, first, end);
    const [from, to] = [first / frames.length, end / frames.length];
    const last = stretches.at(-1);
    if (last?.tone === tone) stretches[stretches.length - 1] = { ...last, to };
    else stretches.push({ from, to, tone });
  }
  return stretches;
}

function commonest(frames: readonly Frame[], first: number, end: number): string {
  const counts = new Map<string, number>();
  let best = '';
  for (let at = first; at < end; at += 1) {
    const tone = toneOf(frames[at]?.run ?? '');
    const count = (counts.get(tone) ?? 0) + 1;
    counts.set(tone, count);
    if (count > (counts.get(best) ?? 0)) best = tone;
  }
  return best;
}
