/** Agents that reach a server by way of a proxy. Loaded only where there is one. */
import type http from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';

/** Node does not hand the signal of a request to its agent. */
export interface TunnelOptions {
  readonly tunnelSignal?: AbortSignal | null | undefined;
}

type Connect = HttpsProxyAgent<string>['connect'];

/**
 * A tunnel that is no longer built once its request is given up. Node ends a request only when it has a connection: a
 * silent proxy would keep it, and the process.
 */
class Tunnel extends HttpsProxyAgent<string> {
  override async connect(...[request, options]: Parameters<Connect>): ReturnType<Connect> {
    const { tunnelSignal: signal } = options as TunnelOptions;
    const building = new AbortController();
    const giveUp = () => building.abort();
    signal?.addEventListener('abort', giveUp);
    const connectOpts = { ...this.connectOpts, signal: building.signal };
    try {
      return await super.connect.call(
        Object.create(this, { connectOpts: { value: connectOpts } }),
        request,
        options,
      );
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }
}

export const agentThrough = (proxy: string, isSecure: boolean): http.Agent =>
  isSecure ? new Tunnel(proxy, { keepAlive: true }) : new HttpProxyAgent(proxy, { keepAlive: true });
