import { type Redact, redactor } from './actors/redact.ts';
import type { Means } from './options.ts';

/** Takes out of texts what this process knows to be secret. */
export const redactorOf = ({ client, secrets = [], redact }: Means): Redact =>
  redactor([...(client.secrets ?? []), ...secrets], redact);
