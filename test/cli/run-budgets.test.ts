/** Limits of money and time, other models, and text as it comes: as flags of `pawl run`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStrictServer } from '../helpers/strict-server.ts';
import { Place } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const bash = (command: string) => ({ calls: [{ name: 'bash', input: { command } }] });
const json = ['run', '--script', 's.json', '--yes', '--output-format', 'json'];
const usage = { input_tokens: 100_000, output_tokens: 10_000 };

describe('money', () => {
  it('is told where a price is known: in the result, in the last line, and in the list of runs', async () => {
    place.write('s.json', [{ text: 'done', usage }]);
    place.write('prices.json', { mine: { input: 2, output: 10 } });
    const flags = ['-m', 'mine', '--prices', 'prices.json'];
    const { stdout } = await place.pawl([...json, ...flags, 't']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', cost_usd: 0.3 });
    expect((await place.pawl(['run', '--script', 's.json', ...flags, 't'])).stderr).toContain(
      ' tokens · $0.30 · ',
    );
    expect((await place.pawl(['runs'])).stdout).toContain('$0.30');
  });

  it('is never passed: what might cost more is not asked', async () => {
    place.write('s.json', [{ ...bash('echo hi'), usage }, { text: 'never asked' }]);
    place.write('prices.json', { mine: { input: 2, output: 10 } });
    const flags = ['-m', 'mine', '--prices', 'prices.json', '--max-budget-usd', '$0.40'];
    const { code, stdout } = await place.pawl([...json, ...flags, 't']);
    expect(code).toBe(12);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'cost_budget',
      cost_usd: 0.3,
      num_turns: 1,
      tool_calls: 0,
    });
  });

  it('is kept back for a reply that broke off, as far as the service may charge for it', async () => {
    place.write('s.json', [{ fault: 'cut' }, { text: 'done' }]);
    place.write('prices.json', { mine: { input: 2, output: 10 } });
    const flags = [
      '-m',
      'mine',
      '--prices',
      'prices.json',
      '--max-budget-usd',
      '1',
      '--max-output-tokens',
      '2000',
    ];
    const found = JSON.parse((await place.pawl([...json, ...flags, 't'])).stdout);
    expect(found).toMatchObject({ status: 'answered' });
    // All of its output at 10 dollars a million tokens, and its input.
    expect(found.unsettled.cost_usd).toBeGreaterThan(0.02);
    expect(found.unsettled.tokens).toBeGreaterThan(2_000);
    const again = await place.pawl(['run', '--script', 's.json', ...flags, 't']);
    expect(again.stderr).toMatch(/up to \$0\.0\d more for replies that broke off/);
  });

  it('can be raised when the run is taken up again, by a sum or to one, and not by nothing', async () => {
    place.write('s.json', [{ ...bash('echo hi'), usage }, { text: 'so far' }, { text: 'done', usage }]);
    place.write('prices.json', { mine: { input: 2, output: 10 } });
    const flags = ['-m', 'mine', '--prices', 'prices.json', '--max-budget-usd', '0.40'];
    expect((await place.pawl([...json, ...flags, 't'])).code).toBe(12);
    const refused = await place.pawl(['resume', '--last', '--yes']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/\$0\.3 of \$0\.4 are spent.*--max-budget-usd \+1/),
    ]);
    const { code, stdout } = await place.pawl([
      'resume',
      '--last',
      '--yes',
      '--max-budget-usd',
      '+4.5',
      '--output-format',
      'json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).cost_usd).toBeGreaterThan(0.3);
    const [{ run_id }] = JSON.parse((await place.pawl(['runs', '--json'])).stdout);
    const log = (await place.pawl(['log', run_id, '--json'])).stdout.trimEnd().split('\n');
    const { limits } = log.map((line) => JSON.parse(line)).find(({ type }) => type === 'run.resumed');
    expect(limits.maxCostUsd).toBe(4.9);
  });

  it('cannot be limited where no price is known', async () => {
    place.write('s.json', [{ text: 'x' }]);
    const { code, stderr } = await place.pawl([...json, '--max-budget-usd', '1', 't']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'no price is known for the model scripted. Give its price in the option prices (--prices FILE)',
    );
  });
});

describe('the clock', () => {
  it('stops what runs, and a summary says what there is', async () => {
    place.write('s.json', [bash('sleep 30'), { text: 'I waited.' }]);
    const started = performance.now();
    const { code, stdout } = await place.pawl([...json, '--timeout', '1s', 't']);
    expect(performance.now() - started).toBeLessThan(25_000);
    expect(code).toBe(14);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'time_limit', result: 'I waited.' });
  });
});

describe('a model that refuses', () => {
  it('is followed once by another one, and the run stays with it', async () => {
    const says = (words: string) => ({ content: [{ type: 'text', text: words }], stop_reason: 'end_turn' });
    const call = {
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'list_files', input: {} }],
      stop_reason: 'tool_use',
    };
    const server = await startStrictServer([{ content: [], stop_reason: 'refusal' }, call, says('done')]);
    try {
      const env = { ANTHROPIC_API_KEY: 'a-test-key', ANTHROPIC_BASE_URL: server.url };
      const { code, stdout } = await place.pawl(
        ['run', '-m', 'first', '--fallback-model', 'second', 't'],
        env,
      );
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
      expect(server.requests.map(({ body }) => body.model)).toEqual(['first', 'second', 'second']);
    } finally {
      await server.close();
    }
  });
});

describe('text as it comes', () => {
  it('is on standard output with --stream, every word of the model once, and called void where it is', async () => {
    place.write('s.json', [
      { text: 'Let me see.', ...bash('echo hi') },
      { fault: 'cut', text: 'Half' },
      { text: 'Done.' },
    ]);
    const { code, stdout, stderr } = await place.pawl([
      'run',
      '--script',
      's.json',
      '--yes',
      '--stream',
      't',
    ]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'Let me see.\nHalf\n[void: the request failed in the middle; what follows takes its place]\nDone.\n',
    );
    expect(stderr).not.toContain('Let me see.');
  });

  it('is called void where the reply was cut and another comes in its place, and stands where none does', async () => {
    const cutOff = { text: 'Half of it', stop_reason: 'max_tokens' };
    const stdoutOf = async (replies: object[]) => {
      place.write('s.json', replies);
      return (await place.pawl(['run', '--script', 's.json', '--yes', '--stream', 't'])).stdout;
    };
    expect(await stdoutOf([cutOff, { text: 'All of it.' }])).toBe(
      'Half of it\n[void: the reply was cut or refused; what follows takes its place]\nAll of it.\n',
    );
    expect(await stdoutOf([cutOff, cutOff, cutOff])).toMatch(/^(Half of it\n\[void[^\n]+\n){2}Half of it\n$/);
  });

  it('is in stream-json with --include-partial', async () => {
    place.write('s.json', [{ text: 'All of it.' }]);
    const stream = ['run', '--script', 's.json', '--output-format', 'stream-json'];
    const typesOf = async (...flags: string[]) =>
      (await place.pawl([...stream, ...flags, 't'])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const pieces = (await typesOf('--include-partial')).filter(({ type }) => type === 'text');
    expect(pieces.map(({ text }) => text).join('')).toBe('All of it.');
    expect((await typesOf()).some(({ type }) => type === 'text')).toBe(false);
  });

  it.each([
    [['--stream', '--output-format', 'json'], '--include-partial'],
    [['--include-partial'], 'needs --output-format stream-json'],
  ])('belongs to its format: %j', async (flags, words) => {
    place.write('s.json', [{ text: 'x' }]);
    const { code, stderr } = await place.pawl(['run', '--script', 's.json', ...flags, 't']);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('a flag that cannot be understood', () => {
  it.each([
    [['--timeout', 'soon'], 'must be a time such as 90s, 10m or 1h'],
    [['--idle-timeout', '0s'], 'must be a time'],
    [['--max-budget-usd', 'much'], 'must be a sum above 0 in USD'],
    [['--max-retries', '-1'], 'must be a whole number, 0 or more'],
    [['--betas', 'a,,b'], 'needs names separated by commas'],
    [['--header', 'no colon'], 'must be a line "name: value"'],
    [['--prices', 'none.json'], 'there is no such file'],
  ])('is refused with what it takes: %j', async (flags, words) => {
    place.write('s.json', [{ text: 'x' }]);
    const { code, stdout, stderr } = await place.pawl([...json, ...flags, 't']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});
