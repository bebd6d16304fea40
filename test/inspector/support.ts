/** A server of the page over a state folder, and what speaks to it: requests with any headers, and a reader of feeds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { Controls, type Steering } from '../../src/inspector/bridge/controls.ts';
import { type Library, runsIn } from '../../src/inspector/library.ts';
import { Pages } from '../../src/inspector/pages.ts';
import { type InspectorServer, startServer } from '../../src/inspector/server.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { linesOf } from '../journal/lines.ts';

/** A state folder with journals by their ids. */
export function stateFolder(journals: Readonly<Record<string, readonly RecordBody[]>> = {}): string {
  const folder = scratchFolder();
  writeJournals(folder, journals);
  return folder;
}

export function writeJournals(
  folder: string,
  journals: Readonly<Record<string, readonly RecordBody[]>>,
): void {
  mkdirSync(path.join(folder, 'runs'));
  for (const [id, bodies] of Object.entries(journals))
    writeFileSync(journalOf(folder, id), linesOf(bodies).join(''));
}

export const journalOf = (folder: string, id: string): string => path.join(folder, 'runs', `${id}.jsonl`);

/** @param pages else a page that says that it is one */
export async function serve(library: Library, port = 0, pages?: Pages): Promise<InspectorServer> {
  const page = scratchFolder();
  writeFileSync(path.join(page, 'index.html'), '<!doctype html><title>the page</title>');
  writeFileSync(path.join(page, 'export.html'), 'not served');
  const server = await startServer(runsIn(library), port, pages ?? new Pages(page));
  onTestFinished(() => server.close());
  return server;
}

export const controls = (steering: Partial<Steering> = {}): Controls =>
  new Controls({
    breakpoints: [],
    tools: ['bash'],
    terminal: null,
    diffOf: async () => undefined,
    cancel: () => {},
    ...steering,
  });

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly host?: string;
}

/** What the page knows. */
export const bearer = ({ token }: InspectorServer) => ({ Authorization: `Bearer ${token}` });

function send(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body, host = '127.0.0.1' }: Asked,
) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = http.request({ host, port, path: target, method, headers, agent: false }, resolve);
    request.on('error', reject);
    request.end(body);
  });
}

/** A request with these headers and no others. */
export async function ask(
  server: { readonly port: number },
  target: string,
  asked: Asked = {},
): Promise<Answer> {
  const response = await send(server.port, target, asked);
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: await text(response) };
}

/** What the page does to change something. */
export async function post(server: InspectorServer, target: string, body: unknown): Promise<Answer> {
  return ask(server, target, {
    method: 'POST',
    headers: { ...bearer(server), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export interface Told {
  readonly event: string;
  readonly id: string | null;
  readonly data: unknown;
}

export class FeedReader {
  readonly told: Told[] = [];
  isOver = false;
  #text = '';

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('close', () => {
      this.isOver = true;
    });
    response.on('error', () => {});
    onTestFinished(() => {
      response.destroy();
    });
  }

  static async of(server: InspectorServer, runId: string, headers: Readonly<Record<string, string>> = {}) {
    const target = `/api/runs/${encodeURIComponent(runId)}/records`;
    return new FeedReader(await send(server.port, target, { headers: { ...bearer(server), ...headers } }));
  }

  /** Numbers of the records. */
  get seqs(): number[] {
    return this.told.filter(({ event }) => event === 'record').map(({ id }) => Number(id));
  }

  get events(): string[] {
    return this.told.map(({ event }) => event);
  }

  async until(holds: (reader: this) => boolean, longestMs = 50_000): Promise<void> {
    const deadline = performance.now() + longestMs;
    while (!holds(this)) {
      if (performance.now() > deadline)
        throw new Error(`waited in vain; told last: ${this.events.slice(-20).join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #take(chunk: string): void {
    const parts = (this.#text + chunk).split('\n\n');
    this.#text = parts.pop() ?? '';
    for (const part of parts) {
      const field = (name: string) =>
        part
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const event = field('event');
      if (event) this.#hear({ event, id: field('id') ?? null, data: JSON.parse(field('data') ?? 'null') });
    }
  }

  /** Records that come together are told one by one; what comes with them is the number of the last one. */
  #hear(told: Told): void {
    if (told.event !== 'records') {
      this.told.push(told);
      return;
    }
    const records = told.data as readonly JournalRecord[];
    if (String(records.at(-1)?.seq) !== told.id)
      throw new Error(`the id ${told.id} is not that of the last record`);
    for (const data of records) this.told.push({ event: 'record', id: String(data.seq), data });
  }
}
