/** Figures for people. */
export const figure = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Few characters: 950, 12.3k, 4.1M. */
export function short(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  const [unit, size] = value < 999_500 ? ['k', 1_000] : ['M', 1_000_000];
  const scaled = value / (size as number);
  return `${scaled < 99.95 ? scaled.toFixed(1).replace(/\.0$/, '') : Math.round(scaled)}${unit}`;
}

/** Two digits at least, and as many more as a small sum needs. */
export const usd = (value: number): string =>
  value > 0 && value < 0.000_1
    ? '<$0.0001'
    : `$${value.toFixed(value >= 1 ? 2 : value >= 0.1 ? 3 : 4).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** The same in at most six characters. */
export function brief(ms: number): string {
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 99_500) return `${Math.round(ms / 1_000)} s`;
  return ms < 5_970_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export const counted = (count: number, what: string, many = `${what}s`): string =>
  `${figure(count)} ${count === 1 ? what : many}`;

export const clock = (ms: number): string =>
  Number.isNaN(ms) ? '' : new Date(ms).toTimeString().slice(0, 8);
export const day = (iso: string): string =>
  iso === '' ? '' : new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
