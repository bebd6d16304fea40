/** A worker: serves the workflow to the engine. It keeps nothing that another worker would need. */
import './with-resolvers.ts';
import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEndpointHandler } from '@restatedev/restate-sdk/node';
import { pawlWorkflow } from './service.ts';
import { openShop, type ShopOptions } from './shop.ts';

export interface WorkerOptions extends ShopOptions {
  readonly port: number;
  /** Address to listen on. Whoever reaches it can have programs run, unless there are keys. */
  readonly host: string;
  /** Public keys of the engine: nobody else is served. */
  readonly identityKeys: readonly string[];
  readonly version: string;
  /** Told what the SDK has to say. */
  readonly onLog: (level: string, text: string) => void;
}

export interface Worker {
  readonly port: number;
  /** Lets jobs at work come to their end for a while, and begins no more. Runs go on elsewhere, or here once it is back. */
  close(longestMs: number): Promise<void>;
}

/** Runs of one connection. The engine opens another one for more, so that a balancer of connections has some to balance. */
const RUNS_A_CONNECTION = 8;
/** For the last findings to reach the engine. */
const LAST_WORDS_MS = 300;

/** @throws Error that says what is wrong with a public key of an engine */
export function checkIdentity(keys: readonly string[]): void {
  if (keys.length > 0) createEndpointHandler({ services: [], identityKeys: [...keys], logger: () => {} });
}

/** Rejects with the system's error where nothing can be listened on. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const shop = openShop(options);
  const { onLog, identityKeys, version, port, host } = options;
  const handler = createEndpointHandler({
    services: [pawlWorkflow(shop, version)],
    logger: ({ level }, ...texts) => onLog(level, texts.map(String).join(' ')),
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
  });
  const server = http2.createServer({ settings: { maxConcurrentStreams: RUNS_A_CONNECTION } }, handler);
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // A connection that breaks ends the attempts on it, and no more.
    session.on('error', () => {});
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(longestMs) {
      server.close();
      await Promise.race([shop.slots.drain().then(() => sleep(LAST_WORDS_MS)), sleep(longestMs)]);
      for (const session of sessions) session.destroy();
    },
  };
}
