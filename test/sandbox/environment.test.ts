import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/sandbox/environment.ts';
import { localSandbox } from '../../src/sandbox/process.ts';

describe('childEnvironment', () => {
  it.each([
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'VIRTUAL_ENV',
    'PYENV_ROOT',
    'NVM_DIR',
    'JAVA_HOME',
    'SSL_CERT_FILE',
  ])('lets %s through', (name) => {
    expect(childEnvironment({ [name]: 'value' })).toEqual({ [name]: 'value' });
  });

  it.each([
    'ANTHROPIC_API_KEY',
    'DATABASE_URL',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'HTTPS_PROXY',
    'SSH_AUTH_SOCK',
    'NODE_OPTIONS',
    'BASH_ENV',
    'NVM_AUTH_HEADER',
    'LC_MY_TOKEN',
    'PATHS',
    'path',
    'SOMETHING_NEW',
  ])('keeps %s back', (name) => {
    expect(childEnvironment({ [name]: 'secret' })).toEqual({});
  });

  it('leaves out what has no value', () => {
    expect(childEnvironment({ PATH: undefined, HOME: '' })).toEqual({ HOME: '' });
  });

  it('is all that a child gets, besides the name of its call', async () => {
    const { PATH } = process.env;
    const environment = { PATH, ANTHROPIC_API_KEY: 'sk-secret', DATABASE_URL: 'postgres://user:secret@host' };
    const { stdout } = await localSandbox({ environment }).run({
      command: 'env',
      args: [],
      cwd: '/',
      timeoutMs: 5_000,
      maxCharacters: 10_000,
      signal: new AbortController().signal,
    });
    expect(stdout.text.replace(/^PAWL_CALL=[\da-f-]{36}\n/m, '')).toBe(`PATH=${PATH}\n`);
  });
});
