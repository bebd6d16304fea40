import path from 'node:path';
import type { Message } from '../../machines/protocol.ts';
import { anthropicModel } from '../model/anthropic.ts';
import { normaliseBaseUrl } from '../model/base-url.ts';
import type { ModelClient } from '../model/client.ts';
import type { ModelSettings } from '../model/environment.ts';
import { loadScript } from '../model/script-file.ts';
import { scriptedModel } from '../model/scripted.ts';
import { cannotRead, checkRegularFile } from './read-file.ts';
import type { RequestSettings } from './request-settings.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError where no request could be sent */
export function liveClient(
  { model: _, ...service }: ModelSettings,
  wire: RequestSettings['wire'],
): ModelClient {
  if (service.apiKey === undefined && service.authToken === undefined)
    throw new UsageError(
      'No key for the model. Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or play a script with --script FILE.',
    );
  return orUsageError(() => {
    // For its refusal, which names the variable: the client knows the address only as an option.
    normaliseBaseUrl(service.baseUrl, 'ANTHROPIC_BASE_URL');
    return anthropicModel({ ...service, ...wire });
  });
}

const LARGEST_SCRIPT_BYTES = 100_000_000;

/**
 * @param answered see scriptedModel: the script goes on where an earlier process left it
 * @throws UsageError naming the file and what is wrong in it
 */
export async function scriptClient(file: string, answered: readonly Message[] = []): Promise<ModelClient> {
  await checkRegularFile(file, LARGEST_SCRIPT_BYTES).catch((error) => {
    throw cannotRead('--script file', file, error);
  });
  const script = await loadScript(file).catch((error) =>
    complain(error, ' Check the file given with --script.'),
  );
  return scriptedModel(script, path.basename(file), answered);
}

function orUsageError<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    return complain(error);
  }
}

function complain(error: unknown, remedy = ''): never {
  throw new UsageError(`${(error as Error).message.replace(/\.$/, '')}.${remedy}`);
}
