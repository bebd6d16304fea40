import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStrictServer } from '../helpers/strict-server.ts';
import { Place } from './support.ts';

let place: Place;
let server: Awaited<ReturnType<typeof startStrictServer>>;
beforeEach(async () => {
  place = new Place();
  server = await startStrictServer([]);
});
afterEach(async () => {
  place.remove();
  await server.close();
});

const env = () => ({ ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url });

describe('pawl tokens', () => {
  it('tells what the task, the system prompt and the tools come to, and the whole', async () => {
    const { code, stdout } = await place.pawl(
      ['tokens', '--tools', 'read_file,bash', '--json', 'look'],
      env(),
    );
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.tool_names).toEqual(['read_file', 'bash']);
    expect(found.task).toBeGreaterThan(0);
    expect(found.tools).toBeGreaterThan(0);
    expect(found.task + found.system).toBe(found.prompt_without_tools);
    expect(found.prompt_without_tools + found.tools).toBe(found.first_request);
  });

  it('is a table for people, also without a task', async () => {
    const { code, stdout, stderr } = await place.pawl(['tokens', '--tools', 'bash'], env());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.replace(/ +\d+$/, ''))).toEqual([
      'task',
      'system prompt',
      'prompt without tools',
      '1 tool',
      'first request',
      '',
    ]);
  });

  it('needs a key, and says how it is given', async () => {
    const { code, stdout, stderr } = await place.pawl(['tokens', 'look']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^pawl: No key for the model\. Tokens are counted by the service: set ANTHROPIC_API_KEY[^\n]*\n$/,
    );
  });

  it('of a service that does not answer is one line, and exit code 25', async () => {
    await server.close();
    const { code, stdout, stderr } = await place.pawl(['tokens', 'look'], env());
    expect({ code, stdout }).toEqual({ code: 25, stdout: '' });
    expect(stderr).toMatch(/^error: The tokens could not be counted: [^\n]+\n$/);
  });
});
