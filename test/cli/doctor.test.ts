/** `pawl doctor` finds what `pawl run` would find. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Check, checks } from '../../src/cli/doctor-checks.ts';
import { Place } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

async function found(env: NodeJS.ProcessEnv): Promise<Record<string, Check | undefined>> {
  const list = await checks(place.folder, place.folder, { ...place.env, ...env });
  return Object.fromEntries(list.map((check) => [check.name, check]));
}

describe('the key', () => {
  it.each([
    ['ANTHROPIC_API_KEY', 'k 1'],
    ['ANTHROPIC_AUTH_TOKEN', 'schlüssel'],
  ])('%s=%j, which a run refuses, is refused here, and not shown', async (variable, secret) => {
    const { key } = await found({ [variable]: secret });
    expect(key).toMatchObject({ level: 'note', remedy: expect.stringContaining(`Correct ${variable}.`) });
    expect(key?.found).toContain('characters that no key has');
    expect(JSON.stringify(key)).not.toContain(secret);
  });

  it('that a run takes is fine', async () => {
    const { key } = await found({ ANTHROPIC_AUTH_TOKEN: 't' });
    expect(key).toMatchObject({ level: 'ok', found: 'ANTHROPIC_AUTH_TOKEN is set' });
  });

  it('is no matter where the address is wrong: that is said', async () => {
    const { service, key } = await found({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'localhost' });
    expect(service?.found).toContain('The base address (ANTHROPIC_BASE_URL) must start with');
    expect(key).toBeUndefined();
  });
});

describe('.env', () => {
  it('that cannot be read keeps every run from working', async () => {
    execFileSync('mkfifo', [place.file('.env')]);
    expect((await found({}))['.env']).toMatchObject({
      level: 'problem',
      found: `${place.file('.env')} cannot be read: it is no regular file. Correct or remove it.`,
    });
  });
});

describe('the state folder', () => {
  const stateAt = async (folder: string) => (await found({ PAWL_HOME: folder })).state?.level;

  it('need not be there yet, and is not made', async () => {
    expect(await stateAt(place.file('new/state'))).toBe('ok');
    expect(place.has('new')).toBe(false);
  });

  it('is no good behind a file, nor where its folder of runs is one', async () => {
    place.write('file', '');
    place.write('runs', '');
    expect(await stateAt(place.file('file/state'))).toBe('problem');
    expect(await stateAt(place.folder)).toBe('problem');
  });

  it.runIf(existsSync('/proc/self'))('is no good where the system takes no files, whoever asks', async () => {
    expect(await stateAt('/proc/pawl')).toBe('problem');
    expect(await stateAt('/sys/pawl')).toBe('problem');
  });
});
