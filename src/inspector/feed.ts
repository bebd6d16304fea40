/** A run's records as server-sent events. A reader that is slow is waited for: nothing piles up here for it. */
import type { ServerResponse } from 'node:http';
import type { Followed, Reader } from '../journal/follow.ts';
import type { Controls } from './bridge/controls.ts';
import type { FeedEvents } from './protocol.ts';
import type { RecordSource } from './source.ts';

export interface Feed {
  readonly source: RecordSource;
  /** Where this process runs the run. */
  readonly controls?: Controls | undefined;
  /** Whether some process works on it; left out where that is clear. */
  readonly isHeld?: () => boolean;
  /** Address of the engine that has the run. */
  readonly engine?: string;
  /** The command that shows the run again once this process has ended. */
  readonly command: string | null;
}

/** How long what is no record is gathered. */
const BREATH_MS = 80;
/** Keeps proxies from giving the connection up, and finds out that a reader has left. */
const HEARTBEAT_MS = 15_000;
/** A process that dies says nothing, so somebody has to look. */
const LOOK_MS = 1_000;

/**
 * @param after number of the last record that the reader has; -1: none
 * @param ending the process is about to end: what is left is sent, then the feed ends
 */
export async function serveFeed(
  response: ServerResponse,
  { source, controls, isHeld, engine, command }: Feed,
  after: number,
  ending: AbortSignal,
): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  response.once('error', () => leaving.abort());
  const left = leaving.signal;
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  response.write(`retry: ${RETRY_MS}\n\n`);
  if (engine !== undefined) response.write(event('engine', { url: engine }));
  const stops = [tellBeside(response, controls), tellHolder(response, isHeld)];
  try {
    for await (const text of texts(source.follow({ left, ending }), after)) {
      if (!response.write(text)) await drained(response, left);
      if (left.aborted) break;
    }
  } finally {
    for (const stop of stops) stop();
    response.end(ending.aborted ? event('over', { command }) : '');
  }
}

/** How soon a browser comes back. */
const RETRY_MS = 1_000;

/**
 * What is no record: gathered for a moment, and told in one go. A reader that is behind gets the state of the controls
 * when it has caught up, and where the machine is not at all; of transitions that come together the last one tells that.
 */
function tellBeside(response: ServerResponse, controls: Controls | undefined): () => void {
  let [isOwed, transition, timer]: [boolean, string, NodeJS.Timeout | undefined] = [false, '', undefined];
  const tell = () => {
    timer = undefined;
    if (response.writableNeedDrain) {
      transition = '';
      return;
    }
    const state = isOwed && controls ? event('control', controls.state) : '';
    if (transition || state) response.write(transition + state);
    [isOwed, transition] = [false, ''];
  };
  const soon = () => {
    timer ??= setTimeout(tell, BREATH_MS);
  };
  const heartbeat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), HEARTBEAT_MS);
  response.on('drain', tell);
  const unwatch = controls?.watch(
    () => {
      isOwed = true;
      soon();
    },
    (taken) => {
      transition = event('transition', taken);
      soon();
    },
  );
  isOwed = controls !== undefined;
  tell();
  return () => {
    tell();
    clearTimeout(timer);
    clearInterval(heartbeat);
    response.off('drain', tell);
    unwatch?.();
  };
}

function tellHolder(response: ServerResponse, isHeld: Feed['isHeld']): () => void {
  if (isHeld === undefined) return () => {};
  let told: boolean | undefined;
  const look = () => {
    const now = isHeld();
    if (now === told || response.writableNeedDrain) return;
    told = now;
    response.write(event('held', now));
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

async function* texts(followed: AsyncGenerator<Followed>, after: number): AsyncGenerator<string> {
  let isLive = false;
  for await (const found of followed) {
    switch (found.type) {
      case 'records': {
        const news = found.records.filter(({ seq }) => seq > after);
        const last = news.at(-1);
        if (last) yield `id: ${last.seq}\n${event('records', news)}`;
        break;
      }
      case 'caught-up':
        if (!isLive) yield event('live', null);
        isLive = true;
        break;
      case 'gone':
        yield event('gone', null);
        break;
      case 'damaged':
        yield event('damaged', { problem: found.problem });
        break;
      default:
        found satisfies never;
    }
  }
}

/** JSON has no line feed of its own, so that one line of data is all there is. */
const event = <Name extends keyof FeedEvents>(name: Name, data: FeedEvents[Name]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function drained(response: ServerResponse, left: Reader['left']): Promise<void> {
  return new Promise((resolve) => {
    if (left.aborted) return resolve();
    const done = () => {
      response.off('drain', done);
      left.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    left.addEventListener('abort', done);
  });
}
