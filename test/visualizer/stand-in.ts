/**
 * A server that speaks the page's protocol over records in memory, so that a test can say what comes when. The rules of
 * the real one (token, origins, headers) are tested with it; only its content security policy is the same here.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Command, ControlState, Decision, FeedEvents, RunEntry } from '../../src/inspector/protocol.ts';
import type { JournalRecord } from '../../src/journal/record.ts';

export const PAGE_FOLDER = path.resolve(import.meta.dirname, '../../dist/visualizer');
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export const UNCONTROLLED: ControlState = {
  isControlled: false,
  isPaused: false,
  parked: [],
  breakpoints: [],
  questions: [],
};

/** One run as the test plays it. */
export class StandInRun {
  control = UNCONTROLLED;
  readonly commands: Command[] = [];
  readonly decisions: Decision[] = [];
  readonly readers = new Set<http.ServerResponse>();
  isLive = false;

  constructor(readonly records: JournalRecord[]) {}

  append(...records: readonly JournalRecord[]): void {
    this.records.push(...records);
    for (const reader of this.readers) reader.write(recordsEvent(records));
  }

  tell<Name extends keyof FeedEvents>(name: Name, data: FeedEvents[Name]): void {
    for (const reader of this.readers) reader.write(event(name, data));
  }

  steer(control: Partial<ControlState>): void {
    this.control = { ...this.control, isControlled: true, ...control };
    this.tell('control', this.control);
  }

  hear(command: Command): void {
    this.commands.push(command);
    const { breakpoints } = this.control;
    if (command.command === 'break') this.steer({ breakpoints: [...breakpoints, command.at] });
    else if (command.command === 'unbreak')
      this.steer({ breakpoints: breakpoints.filter((at) => at !== command.at) });
    else if (command.command !== 'cancel') this.steer({ isPaused: command.command !== 'continue' });
  }

  /** Ends the connections, as a network does. */
  drop(): void {
    for (const reader of this.readers) reader.destroy();
  }
}

export interface StandIn {
  readonly url: string;
  readonly runs: Map<string, StandInRun>;
  /** Paths that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** @param hasApi false: a server of files alone */
export async function startStandIn(hasApi = true, port = 0): Promise<StandIn> {
  const runs = new Map<string, StandInRun>();
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    asked.push(pathname);
    if (pathname.startsWith('/api/') && hasApi) void answer(runs, pathname, request, response);
    else serveFile(pathname, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    runs,
    asked,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function serveFile(pathname: string, response: http.ServerResponse): void {
  const name = pathname === '/' ? '/index.html' : pathname;
  try {
    const content = readFileSync(path.join(PAGE_FOLDER, path.normalize(name)));
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}

async function answer(
  runs: ReadonlyMap<string, StandInRun>,
  pathname: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const json = (value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (pathname === '/api/runs') return void json([...runs].map(([runId, run]) => entryOf(runId, run)));
  const [, , , runId = '', part] = pathname.split('/').map(decodeURIComponent);
  const run = runs.get(runId);
  if (run === undefined) return void json({ problem: 'There is no such run.' }, 404);
  if (request.method === 'POST') {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (part === 'control') run.hear(JSON.parse(body));
    else {
      const decision: Decision = JSON.parse(body);
      run.decisions.push(decision);
      run.steer({ questions: run.control.questions.filter(({ callId }) => callId !== decision.callId) });
    }
    return void json(run.control);
  }
  const after = Number(request.headers['last-event-id'] ?? -1);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 50\n\n');
  const news = run.records.filter(({ seq }) => seq > after);
  if (news.length > 0) response.write(recordsEvent(news));
  if (run.control.isControlled) response.write(event('control', run.control));
  response.write(event('live', null));
  run.readers.add(response);
  response.on('close', () => run.readers.delete(response));
}

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const recordsEvent = (records: readonly JournalRecord[]): string =>
  `id: ${records.at(-1)?.seq}\n${event('records', records)}`;

function entryOf(runId: string, { records, isLive }: StandInRun): RunEntry {
  const [first, last] = [records[0], records.at(-1)];
  const ended = last?.type === 'run.ended' ? last : undefined;
  return {
    runId,
    task: first?.type === 'run.started' ? first.task : '',
    startedAt: first?.at ?? '',
    status: ended?.status ?? null,
    isLive,
    turns: ended?.turns ?? 0,
    tokens: ended ? ended.usage.input + ended.usage.output : 0,
    costUsd: ended?.costUsd ?? 0,
    problem: null,
  };
}
