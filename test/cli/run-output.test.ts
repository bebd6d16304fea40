/** What `pawl run` prints, in each of its three forms. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place, toolModule } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const bash = (command: string) => ({ calls: [{ name: 'bash', input: { command } }] });
const scripted = ['run', '--script', 's.json', '--yes'];
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('text output', () => {
  it('has the answer alone on standard output, and all else on standard error', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'The answer.' }]);
    const { code, stdout, stderr } = await place.start([...scripted, 'do', 'it']).finished;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The answer.\n' });
    expect(stderr).toMatch(/^run \d{8}-\d{6}-\w{5} /);
    expect(stderr).toContain(place.folder);
    expect(stderr).toContain('→ bash {"command":"echo hi"}\n  ok (');
    expect(stderr).toMatch(/✓ answered · 2 turns · 1 call · \d+ tokens · [\d.]+ s\n {2}journal .*\.jsonl\n/);
    expect(stderr).toContain('export ANTHROPIC_API_KEY=');
    expect(stderr).not.toContain('\x1b');
  });

  it('has the summary of a limit on standard output, with the exit code of the limit', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'So far so good.' }]);
    const { code, stdout, stderr } = await place.pawl([...scripted, '--max-turns', '1', 't']);
    expect({ code, stdout }).toEqual({ code: 10, stdout: 'So far so good.\n' });
    expect(stderr).toContain('! The turn limit was reached.');
    expect(stderr).toContain('✗ max_turns · 1 turn and a summary');
  });

  it('takes an announcement with a call for no summary, and says so', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'One more look.', ...bash('echo no > no.txt') }]);
    const { code, stdout, stderr } = await place.pawl([...scripted, '--max-turns', '1', 't']);
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
    expect(stderr).toMatch(/error: No summary was given/);
    expect(place.has('no.txt')).toBe(false);
  });

  it('leaves standard output empty where there is no answer, and gives the reason', async () => {
    place.write('s.json', [{ fault: { status: 401, message: 'invalid x-api-key' } }]);
    const { code, stdout, stderr } = await place.pawl([...scripted, 't']);
    expect({ code, stdout }).toEqual({ code: 25, stdout: '' });
    expect(stderr).toContain('invalid x-api-key');
    expect(stderr).toContain('✗ model_error');
  });

  it('does not pass a cut text off as the answer', async () => {
    place.write('s.json', { replies: Array(3).fill({ text: 'Half a', stop_reason: 'max_tokens' }) });
    const { code, stdout } = await place.pawl([...scripted, 't']);
    expect({ code, stdout }).toEqual({ code: 21, stdout: '' });
  });

  it('has colours where they are forced, and none with NO_COLOR', async () => {
    place.write('s.json', [{ text: 'x' }]);
    const [forced, none] = await Promise.all([
      place.pawl([...scripted, 't'], { FORCE_COLOR: '1' }),
      place.pawl([...scripted, 't'], { NO_COLOR: '1' }),
    ]);
    expect(forced.stderr).toContain('\x1b[32m✓ answered\x1b[39m');
    expect(none.stderr).not.toContain('\x1b');
    expect(forced.stdout).toBe('x\n');
  });
});

describe('json output', () => {
  it('is one document with every field, which agrees with the exit code', async () => {
    const usage = {
      input_tokens: 5,
      output_tokens: 100,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 3,
    };
    place.write('s.json', [
      { ...bash('echo hi'), usage },
      { text: 'ok', usage },
    ]);
    const { code, stdout, stderr } = await place.pawl([...scripted, '--output-format', 'json', 't']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      type: 'result',
      status: 'answered',
      exit_code: 0,
      result: 'ok',
      run_id: expect.stringMatching(/^\d{8}-\d{6}-\w{5}$/),
      num_turns: 2,
      stop_reason: 'end_turn',
      verified: null,
      usage: { input_tokens: 10, cache_write_tokens: 6, cache_read_tokens: 80, output_tokens: 200 },
      cost_usd: null,
      unsettled: { tokens: 0, cost_usd: null },
      counters: { attempts: 2, pauses: 0, truncations: 0, fallbacks: 0, summary: 0, checks: 0, repairs: 0 },
      tool_calls: 1,
      errors: [],
      denials: [],
      waiting: [],
      duration_ms: expect.any(Number),
      journal: expect.stringMatching(/\.jsonl$/),
    });
  });

  it('says what failed in the document and on standard error', async () => {
    place.write('s.json', [{ fault: { status: 401, message: 'invalid x-api-key' } }]);
    const { code, stdout, stderr } = await place.pawl([...scripted, '--output-format', 'json', 't']);
    const document = JSON.parse(stdout) as { errors: string[] };
    expect(document).toMatchObject({ status: 'model_error', exit_code: 25, result: null });
    expect(code).toBe(25);
    expect(document.errors.join()).toContain('invalid x-api-key');
    expect(stderr).toMatch(/^pawl: [^\n]*invalid x-api-key[^\n]*\n$/);
  });

  it('is alone on standard output, whatever the runtime, a tool or a tool module print', async () => {
    const print = "console.log('logged'); process.stdout.write('written');";
    place.write(
      'tools.mjs',
      `${print} process.emitWarning('old'); ${toolModule(`run: () => { ${print} return ''; }`)}`,
    );
    place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
    place.write('s.json', [
      bash('echo to-stderr >&2; echo to-stdout'),
      { calls: [{ name: 'mine' }] },
      { text: 'ok' },
    ]);
    const env = { NODE_OPTIONS: '--trace-warnings', ANTHROPIC_LOG: 'debug' };
    const args = [...scripted, '--agent', 'a.md'];
    const [json, text] = await Promise.all([
      place.start([...args, '--output-format', 'json', 't'], env).finished,
      place.start([...args, 't'], env).finished,
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'answered' });
    expect(text.stdout).toBe('ok\n');
    for (const { stderr } of [json, text]) {
      expect(stderr.match(/logged/g)).toHaveLength(2);
      expect(stderr.match(/written/g)).toHaveLength(2);
      expect(stderr).toContain('Warning: old');
    }
  });
});

describe('stream-json output', () => {
  it('is a document a line: run.started first, records and transitions, the result last', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'ok' }]);
    const { stdout } = await place.pawl([...scripted, '--output-format', 'stream-json', 't']);
    const events = lines(stdout);
    const first = events[0]?.record as Record<string, unknown>;
    expect(first).toMatchObject({ type: 'run.started', task: 't', workspace: place.folder });
    expect(first.tools).toContain('bash');
    expect(first).not.toHaveProperty('system');
    expect(events.at(-1)).toMatchObject({ type: 'result', result: 'ok', run_id: events[0]?.run_id });
    expect(events.at(-1)?.journal).toBe(events[0]?.journal);
    const middle = events.slice(1, -1);
    expect(new Set(middle.map(({ type }) => type))).toEqual(new Set(['transition', 'record']));
    const records = middle.flatMap(({ record }) => (record ? [(record as { type: string }).type] : []));
    expect(records).toEqual([
      'reply.received',
      'calls.reviewed',
      'tool.started',
      'tool.finished',
      'results.recorded',
      'reply.received',
      'run.ended',
    ]);
  });
});
