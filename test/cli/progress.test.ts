import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/cli/progress.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import type { RunEvent } from '../../src/outcome.ts';
import { header } from '../helpers/records.ts';
import { plain, recordingScreen } from './screen.ts';

const record = (body: RecordBody): RunEvent => ({ type: 'record', record: { seq: 1, at: '', ...body } });
const enter = (...states: string[]): RunEvent[] =>
  states.map((state) => ({ type: 'transition', from: '', state, event: '', turn: 1 }));
const reply = (content: readonly { type: string; [field: string]: unknown }[], input_tokens = 10): RunEvent =>
  record({
    type: 'reply.received',
    turn: 1,
    attempt: 1,
    message: { content, stop_reason: 'tool_use', usage: { input_tokens } },
    problems: [],
    costUsd: 0,
  });
const call = (id: string, name: string, input: unknown = {}) => ({ type: 'tool_use', id, name, input });
const finished = (callId: string, content: string, isError = false, durationMs = 5): RunEvent =>
  record({ type: 'tool.finished', turn: 1, callId, content, isError, fingerprint: 'f', durationMs });
const started = (callId: string): RunEvent => record({ type: 'tool.started', turn: 1, callId });

const shown = (...events: readonly RunEvent[]): string[] => shownWith('as it comes', null, events);

function shownWith(texts: 'as it comes' | 'whole', answer: string | null, events: readonly RunEvent[]) {
  const out = recordingScreen();
  const progress = new Progress(out.screen, plain, undefined, texts);
  for (const event of events) progress.event(event);
  progress.close(answer);
  return out.written.split('\n').slice(0, -1);
}

describe('progress', () => {
  it('joins the states that are passed to one line, with the tokens so far at the reply', () => {
    const lines = shown(
      ...enter('asking.checking', 'asking.requesting', 'persisting.response'),
      reply([], 1_234),
      ...enter('validating.gate', 'validating.reviewing', 'answered'),
    );
    expect(lines).toEqual([
      '  asking.checking → asking.requesting → persisting.response (turn 1: 1,234 tokens so far) → validating.gate',
      '  → validating.reviewing → answered',
    ]);
  });

  it('shows a call with its arguments, and its result with size, time and first lines', () => {
    const lines = shown(
      reply([call('a', 'bash', { command: 'ls\n-l' })]),
      started('a'),
      finished('a', 'exit_code=0\nfile', false, 1_200),
    );
    expect(lines.slice(1)).toEqual(['→ bash {"command":"ls\\n-l"}', '  ok (16 B, 1.2 s) exit_code=0 ⏎ file']);
  });

  it('breaks no word in a narrow terminal, be it of a state or of a remark on one', () => {
    const out = recordingScreen({ isTTY: true, columns: 40 });
    const progress = new Progress(out.screen, plain);
    for (const event of [...enter('persisting.response'), reply([], 1_234), ...enter('validating.gate')])
      progress.event(event);
    progress.close();
    expect(out.written).toBe('  persisting.response (turn 1: 1,234\n    tokens so far) → validating.gate\n');
  });

  it('shows the reason of a call that did not run whole, broken between words where a terminal breaks', () => {
    const reason = `Wrong input: ${'there is no such key, '.repeat(11)}and no other.`;
    const verdicts = [{ callId: 'a', verdict: 'refuse', reason, fingerprint: 'f' }] as const;
    const stop = { status: 'max_turns' } as const;
    const events = [
      reply([call('a', 'x')]),
      record({ type: 'calls.reviewed', turn: 1, verdicts }),
      record({ type: 'approval.denied', turn: 1, callId: 'a', content: reason }),
      record({
        ...{ type: 'run.closing', turn: 1, stop, notice: null },
        results: [{ callId: 'a', content: reason }],
      }),
    ];
    const narrow = recordingScreen({ isTTY: true, columns: 40 });
    const progress = new Progress(narrow.screen, plain);
    for (const event of events) progress.event(event);
    for (const word of ['refused', 'denied', 'not run']) {
      expect(shown(...events)).toContain(`  ${word}: ${reason}`);
      expect(narrow.written.replaceAll(/\n +/g, ' ')).toContain(`${word}: ${reason}`);
    }
    for (const line of narrow.written.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    const long = record({ type: 'approval.denied', turn: 1, callId: 'a', content: 'x'.repeat(9_000) });
    expect(shown(reply([call('a', 'x')]), long).at(-1)).toBe(`  denied: ${'x'.repeat(299)}…`);
  });

  it('numbers the calls where a reply has several', () => {
    const lines = shown(
      reply([call('a', 'read_file'), call('b', 'read_file')]),
      started('a'),
      started('b'),
      finished('b', 'no such file', true),
      finished('a', 'text'),
    );
    expect(lines.slice(1)).toEqual([
      '→ 1 read_file {}',
      '→ 2 read_file {}',
      '  2 error (12 B) no such file',
      '  1 ok (4 B) text',
    ]);
  });

  it('tells where the run goes on what was denied meanwhile, and what the model is told', () => {
    const out = recordingScreen();
    const progress = new Progress(out.screen, plain, 'r');
    const body = (record: object) => ({ seq: 0, at: '', ...record }) as JournalRecord;
    const asked = reply([call('a', 'bash', { command: 'ls' })]);
    progress.recall([
      ...(asked.type === 'record' ? [asked.record] : []),
      body({ type: 'approval.denied', turn: 1, callId: 'a', content: 'not now' }),
    ]);
    const resumed = body({
      type: 'run.resumed',
      workspace: '/w',
      instruction: 'The run was taken up again.',
    });
    progress.event({ type: 'record', record: resumed });
    expect(out.written.split('\n')).toEqual([
      'run r resumed in /w',
      '  to the model: The run was taken up again.',
      '→ bash {"command":"ls"}',
      '  denied: not now',
      '',
    ]);
  });

  it('knows the calls and the tokens of what another process did', () => {
    const before = reply([call('a', 'bash', { command: 'ls' })], 1_000);
    const out = recordingScreen();
    const progress = new Progress(out.screen, plain, 'r');
    progress.recall(before.type === 'record' ? [before.record] : []);
    expect(out.written).toBe('');
    for (const event of [started('a'), finished('a', 'x'), ...enter('asking.requesting'), reply([], 10)])
      progress.event(event);
    progress.close();
    expect(out.written).toContain('→ bash {"command":"ls"}');
    expect(out.written).toContain('1,010 tokens so far');
  });

  it('shows what was refused and denied, with the reason', () => {
    const verdicts = [
      { callId: 'a', verdict: 'refuse', reason: 'There is no tool named "x".', fingerprint: 'f' },
    ] as const;
    const lines = shown(
      reply([call('a', 'x'), call('b', 'bash')]),
      record({ type: 'calls.reviewed', turn: 1, verdicts }),
      record({ type: 'approval.denied', turn: 1, callId: 'b', content: 'Denied.' }),
    );
    expect(lines.slice(1)).toEqual([
      '→ 1 x {}',
      '  1 refused: There is no tool named "x".',
      '→ 2 bash {}',
      '  2 denied: Denied.',
    ]);
  });

  it('says which limit was reached and what was not run for it', () => {
    const lines = shown(
      reply([call('a', 'bash')]),
      record({
        type: 'run.closing',
        turn: 1,
        stop: { status: 'token_budget' },
        results: [{ callId: 'a', content: 'Not executed: the budget.' }],
        notice: 'Answer now.',
      }),
    );
    expect(lines.slice(1)).toEqual([
      '→ bash {}',
      '  not run: Not executed: the budget.',
      '! The token budget was reached. One more turn, without tools, for a summary.',
    ]);
  });

  it('shows text as it arrives, and not once more with the record', () => {
    const lines = shown(
      ...enter('asking.requesting'),
      { type: 'text', text: 'Hello ' },
      { type: 'text', text: 'you' },
      ...enter('persisting.response'),
      reply([{ type: 'text', text: 'Hello you' }]),
    );
    expect(lines).toEqual([
      '  asking.requesting',
      'Hello you',
      '  persisting.response (turn 1: 10 tokens so far)',
    ]);
  });

  describe('of an answer that is checked', () => {
    const check = (passed: boolean): RunEvent =>
      record({
        ...{ type: 'check.finished', attempt: 1, command: 'npm test', passed, exitCode: passed ? 0 : 1 },
        ...{ output: 'no', durationMs: 1, stop: null },
      });
    const said = { type: 'text', text: 'Mended.' } as const;
    const claim = (...pieces: readonly RunEvent[]) => [
      ...[...enter('asking.requesting'), ...pieces, ...enter('persisting.response')],
      reply([said]),
    ];
    const fails = [
      ...enter('answered', 'verifying'),
      check(false),
      ...enter('repairing'),
      record({ type: 'repair.started', repair: 1, instruction: 'The check failed.' }),
    ];
    const passes = [...enter('answered', 'verifying'), check(true), ...enter('verified')];
    const FAILED = [
      '  verifying',
      '  check failed (exit code 1, 0.0 s) npm test ⏎ no',
      '  repairing',
      '! The model is told what the check found (correction 1).',
    ];
    const PASSED = ['  verifying', '  check passed (exit code 0, 0.0 s) npm test', '  verified'];

    it.each(['as it comes', 'whole'] as const)(
      'has the order of the run: text, check, correction (%s)',
      (texts) => {
        const asked = claim(...(texts === 'whole' ? [] : [said]));
        const lines = shownWith(texts, 'Mended.', [...asked, ...fails, ...asked, ...passes]);
        const order = lines.filter((line) => !/asking|persisting/.test(line));
        const answer = texts === 'whole' ? [] : ['Mended.'];
        expect(order).toEqual(['Mended.', ...FAILED, ...answer, ...PASSED]);
      },
    );

    it('leaves the text to standard output where it is the answer, and shows it where none of it is', () => {
      const events = [...claim(), ...passes];
      expect(shownWith('whole', 'Mended.', events).slice(1)).toEqual(PASSED);
      expect(shownWith('whole', null, events).slice(1)).toEqual(['Mended.', ...PASSED]);
    });
  });

  it('shows the text of a reply that did not arrive in pieces', () => {
    expect(shown(reply([{ type: 'text', text: 'All at once' }]))[0]).toBe('All at once');
  });

  it('says that text is void when its request failed, and how long the next try waits', () => {
    const failure = { kind: 'interrupted', message: 'broke off', retryable: true, delayMs: 2_000 } as const;
    const lines = shown(
      { type: 'text', text: 'Half' },
      { type: 'text.withdrawn' },
      record({ type: 'attempt.failed', turn: 1, attempt: 1, failure }),
      ...enter('backingOff'),
    );
    expect(lines).toEqual([
      'Half',
      '  (void: the request failed in the middle)',
      '  attempt 1 failed: broke off',
      '  backingOff (2.0 s)',
    ]);
  });

  it('lets nothing of a model or a tool reach the terminal as a control character', () => {
    const lines = shown(
      { type: 'text', text: '\x1b[2Jtext' },
      reply([call('a', 'ba\x1bsh', { command: '\x9b' })]),
      started('a'),
      finished('a', '\x1b]0;title\x07'),
      record({ type: 'approval.denied', turn: 1, callId: 'a', content: '\u202e\r' }),
    );
    expect(lines.join('')).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it('keeps a line within the width, however long a call and its result are', () => {
    const lines = shown(
      reply([call('a', 'bash', { command: 'x'.repeat(500) })]),
      started('a'),
      finished('a', 'y'.repeat(5_000)),
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('keeps a line within the width, however long the name of a tool is', () => {
    const lines = shown(reply([call('a', 'n'.repeat(3_000_000)), call('b', 'x')]), started('a'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('breaks the heading at blanks in a narrow terminal, and leaves the path whole', () => {
    const workspace = '/home/somebody/with a folder/that-is-long';
    const out = recordingScreen({ isTTY: true, columns: 60 });
    new Progress(out.screen, plain).event(record(header({ workspace, runId: '20261130-094512-k3x9q' })));
    expect(out.written).toBe(`run 20261130-094512-k3x9q a-model in\n    ${workspace}\n`);
  });

  it('does not slow down with the number of calls in a reply', () => {
    const ids = Array.from({ length: 50_000 }, (_, index) => `call_${index}`);
    const begun = performance.now();
    const lines = shown(
      reply(ids.map((id) => call(id, 'read_file'))),
      ...ids.flatMap((id) => [started(id), finished(id, 'text')]),
    );
    expect(lines.at(-1)).toBe('  50000 ok (4 B) text');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
