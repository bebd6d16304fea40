import { describe, expect, it } from 'vitest';
import { headersOf, secretsIn } from '../../src/model/extra-headers.ts';

describe('the headers that a person adds', () => {
  it('are taken in any case, and betas once each in one header', () => {
    expect(headersOf({ headers: { 'X-Team': 'a b' }, betas: ['b-2', 'a-1', 'b-2'] })).toEqual({
      'x-team': 'a b',
      'anthropic-beta': 'b-2,a-1',
    });
    expect(headersOf({})).toEqual({});
  });

  it.each(['', 'a,b', 'a b', 'a\r\nx-evil: 1', 'é'])('are refused for a beta that is no name: %j', (beta) => {
    expect(() => headersOf({ betas: [beta] })).toThrow(/^A beta is a name such as .*$/);
  });

  it.each(['', 'a b', 'a:b', 'é', 'a\nb'])('are refused for a name that no header has: %j', (name) => {
    expect(() => headersOf({ headers: { [name]: 'x' } })).toThrow(/^".*" is no name for a header$/);
  });

  it.each(['a\r\nx-evil: 1', 'é', 'a\0b'])(
    'are refused for a value that fits into no header, without it: %j',
    (value) => {
      expect(() => headersOf({ headers: { 'X-Key': value } })).toThrow(
        /^The value of the header x-key holds characters that fit into no header$/,
      );
    },
  );

  it.each(['Authorization', 'X-API-Key', 'anthropic-version', 'Anthropic-Beta', 'Host', 'Content-Length'])(
    'leave alone what is decided elsewhere: %s',
    (name) => {
      expect(() => headersOf({ headers: { [name]: 'x' } })).toThrow(
        `The header ${name.toLowerCase()} cannot be set: `,
      );
    },
  );

  it('hold secrets where their names say so and they are long enough to be some', () => {
    const headers = {
      'x-gateway-key': 'abcdefgh',
      'x-token': 'short',
      'x-team': 'engineering',
      cookie: 'session=1',
    };
    expect(secretsIn(headers)).toEqual(['abcdefgh', 'session=1']);
  });
});
