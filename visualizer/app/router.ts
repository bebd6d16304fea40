/** Which page is shown: told by the part of the address behind "#", so that a folder of files can serve all of them. */
import { useEffect, useState } from 'preact/hooks';

export type Route =
  | { readonly page: 'runs' | 'demo' }
  | { readonly page: 'run'; readonly runId: string }
  | { readonly page: 'compare'; readonly left: string; readonly right: string };

export const runPath = (runId: string): string => `#/runs/${encodeURIComponent(runId)}`;
export const comparePath = (left: string, right: string): string =>
  `#/compare/${encodeURIComponent(left)}/${encodeURIComponent(right)}`;

/** @param query as the server writes it: "?run=ID" or "?demo" */
export function routeOf(hash: string, query: string): Route {
  const [page, first, second] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (page === 'runs' && first) return { page: 'run', runId: first };
  if (page === 'compare' && first && second) return { page, left: first, right: second };
  if (page === 'demo') return { page };
  if (page === 'runs') return { page };
  const asked = new URLSearchParams(query);
  const run = asked.get('run');
  if (run) return { page: 'run', runId: run };
  return { page: asked.has('demo') ? 'demo' : 'runs' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export function useRoute(): Route {
  const now = () => routeOf(location.hash, location.search);
  const [route, setRoute] = useState(now);
  useEffect(() => {
    const onChange = () => setRoute(now());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  });
  return route;
}
