import { expect, it } from 'vitest';
import type { AttemptFailure } from '../../machines/events.ts';
import { mayHaveBegun } from '../../src/actors/may-have-begun.ts';
import { ModelFailure } from '../../src/model/client.ts';

const failure = (kind: AttemptFailure['kind'], code?: string, retryable = true) =>
  new ModelFailure('no reply', {
    kind,
    retryable,
    cause: new Error('of the SDK', { cause: Object.assign(new Error('of the system'), code && { code }) }),
  });

it.each<[string, ModelFailure, boolean]>([
  ['a reply that broke off may go on', failure('interrupted'), true],
  ['a silent one may, too', failure('idle'), true],
  ['what is no reply may have been one', failure('malformed'), true],
  ['a connection that was lost may have carried the request', failure('connection', 'ECONNRESET'), true],
  ['one that is lost without a reason may have, too', failure('connection'), true],
  ['a connection that was refused carried nothing', failure('connection', 'ECONNREFUSED'), false],
  ['nor did one to a name that nobody knows', failure('connection', 'ENOTFOUND'), false],
  ['nor one to a server that could not prove who it is', failure('connection', 'CERT_HAS_EXPIRED'), false],
  ['what was not sent was not worked on', failure('connection', undefined, false), false],
  ['an answer with an error status is no reply', failure('http'), false],
  ['nor is one that says that the prompt is too long', failure('context', undefined, false), false],
  ['nor the end of a script', failure('script', undefined, false), false],
])('%s: %#', (_, error, expected) => {
  expect(mayHaveBegun(error)).toBe(expected);
});
