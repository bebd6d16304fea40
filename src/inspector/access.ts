/**
 * Who may speak to the server. Any web page can send requests to this machine's loopback address, and so can any user of
 * it. Three things are asked of each request: that it names this server as its host (else a name that was made to lead
 * here has brought it), that it comes from no other page, and that it knows the token.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The token may be seen by others in the arguments of a program, so a browser is started with one that counts once. */
const TICKET_MS = 60_000;

export class Access {
  readonly token = newSecret();
  readonly #tickets = new Map<string, number>();

  constructor(private readonly port: number) {}

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Cookies do not know ports: each server has a name of its own. */
  get #cookieName(): string {
    return `pawl-${this.port}`;
  }

  get cookie(): string {
    return `${this.#cookieName}=${this.token}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** @returns takes the place of the token once, for a minute */
  ticket(now = performance.now()): string {
    const ticket = newSecret();
    this.#tickets.set(ticket, now + TICKET_MS);
    return ticket;
  }

  /** Whether this is the token or a ticket, which counts no longer then. */
  admits(secret: string, now = performance.now()): boolean {
    const until = this.#tickets.get(secret);
    this.#tickets.delete(secret);
    return (until !== undefined && now <= until) || isSame(secret, this.token);
  }

  /** Whatever the request knows. A page that navigates here brings no Origin; what it sees of the answer is nothing. */
  isForeign({ headers }: IncomingMessage): boolean {
    const { host = '', origin } = headers;
    if (host !== `127.0.0.1:${this.port}` && host !== `localhost:${this.port}`) return true;
    return origin !== undefined && origin !== `http://${host}`;
  }

  /** A page on another port of this machine is "same-site": its pictures and scripts bring the cookie along. */
  isEmbedded({ headers }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  knows({ headers }: IncomingMessage): boolean {
    const { authorization = '', cookie = '' } = headers;
    const [, bearer] = /^Bearer (\S+)$/.exec(authorization) ?? [];
    const prefix = `${this.#cookieName}=`;
    const kept = cookie.split('; ').find((one) => one.startsWith(prefix));
    return isSame(bearer ?? kept?.slice(prefix.length) ?? '', this.token);
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');

function isSame(found: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(found), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
