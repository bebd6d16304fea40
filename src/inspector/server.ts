/** The page's server. It listens on the loopback address alone, and trusts nothing that reaches it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Access } from './access.ts';
import { answer, type Exchange, type Runs } from './answer.ts';
import { serveFeed } from './feed.ts';
import { Pages } from './pages.ts';

export interface InspectorServer {
  readonly address: string;
  readonly token: string;
  readonly port: number;
  /** An address that opens the page. @param query such as "run=ID" */
  open(query: string): string;
  /** The same for a program that is started with it: it counts once, and soon no longer. */
  openOnce(query: string): string;
  /** Sends what is left to whoever reads, but waits for nobody for long. */
  close(): Promise<void>;
}

const LONGEST_GOODBYE_MS = 1_000;
const MOST_CONNECTIONS = 64;

/**
 * @param port 0: one that is free. One that is taken is passed over for another
 * Rejects with the system's error where nothing can be listened on.
 */
export async function startServer(runs: Runs, port: number, pages = new Pages()): Promise<InspectorServer> {
  const ending = new AbortController();
  const feeds = new Set<Promise<void>>();
  const server = http.createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, port).catch(() => listen(server, 0));
  const access = new Access((server.address() as AddressInfo).port);
  const exchange: Exchange = {
    access,
    runs,
    pages,
    feed(response, feed, after) {
      const serving = serveFeed(response, feed, after, ending.signal).catch(() => {
        response.destroy();
      });
      feeds.add(serving);
      void serving.finally(() => feeds.delete(serving));
    },
  };
  server.on('request', (request, response) => {
    answer(exchange, request, response).catch(() => response.destroy());
  });
  // A socket that fails is the reader's affair.
  server.on('clientError', (_, socket) => socket.destroy());
  server.on('error', () => {});
  const { address, token } = access;
  return {
    address,
    token,
    port: (server.address() as AddressInfo).port,
    open: (query) => `${address}/?token=${token}${query && `&${query}`}`,
    openOnce: (query) => `${address}/?token=${access.ticket()}${query && `&${query}`}`,
    async close() {
      ending.abort();
      await Promise.race([Promise.all(feeds), wait(LONGEST_GOODBYE_MS)]);
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: http.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
