/** Colours for people. Each function gives the text back unchanged where colours are off. */
export interface Style {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const paint = (isOn: boolean, open: number, close: number) => (text: string) =>
  isOn && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text;

export const styleOf = (isOn: boolean): Style => ({
  dim: paint(isOn, 2, 22),
  bold: paint(isOn, 1, 22),
  red: paint(isOn, 31, 39),
  green: paint(isOn, 32, 39),
  yellow: paint(isOn, 33, 39),
  cyan: paint(isOn, 36, 39),
});

/** FORCE_COLOR decides over NO_COLOR, as in Node itself; without either, terminals have colours. */
export function hasColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
