/** Follows a run of the server. The browser comes back by itself where a connection breaks, and goes on where it was. */
import type { FeedEvents } from '../../src/inspector/protocol.ts';
import type { RunStore } from './run-store.ts';

const AGAIN_MS = 2_000;

/** @returns what ends it */
export function follow(store: RunStore, runId: string): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const end = (connection: RunStore['connection']) => {
    isOver = true;
    source?.close();
    store.connect(connection);
  };
  const open = () => {
    source = new EventSource(`api/runs/${encodeURIComponent(runId)}/records`);
    const on = <Name extends keyof FeedEvents>(name: Name, hear: (data: FeedEvents[Name]) => void) =>
      source?.addEventListener(name, ({ data }) => hear(JSON.parse(data)));
    on('records', (records) => store.add(records));
    on('live', () => store.connect({ is: 'live' }));
    on('engine', ({ url }) => {
      store.engine = url;
    });
    on('held', (isHeld) => {
      store.isHeld = isHeld;
      store.tell();
    });
    on('control', (control) => {
      store.control = control;
      store.tell();
    });
    on('transition', ({ state }) => store.moveAhead(state));
    on('gone', () => end({ is: 'gone' }));
    on('damaged', ({ problem }) => end({ is: 'damaged', problem }));
    on('over', ({ command }) => end({ is: 'over', command }));
    source.onopen = () => {
      // What is there already comes again where the browser could not say how far it was; the film passes it over.
      if (store.connection.is === 'waiting') store.connect({ is: 'live' });
    };
    source.onerror = () => {
      if (isOver) return;
      const isRefused = source?.readyState === EventSource.CLOSED;
      if (isRefused && store.film.frames.length === 0) return end({ is: 'missing' });
      store.connect({ is: 'waiting' });
      if (isRefused) timer = setTimeout(open, AGAIN_MS);
    };
  };
  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}
