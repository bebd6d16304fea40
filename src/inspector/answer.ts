/** What the server answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from './access.ts';
import { asCommand, asDecision, jsonBody } from './body.ts';
import { UNCONTROLLED } from './bridge/controls.ts';
import type { Feed } from './feed.ts';
import type { Pages } from './pages.ts';
import type { Problem, RunEntry } from './protocol.ts';

/** The runs that are served. */
export interface Runs {
  /** Newest first. */
  list(): Promise<readonly RunEntry[]>;
  find(runId: string): Promise<Feed | undefined>;
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** What the answers are made from. */
export interface Exchange {
  readonly access: Access;
  readonly runs: Runs;
  readonly pages: Pages;
  feed(response: ServerResponse, feed: Feed, after: number): void;
}

/** Order: where it comes from, what it knows, what it wants. Until then, nothing is read of what it brings. */
export async function answer(
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { access } = exchange;
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const url = URL.canParse(request.url ?? '', access.address)
    ? new URL(request.url ?? '', access.address)
    : undefined;
  if (url === undefined || access.isForeign(request)) return refuse(response, 403, FOREIGN);
  if (url.pathname === '/' && request.method === 'GET' && url.searchParams.has('token'))
    return letIn(access, url, response);
  if (url.pathname !== '/' && access.isEmbedded(request)) return refuse(response, 403, FOREIGN);
  if (!access.knows(request)) return refuse(response, 403, NO_TOKEN);
  if (request.method === 'POST') return post(exchange, url.pathname, request, response);
  if (request.method === 'GET') return get(exchange, url.pathname, request, response);
  refuse(response, 405, 'Only GET and POST are understood.');
}

const FOREIGN = 'This address belongs to pawl alone: requests of other pages are refused.';
const NO_TOKEN = 'Open the whole address that pawl printed: it holds a token.';

/** The cookie takes the token's place, so that it stays in no history and is sent to nobody. */
function letIn(access: Access, { searchParams }: URL, response: ServerResponse): void {
  if (!access.admits(searchParams.get('token') ?? '')) {
    refuse(response, 403, NO_TOKEN);
    return;
  }
  searchParams.delete('token');
  const query = searchParams.toString();
  response.writeHead(303, { 'Set-Cookie': access.cookie, Location: query ? `/?${query}` : '/' }).end();
}

async function get(
  { runs, pages, feed }: Exchange,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (path === '/api/runs') return send(response, await runs.list());
  const [runId, part] = namedIn(path);
  if (part !== undefined) {
    const found = await runs.find(runId);
    if (found === undefined) return refuse(response, 404, NO_RUN);
    if (part === 'control') return send(response, found.controls?.state ?? UNCONTROLLED);
    if (part === 'records') return feed(response, found, lastSeq(request));
  }
  const file = await pages.find(path);
  if (file) response.writeHead(200, { 'Content-Type': file.type }).end(file.content);
  else refuse(response, 404, path === '/' ? NO_PAGE : 'There is nothing here.');
}

/** The run that an address names, and what of it. */
function namedIn(path: string): readonly [runId: string, part?: string] {
  const [, name = '', part] = /^\/api\/runs\/([^/]+)\/(records|control|approvals)$/.exec(path) ?? [];
  try {
    return part === undefined ? [''] : [decodeURIComponent(name), part];
  } catch {
    return [''];
  }
}

const NO_RUN = 'There is no such run.';
const NO_PAGE = 'This pawl was built without its page. Build it: npm run build';

const lastSeq = ({ headers }: IncomingMessage): number => {
  const id = headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : -1;
};

async function post({ runs }: Exchange, path: string, request: IncomingMessage, response: ServerResponse) {
  const [runId, part] = namedIn(path);
  if (part !== 'control' && part !== 'approvals') return refuse(response, 404, 'There is nothing here.');
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return refuse(response, 403, 'What changes something must be application/json.');
  const body = await jsonBody(request);
  const command = part === 'control' ? asCommand(body) : undefined;
  const decision = part === 'approvals' ? asDecision(body) : undefined;
  if (command === undefined && decision === undefined) return refuse(response, 400, 'Not understood.');
  const found = await runs.find(runId);
  if (found === undefined) return refuse(response, 404, NO_RUN);
  const { controls } = found;
  if (controls === undefined) return refuse(response, 409, 'This process does not run that run.');
  const objection = command && controls.command(command);
  if (objection !== undefined) return refuse(response, 400, objection);
  if (decision && !controls.decide(decision))
    return refuse(response, 409, 'That call does not wait for an answer.');
  send(response, controls.state);
}

const send = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
};

/** What the request still brings is not waited for. */
const refuse = (response: ServerResponse, status: number, problem: string): void => {
  response.setHeader('Connection', 'close');
  send(response, { problem } satisfies Problem, status);
};
