const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/**
 * The address that `/v1/messages` is put behind. People copy it with a slash, with `/v1` or with the whole path at
 * its end; the SDK adds that path once more, and the 404 that follows names neither cause nor address.
 * Empty or undefined: the public service. Throws an Error whose message is one line with the remedy.
 * @param origin what it was given by, so that the person knows what to correct
 */
export function normaliseBaseUrl(text: string | undefined, origin: 'baseUrl' | 'ANTHROPIC_BASE_URL'): string {
  const given = text?.trim() ?? '';
  if (given === '') return DEFAULT_BASE_URL;
  const url = /^https?:\/\/./i.test(given) ? parse(given) : undefined;
  if (url === undefined) {
    const example = given.replace(/^[a-z]+:\/\/|^.*@|[^\x21-\x7e]/gi, '') || 'api.example.com';
    throw new Error(
      `The base address (${origin}) must start with http:// or https://, such as https://${example}`,
    );
  }
  // Said without showing the address: it may hold a password.
  if (url.username !== '' || url.password !== '')
    throw new Error(
      `The base address (${origin}) must not contain a user name or password: give the key instead`,
    );
  if (url.search !== '' || url.hash !== '')
    throw new Error(`The base address (${origin}) must end before "?" and "#": ${url.origin}${url.pathname}`);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1(\/messages)?$/, '');
  return url.origin + path.replace(/\/+$/, '');
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
