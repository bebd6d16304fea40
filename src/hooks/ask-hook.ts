import type { Asked, Hook } from './hook.ts';

export interface HookAnswer {
  readonly hook: string;
  /** `failed`: nobody knows what it would have said. */
  readonly kind: 'said' | 'failed';
  readonly text: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** The longest time that a timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The answer goes to the model. */
const LONGEST_TEXT = 10_000;

export const concerns = ({ tools }: Pick<Hook<never>, 'tools'>, tool: string): boolean =>
  tools === undefined || tools.some((pattern) => matches(pattern, tool));

/** Part by part, each where it is first found: no pattern takes long. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Never rejects, and never outlasts the hook's time nor the signal. @returns undefined: go on */
export async function askHook<Facts>(
  hook: Asked<Facts>,
  facts: Facts,
  signal: AbortSignal,
): Promise<HookAnswer | undefined> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS } = hook;
  const own = new AbortController();
  const isCut = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason));
  });
  const leave = () => own.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const late = () => own.abort(new Error(`it took longer than ${timeoutMs / 1_000} s`));
  const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    const said = await Promise.race([isCut, run(hook, facts, own.signal)]);
    if (said === undefined) return undefined;
    if (typeof said !== 'string') throw new Error('it answered with something that is no text');
    return { hook: name, kind: 'said', text: shortened(said) };
  } catch (error) {
    return {
      hook: name,
      kind: 'failed',
      text: shortened(error instanceof Error ? error.message : String(error)),
    };
  } finally {
    signal.removeEventListener('abort', leave);
    clearTimeout(timer);
  }
}

/** A function that is none of the asynchronous kind may throw, too. */
const run = async <Facts>(hook: Asked<Facts>, facts: Facts, signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? undefined : hook.run(facts, signal);

const shortened = (text: string): string =>
  (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} […]` : text).toWellFormed();
