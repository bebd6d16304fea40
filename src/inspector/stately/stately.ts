/**
 * Sends xstate's own inspection events to a receiver that the person runs, through the package @statelyai/inspect. It is
 * no part of pawl and is looked for only when it is asked for. Its own server is not used: that listens on all
 * addresses, without a token. What it would serialise is made small before it gets it, since it takes whole contexts.
 */
import type { InspectionEvent } from 'xstate';
import { shortened } from './shortened.ts';

export interface StatelyInspector {
  readonly inspect: (inspected: InspectionEvent) => void;
  stop(): void;
}

/** @param port of the receiver, on this machine's loopback address. Rejects where the package is not installed. */
export async function statelyInspector(port: number): Promise<StatelyInspector> {
  const { createWebSocketInspector } = await import('@statelyai/inspect');
  const inspector = createWebSocketInspector({
    url: `ws://127.0.0.1:${port}`,
    // The definition is the machine itself: cut, it could not be drawn.
    serialize: (event) =>
      ({
        ...(shortened(event) as object),
        ...('definition' in event && { definition: event.definition }),
      }) as typeof event,
  });
  return {
    inspect: (inspected) => inspector.inspect.next?.(small(inspected)),
    stop: () => inspector.stop(),
  };
}

/** Before the package copies it, which fails at what throws. An actor stays, for the package asks it for its machine. */
export function small(inspected: InspectionEvent): InspectionEvent {
  if (inspected.type !== '@xstate.snapshot' && inspected.type !== '@xstate.event') return inspected;
  const event = shortened(inspected.event);
  if (inspected.type === '@xstate.event') return { ...inspected, event } as InspectionEvent;
  const { status, value, context, output, error } = inspected.snapshot as {
    readonly [name: string]: unknown;
  };
  const snapshot = shortened({ status, value, context, output, error });
  return { ...inspected, event, snapshot } as InspectionEvent;
}
