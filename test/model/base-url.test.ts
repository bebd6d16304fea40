import { describe, expect, it } from 'vitest';
import { normaliseBaseUrl } from '../../src/model/base-url.ts';

describe('the base address', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1:8080/v1/messages', 'http://127.0.0.1:8080'],
    ['https://gateway.example/proxy/x', 'https://gateway.example/proxy/x'],
    ['https://gateway.example/proxy/x/v1//', 'https://gateway.example/proxy/x'],
    ['https://gateway.example/v10', 'https://gateway.example/v10'],
    ['  HTTPS://Gateway.Example ', 'https://gateway.example'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('%s is taken as %s', (given, taken) => {
    expect(normaliseBaseUrl(given, 'ANTHROPIC_BASE_URL')).toBe(taken);
  });

  it.each([undefined, '', '  '])('is the public service where nothing is given: %j', (given) => {
    expect(normaliseBaseUrl(given, 'ANTHROPIC_BASE_URL')).toBe('https://api.anthropic.com');
  });

  it.each([
    ['127.0.0.1:8080', 'http:// or https://, such as https://127.0.0.1:8080'],
    ['localhost:8080', 'such as https://localhost:8080'],
    ['ftp://files.example', 'such as https://files.example'],
    ['http://', 'such as https://api.example.com'],
    ['http://a b', 'http:// or https://'],
    ['https://gateway.example/?key=1', 'end before "?" and "#": https://gateway.example/'],
  ])('%s is refused with a remedy in one line', (given, remedy) => {
    expect(() => normaliseBaseUrl(given, 'ANTHROPIC_BASE_URL')).toThrow(remedy);
    expect(() => normaliseBaseUrl(given, 'ANTHROPIC_BASE_URL')).not.toThrow('\n');
  });

  it.each(['localhost:8080', 'https://me:x@gateway.example', 'https://gateway.example/?key=1'])(
    'is refused with the name of what gave it: %s',
    (given) => {
      for (const origin of ['ANTHROPIC_BASE_URL', 'baseUrl'] as const)
        expect(() => normaliseBaseUrl(given, origin)).toThrow(`The base address (${origin}) must`);
    },
  );

  it.each(['https://me:hunter2@gateway.example', 'me:hunter2@gateway.example'])(
    'a password in it is refused and not repeated: %s',
    (given) => {
      expect(() => normaliseBaseUrl(given, 'ANTHROPIC_BASE_URL')).toThrow();
      expect(() => normaliseBaseUrl(given, 'ANTHROPIC_BASE_URL')).not.toThrow('hunter2');
    },
  );
});
