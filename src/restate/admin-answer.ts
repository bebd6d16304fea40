/** What the engine's admin address answers. */
import { EngineError } from './engine-error.ts';

/** What the engine says against something. */
export class Refusal extends EngineError {
  constructor(
    status: number,
    readonly said: string,
  ) {
    super(`Restate answers ${status}: ${said}`);
  }
}

/** @throws EngineError where the engine refuses, or something else answers */
export async function answerOf(response: Response, url: string): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Refusal(response.status, sentenceIn(text).slice(0, LONGEST_SAID));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EngineError(
      `What answers at ${url} is not Restate. Say where its admin address is: --restate-admin.`,
      { cause: error },
    );
  }
}

const LONGEST_SAID = 500;

/** The engine puts its words into JSON, behind its number of the error, which it may say twice. */
function sentenceIn(text: string): string {
  let said = text;
  try {
    said = String((JSON.parse(text) as { readonly message?: unknown } | null)?.message ?? text);
  } catch {
    // Something else than the engine answers there: as it is.
  }
  const sentence = said.replace(/^(?:\[[A-Z]+\d+\] )+/, '').trim();
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
