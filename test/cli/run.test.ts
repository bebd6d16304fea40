/** `pawl run` from the outside, with the scripted model. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { fileJournal } from '../../src/journal/file.ts';
import { RECORD_VERSION, type RecordBody } from '../../src/journal/record.ts';
import { startStrictServer } from '../helpers/strict-server.ts';
import { Place } from './support.ts';

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
    const { code, stdout, stderr } = await place.pawl([...scripted, 'do', 'it']);
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
      usage: { input_tokens: 10, cache_write_tokens: 6, cache_read_tokens: 80, output_tokens: 200 },
      counters: { attempts: 2, pauses: 0, truncations: 0, summary: 0 },
      tool_calls: 1,
      cost_usd: expect.any(Number),
      errors: [],
      denials: [],
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
    place.write('tools.mjs', "console.log('loaded'); process.emitWarning('old'); export default [];");
    place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
    place.write('s.json', [bash('echo to-stderr >&2; echo to-stdout'), { text: 'ok' }]);
    const args = [...scripted, '--agent', 'a.md', '--output-format', 'json', 't'];
    const { stdout, stderr } = await place.pawl(args, {
      NODE_OPTIONS: '--trace-warnings',
      ANTHROPIC_LOG: 'debug',
    });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered' });
    expect(stderr).toContain('loaded');
    expect(stderr).toContain('Warning: old');
  });
});

describe('stream-json output', () => {
  it('is a document a line: run.started first, records and transitions, the result last', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'ok' }]);
    const { stdout } = await place.pawl([...scripted, '--output-format', 'stream-json', 't']);
    const events = lines(stdout);
    expect(events[0]).toMatchObject({ type: 'run.started', task: 't', workspace: place.folder });
    expect(events[0]?.tools).toContain('bash');
    expect(events[0]).not.toHaveProperty('system');
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

describe('pipes', () => {
  it('get a long answer whole, also where the reader starts late', async () => {
    place.write('s.json', [{ text: 'x'.repeat(300_000) }]);
    const { stdout } = await place.shell('pawl run --script s.json t 2>/dev/null | (sleep 2; cat) | wc -c');
    expect(Number(stdout)).toBe(300_001);
  });

  it('may be closed early without an error', async () => {
    place.write('s.json', [{ text: 'x'.repeat(300_000) }]);
    const json =
      'pawl run --script s.json --output-format stream-json t | head -c 10; echo "code $PIPESTATUS"';
    const text = 'pawl run --script s.json t 2>&1 | head -c 10 >/dev/null; echo "code $PIPESTATUS"';
    expect(await place.shell(json)).toMatchObject({ stdout: '{"type":"rcode 0\n', stderr: '' });
    expect(await place.shell(text)).toMatchObject({ stdout: 'code 0\n', stderr: '' });
  });

  it('carry the task on standard input', async () => {
    place.write('s.json', [{ when: 'from a pipe', text: 'heard' }]);
    const { stdout } = await place.shell('echo "from a pipe" | pawl run --script s.json -');
    expect(stdout).toBe('heard\n');
  });
});

describe('where nobody can be asked', () => {
  it.each([
    ['no terminal', 'ignore'],
    ['a pipe that stays open', 'pipe'],
  ] as const)('(%s) an effect is denied at once, and the model is told about --yes', async (_, input) => {
    place.write('s.json', [bash('echo x > x.txt'), { when: '--yes', text: 'could not' }]);
    const { finished } = place.start(
      ['run', '--script', 's.json', '--output-format', 'json', 't'],
      {},
      input,
    );
    const { code, stdout } = await finished;
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', denials: [{ tool: 'bash' }] });
    expect(code).toBe(0);
    expect(place.has('x.txt')).toBe(false);
  });
});

describe('a transcript', () => {
  it('holds the messages and one entry for each reply', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'ok' }]);
    await place.pawl([...scripted, '--transcript', 't.json', 'say hi']);
    const transcript = JSON.parse(place.read('t.json')) as Record<string, unknown> & { messages: unknown[] };
    expect(Object.keys(transcript)).toEqual(['run_id', 'status', 'model', 'messages', 'replies']);
    expect(transcript.status).toBe('answered');
    expect(transcript.messages).toHaveLength(4);
    expect(transcript.replies).toEqual([
      { turn: 1, attempt: 1, stop_reason: 'tool_use', usage: expect.objectContaining({ input_tokens: 1 }) },
      { turn: 2, attempt: 1, stop_reason: 'end_turn', usage: expect.objectContaining({ output_tokens: 1 }) },
    ]);
  });

  it('is written after a limit too', async () => {
    place.write('s.json', [bash('echo hi')]);
    await place.pawl([...scripted, '--transcript', 't.json', '--max-turns', '1', '--no-summary', 't']);
    expect(JSON.parse(place.read('t.json'))).toMatchObject({ status: 'max_turns' });
  });
});

describe('the journal', () => {
  it('is what show tells the state of a run from', async () => {
    place.write('s.json', [bash('echo hi'), { text: 'ok' }]);
    const { stdout } = await place.pawl([...scripted, '--output-format', 'json', 't']);
    const { run_id, journal } = JSON.parse(stdout) as { run_id: string; journal: string };
    const [text, json] = await Promise.all([
      place.pawl(['show', run_id]),
      place.pawl(['show', journal, '--json']),
    ]);
    expect(text.stdout).toMatch(/^state +answered$/m);
    expect(text.stdout).toMatch(/\n\nok\n$/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      run_id,
      status: 'answered',
      num_turns: 2,
      open_calls: [],
      last_text: 'ok',
    });
  });

  it('is not kept with --ephemeral', async () => {
    place.write('s.json', [{ text: 'ok' }]);
    const { code, stderr } = await place.pawl([...scripted, '--ephemeral', 't']);
    expect(code).toBe(0);
    expect(stderr).toContain('no journal');
    expect(place.files).toEqual(['home', 'work', 'work/s.json']);
  });

  it('that cannot be made ends the run with a document and its own exit code', async () => {
    place.write('s.json', [{ text: 'ok' }]);
    const { code, stdout } = await place.pawl([...scripted, '--output-format', 'json', 't'], {
      PAWL_HOME: place.file('s.json/state'),
    });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'journal_error', exit_code: 50, journal: null });
    expect(code).toBe(50);
  });
});

describe('a journal that makes no sense', () => {
  const header = {
    type: 'run.started',
    version: RECORD_VERSION,
    runId: 'r',
    task: 't',
    limits: DEFAULT_LIMITS,
  };

  async function journal(...records: readonly object[]): Promise<string> {
    const file = place.file('r.jsonl');
    const writer = fileJournal(file);
    for (const record of [header, ...records]) writer.append(record as RecordBody);
    await writer.close();
    return file;
  }

  it('is an internal error in one line; the stack comes with --verbose', async () => {
    const file = await journal({ type: 'results.recorded', turn: 1, callIds: ['never-made'] });
    const [brief, verbose] = await Promise.all([
      place.pawl(['show', file]),
      place.pawl(['show', file, '--verbose']),
    ]);
    expect(brief).toMatchObject({ code: 1, stdout: '' });
    expect(brief.stderr).toMatch(/^pawl: internal error: [^\n]+ \(run with --verbose for the stack\)\n$/);
    expect(verbose.stderr).toMatch(/^Error: .*\n {4}at /);
  });

  it('is named with the line of the damage where it was changed', async () => {
    const file = await journal({ type: 'results.recorded', turn: 1, callIds: [] });
    place.write('r.jsonl', place.read('r.jsonl').replace('"t"', '"u"'));
    const { code, stdout, stderr } = await place.pawl(['show', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^pawl: .*r\.jsonl, line 1: [^\n]*\n$/);
  });
});

describe('a live model', () => {
  it('is asked with the key and address of the environment', async () => {
    const reply = { content: [{ type: 'text', text: 'live' }], stop_reason: 'end_turn' };
    const server = await startStrictServer([reply]);
    try {
      const env = {
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: `${server.url}/v1/`,
        ANTHROPIC_MODEL: 'claude-x',
      };
      const { stdout, stderr } = await place.pawl(['run', 't'], env);
      expect(stdout).toBe('live\n');
      expect(stderr).not.toContain('scripted');
      expect(stderr).not.toContain('sk-test');
      expect(server.requests.map(({ path, body }) => [path, body.model])).toEqual([
        ['/v1/messages', 'claude-x'],
      ]);
    } finally {
      await server.close();
    }
  });
});
