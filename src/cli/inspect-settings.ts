import { objectionTo } from '../inspector/bridge/place.ts';
import { whole } from './numbers.ts';
import type { InspectFlags } from './run-flags.ts';
import { UsageError } from './usage-error.ts';

/** How a run is looked at while it goes on. */
export interface InspectSettings {
  readonly viewer: 'page' | 'stately';
  /** Of pawl's own server, 0 for any that is free; for stately that of the receiver. */
  readonly port: number;
  readonly opens: boolean;
  readonly breakpoints: readonly string[];
}

const LARGEST_PORT = 65_535;
/** Where receivers of @statelyai/inspect listen if nothing is said. */
const STATELY_PORT = 8_080;

/**
 * @param tools names of those that the run has
 * @returns null: it is not looked at. @throws UsageError
 */
export function inspectSettings(
  flags: Partial<InspectFlags>,
  tools: readonly string[],
): InspectSettings | null {
  const { inspect, break: breakpoints = [], open = true } = flags;
  const isStately = flags['inspect=stately'] === true;
  if (isStately && (inspect || breakpoints.length > 0))
    throw new UsageError('--inspect=stately only shows a run. To stop and steer it, use --inspect alone.');
  for (const place of breakpoints) {
    const objection = objectionTo(place, tools);
    if (objection !== undefined) throw new UsageError(`--break ${place}: ${objection}.`);
  }
  const isLookedAt = inspect || isStately || breakpoints.length > 0;
  if (!isLookedAt && flags.port !== undefined)
    throw new UsageError('--port is that of the page. Add --inspect.');
  if (!isLookedAt) return null;
  const port = portOf(flags.port) ?? (isStately ? STATELY_PORT : 0);
  return { viewer: isStately ? 'stately' : 'page', port, opens: open && !isStately, breakpoints };
}

export function portOf(flag: string | undefined): number | undefined {
  if (flag === undefined) return undefined;
  const port = whole('--port', flag);
  if (port > LARGEST_PORT) throw new UsageError(`--port must be at most ${LARGEST_PORT}, not ${flag}.`);
  return port;
}
