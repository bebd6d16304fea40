/** A place whose runs ask a strict service over real HTTP. One service follows on another and knows what that one saw. */
import { onTestFinished } from 'vitest';
import type { Message } from '../../machines/protocol.ts';
import { RunPlace } from '../cli/resumes.ts';
import { type StrictReply, type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

export class ServedPlace extends RunPlace {
  #server: StrictServer | undefined;

  /** What the next processes are answered. */
  async serve(...replies: readonly StrictReply[]): Promise<StrictServer> {
    const history = this.#server?.history;
    const server = await startStrictServer(replies, history && { history });
    onTestFinished(() => server.close());
    this.#server = server;
    return server;
  }

  override get env(): NodeJS.ProcessEnv {
    const url = this.#server?.url;
    return { ...super.env, ...(url && { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url }) };
  }
}

export function servedPlace(): ServedPlace {
  const place = new ServedPlace();
  onTestFinished(() => place.remove());
  return place;
}

/** What was wrong with any of the requests. */
export const violationsOf = (server: StrictServer): string[] =>
  server.requests.flatMap(({ violations }) => [...violations]);

export const lastMessage = (server: StrictServer, request: number): Message | undefined =>
  (server.requests[request - 1]?.body.messages as Message[] | undefined)?.at(-1);
