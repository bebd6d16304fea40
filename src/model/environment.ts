import { parseEnv } from 'node:util';

/** How to reach the model, as far as the person has said. At most one of key and token is given. */
export interface ModelSettings {
  readonly apiKey?: string;
  readonly authToken?: string;
  readonly baseUrl?: string;
  readonly model?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment, and what it leaves open from the text of a `.env` file. Only the names
 * below are looked at; an empty value counts as not set; a key wins over a token of the same source.
 * Throws an Error of one line where a file would send a credential of the environment to an address of its own: the
 * file lies in the work folder, which need not be the person's.
 */
export function modelSettings(environment: Variables, dotenv: string | undefined): ModelSettings {
  const ours = settingsIn(environment);
  const theirs = settingsIn(dotenv === undefined ? {} : parseEnv(dotenv));
  const hasCredential = ours.apiKey !== undefined || ours.authToken !== undefined;
  if (hasCredential && ours.baseUrl === undefined && theirs.baseUrl !== undefined)
    throw new Error(
      'ANTHROPIC_BASE_URL is set in .env, but the key is set in the environment: set both in the same place',
    );
  const { apiKey: _key, authToken: _token, ...withoutCredential } = theirs;
  return { ...(hasCredential ? withoutCredential : theirs), ...ours };
}

/** Shorter ones are no keys but words of a test, which texts are full of. */
const SHORTEST_KEY = 8;

/** Every key and token that lies about here, whether or not it is used: tools may find it. */
export function keysIn(environment: Variables, dotenv: string | undefined): string[] {
  const sources = [environment, dotenv === undefined ? {} : parseEnv(dotenv)];
  return sources
    .flatMap(({ ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN }) => [ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN])
    .map((key) => key?.trim() ?? '')
    .filter((key) => key.length >= SHORTEST_KEY);
}

function settingsIn(variables: Variables): ModelSettings {
  const read = (name: string) => variables[name]?.trim() || undefined;
  const apiKey = read('ANTHROPIC_API_KEY');
  const authToken = apiKey === undefined ? read('ANTHROPIC_AUTH_TOKEN') : undefined;
  const baseUrl = read('ANTHROPIC_BASE_URL');
  const model = read('ANTHROPIC_MODEL') ?? read('MODEL_ID');
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(authToken !== undefined && { authToken }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(model !== undefined && { model }),
  };
}
