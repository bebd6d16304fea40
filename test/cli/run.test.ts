/** `pawl run` from the outside, with the scripted model. */
import { mkdirSync } from 'node:fs';
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

describe('with --yes', () => {
  it('what asks all the same is denied with what would allow it, and what is impossible is not called denied', async () => {
    const write = (file: string) => ({ calls: [{ name: 'write_file', input: { path: file, content: '' } }] });
    place.write('s.json', [
      write('.pawl/settings.json'),
      { when: 'always asks.*at a terminal', ...write('/etc/x') },
      { text: 'could not' },
    ]);
    const { stdout, stderr } = await place.pawl([...scripted, 't']);
    expect(stdout).toBe('could not\n');
    expect(stderr).toContain('· 1 denied ·');
    expect(stderr).toContain('Start it in a terminal');
    expect(stderr).not.toContain('--yes');
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

describe('a transcript that cannot be written', () => {
  const script = [bash('rm -r out'), { text: 'ok' }];
  const start = (...flags: string[]) => {
    mkdirSync(place.file('out'));
    place.write('s.json', script);
    return place.pawl([...scripted, '--transcript', 'out/t.json', ...flags, 't']);
  };

  it('makes the exit code 1, and people are told so', async () => {
    const { code, stdout, stderr } = await start();
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'ok\n' });
    expect(stderr).toMatch(/error: The transcript .*t\.json could not be written: there is no such file\.\n/);
    expect(stderr).toMatch(/✓ answered · .* · exit code 1\n/);
  });

  it('stands in the document with the same exit code', async () => {
    const { code, stdout } = await start('--output-format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'answered',
      exit_code: code,
      result: 'ok',
      errors: [expect.stringContaining('could not be written')],
    });
    expect(code).toBe(1);
  });

  it('leaves a run that has an exit code of its own with that', async () => {
    const { code, stderr } = await start('--max-turns', '1', '--no-summary');
    expect(code).toBe(10);
    expect(stderr).toContain('could not be written');
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
    const file = await journal({ type: 'results.recorded', turn: 1, callIds: ['never-made'], notice: null });
    const [brief, verbose] = await Promise.all([
      place.pawl(['show', file]),
      place.pawl(['show', file, '--verbose']),
    ]);
    expect(brief).toMatchObject({ code: 1, stdout: '' });
    expect(brief.stderr).toMatch(/^pawl: internal error: [^\n]+ \(run with --verbose for the stack\)\n$/);
    expect(verbose.stderr).toMatch(/^Error: .*\n {4}at /);
  });

  it('is named with the line of the damage where it was changed', async () => {
    const file = await journal({ type: 'results.recorded', turn: 1, callIds: [], notice: null });
    place.write('r.jsonl', place.read('r.jsonl').replace('"t"', '"u"'));
    const { code, stdout, stderr } = await place.pawl(['show', file]);
    expect({ code, stdout }).toEqual({ code: 50, stdout: '' });
    expect(stderr).toMatch(/^error: .*r\.jsonl, line 1: [^\n]*\n$/);
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
