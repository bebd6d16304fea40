import { describe, expect, it } from 'vitest';
import { type ErrorAnswer, httpFailure, streamFailure } from '../../src/model/failure.ts';

const origin = {
  endpoint: 'https://gateway.example/v1/messages',
  secrets: ['sk-secret-key', 'a-header-value'],
};
const failure = (answer: Partial<Omit<ErrorAnswer, 'headers'>>, headers: Record<string, string> = {}) =>
  httpFailure({ status: 400, text: 'said', ...answer, headers: new Headers(headers) }, origin);

describe('an answer with an error status', () => {
  it('shows the full address for a 404', () => {
    expect(failure({ status: 404, text: 'model: foo' }).message).toBe(
      'HTTP 404: model: foo (asked: https://gateway.example/v1/messages)',
    );
  });

  it('shows where a redirect leads, and is final', () => {
    const redirect = failure({ status: 302, text: '' }, { location: 'https://login.example/' });
    expect(redirect.message).toContain('https://login.example/');
    expect(redirect.retryable).toBe(false);
  });

  it('names the request, for questions to the service', () => {
    expect(failure({}, { 'request-id': 'req_7' }).message).toBe('HTTP 400: said (request id: req_7)');
  });

  it('says of a page only its title, or its visible start', () => {
    const page = `<!DOCTYPE html><html><head><title>502 Bad\nGateway</title></head><body>${'x'.repeat(9000)}</body></html>`;
    expect(failure({ status: 502, text: page }).message).toBe('HTTP 502: 502 Bad Gateway');
    const untitled = failure({
      status: 502,
      text: `<html><style>p{}</style><p>Down</p>${'x'.repeat(9000)}`,
    }).message;
    expect(untitled).toMatch(/^HTTP 502: Down x+…$/);
    expect(untitled.length).toBeLessThan(500);
  });

  it('is one line without control characters', () => {
    const { message } = failure({ text: 'a\r\nb\u001b[31mc\u0000\u202ed\u2028e' });
    expect(message).toBe('HTTP 400: a b [31mc d e');
  });

  it('never repeats the key, also where the server does', () => {
    const { message } = failure(
      { text: 'no such key: sk-secret-key a-header-value' },
      { 'request-id': 'sk-secret-key' },
    );
    expect(message).not.toMatch('sk-secret-key');
    expect(message).not.toMatch('a-header-value');
    expect(message).toContain('***');
  });

  it.each(['enforced_spend_limit_reached', 'contract_spend_limit_reached'])(
    'is final where money is the limit: %s',
    (errorCode) => {
      expect(failure({ status: 429, errorCode }).retryable).toBe(false);
      expect(failure({ status: 429, errorCode: 'ramp_limit_exceeded' }).retryable).toBe(true);
    },
  );

  it.each([408, 409, 429, 500, 502, 503, 504, 529, 599])('may pass with %i', (status) => {
    expect(failure({ status }).retryable).toBe(true);
    expect(failure({ status }, { 'x-should-retry': 'false' }).retryable).toBe(false);
  });

  it.each([400, 401, 402, 403, 404, 413])('is final with %i, whatever the server adds', (status) => {
    expect(failure({ status }).retryable).toBe(false);
    const urged = { 'x-should-retry': 'true', 'retry-after': '1' };
    expect(failure({ status }, urged).retryable).toBe(false);
  });

  it.each([301, 307, 405, 410, 422, 499])('is final with %i where the server says no other', (status) => {
    expect(failure({ status }).retryable).toBe(false);
    expect(failure({ status }, { 'x-should-retry': 'true' }).retryable).toBe(true);
  });

  it.each([
    'Your organization has reached its spend limit.',
    'You have hit the configured spending limit for this key',
    '{"error":{"code":"contract_spend_limit_reached"}}',
  ])('is final where the text says that money is the limit: %s', (text) => {
    expect(failure({ status: 429, text }, { 'x-should-retry': 'true' }).retryable).toBe(false);
    expect(failure({ status: 429, text: 'This would exceed your rate limit' }).retryable).toBe(true);
    expect(failure({ status: 529, text }).retryable).toBe(true);
  });

  it('follows the word of the server on whether to try again', () => {
    expect(failure({ status: 529 }, { 'x-should-retry': 'false' }).retryable).toBe(false);
    expect(failure({ status: 529 }, { 'x-should-retry': 'perhaps' }).retryable).toBe(true);
  });

  it('never tries a request again that is too large for the model', () => {
    const large = failure({ text: 'prompt is too long: 9 > 8' }, { 'x-should-retry': 'true' });
    expect(large).toMatchObject({ kind: 'context', retryable: false });
    expect(failure({ status: 413, text: 'prompt is too long' }).kind).toBe('http');
  });

  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after-ms': '0x10', 'retry-after': '2' }, 2_000],
    ...['0x10', '0b1', '1e3', '+5', '.5', '5.', '1_000', '5 s', '9'.repeat(400)].map(
      (text): [Record<string, string>, undefined] => [
        { 'retry-after-ms': text, 'retry-after': text },
        undefined,
      ],
    ),
    [{ 'retry-after': 'Jan 1 2100' }, undefined],
    [{ 'retry-after': '2100-01-01' }, undefined],
    [{ 'retry-after': 'in 2100' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, undefined],
    [{}, undefined],
  ])('reads the wait that is asked for from %o: %s ms', (headers, expected) => {
    expect(failure({ status: 429 }, headers).retryAfterMs).toBe(expected);
  });

  it.each<[string, (date: string) => string]>([
    ['as it is written today', (date) => date],
    [
      'as it was written once',
      (date) =>
        date.replace(/^(\w+), (\d\d) (\w+) \d\d(\d\d)/, (_, _day, ...[at, month, year]) =>
          ['Sunday, ', at, '-', month, '-', year].join(''),
        ),
    ],
  ])('reads the wait from a date, %s', (_, written) => {
    const date = written(new Date(Date.now() + 60_000).toUTCString());
    const wait = failure({ status: 429 }, { 'retry-after': date }).retryAfterMs ?? 0;
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });
});

/** As the SDK throws it for an error event. */
const event = (type: string | null, apiMessage: string, errorCode: string | null = null) =>
  Object.assign(new Error(`{"type":"${type}"}`), { apiMessage, type, errorCode });

describe('an error in the middle of a stream', () => {
  it.each(['overloaded_error', 'api_error', 'timeout_error', 'rate_limit_error', 'novel_error', null])(
    'may pass: %s',
    (type) => {
      expect(streamFailure(event(type, 'said'), origin)).toMatchObject({
        kind: 'interrupted',
        retryable: true,
      });
    },
  );

  it.each([
    'invalid_request_error',
    'authentication_error',
    'billing_error',
    'permission_error',
    'not_found_error',
    'request_too_large',
  ])('is as final as the status that it stands for: %s', (type) => {
    expect(streamFailure(event(type, 'said'), origin)).toMatchObject({
      kind: 'interrupted',
      retryable: false,
    });
  });

  it('is final where money is the limit', () => {
    const spent = event('rate_limit_error', 'said', 'enforced_spend_limit_reached');
    expect(streamFailure(spent, origin).retryable).toBe(false);
  });

  it('is known as a prompt that is too long', () => {
    const long = event('invalid_request_error', 'prompt is too long: 9 > 8');
    expect(streamFailure(long, origin)).toMatchObject({ kind: 'context', retryable: false });
  });
});
