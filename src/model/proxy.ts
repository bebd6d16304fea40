import type http from 'node:http';

const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** By proxy and by whether the server is asked in TLS: connections through them are kept, too. */
const agents = new Map<string, http.Agent>();

/**
 * The agent for a server that the environment names a proxy for (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, and `NO_PROXY`
 * for exceptions, each in either case); undefined where it names none. Rejects with an Error of one line, without the
 * address, which may hold a password, where that cannot be used.
 */
export async function proxyAgent(url: URL): Promise<http.Agent | undefined> {
  const { getProxyForUrl } = await import('proxy-from-env');
  const proxy = getProxyForUrl(url.href);
  if (proxy === '') return undefined;
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Error(
      `The proxy in the environment (${VARIABLES.join(', ')}) must be an address such as http://proxy.example:3128`,
    );
  const isSecure = url.protocol === 'https:';
  const key = `${isSecure} ${proxy}`;
  const { agentThrough } = await import('./tunnel.ts');
  const agent = agents.get(key) ?? agentThrough(proxy, isSecure);
  agents.set(key, agent);
  return agent;
}

/** Whether it is worth loading what knows about proxies. */
export const mayHaveProxy = (): boolean =>
  VARIABLES.some((name) => process.env[name] || process.env[name.toLowerCase()]);
