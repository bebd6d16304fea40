import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'fast-string-width';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { LogLines } from '../../src/cli/log-lines.ts';
import { styleOf } from '../../src/cli/style.ts';
import type { RecordBody } from '../../src/journal/record.ts';
import { header, message, reply, summary, text, toolUse } from '../helpers/records.ts';
import { ANSWERED, ID, Journals } from './journals.ts';
import { Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
});
afterEach(() => place.remove());

const linesOf = async (...args: readonly string[]) => {
  const { stdout } = await place.pawl(['log', ID, ...args]);
  return stdout.split('\n').slice(0, -1);
};

describe('the log of a run', () => {
  it('has a line for each record: number, time, type, gist', async () => {
    journals.put();
    expect(await linesOf()).toEqual([
      '  0     0.0 s  run.started       a-model · count\\nthem · in /somewhere',
      '  1     0.0 s  reply.received    turn 1 · tool_use · bash · 5 tokens · I look.',
      '  2     0.0 s  calls.reviewed    bash: approve',
      '  3     0.0 s  tool.started      bash {"command":"ls \\u001b[31m"}',
      '  4     0.0 s  tool.finished     bash ok (11 B, 0.0 s) three ⏎ files',
      '  5     0.0 s  results.recorded  turn 1 · 1 result',
      '  6     0.0 s  reply.received    turn 2 · end_turn · 5 tokens · three',
      '  7     0.0 s  run.ended         answered · 2 turns · 10 tokens',
    ]);
  });

  it('has words for every kind of record', () => {
    const failure = { kind: 'http', message: 'HTTP 529', retryable: true, delayMs: 2_000 } as const;
    const more: readonly RecordBody[] = [
      header({ runId: ID, origin: { runId: 'first', seq: 3 } }),
      { type: 'attempt.failed', turn: 1, attempt: 1, failure },
      reply(1, message('tool_use', toolUse('a', 'bash'), toolUse('b', 'look')), 2),
      {
        type: 'calls.reviewed',
        turn: 1,
        verdicts: [
          { callId: 'a', verdict: 'ask', effect: 'effectful', fingerprint: 'a' },
          { callId: 'b', verdict: 'refuse', fingerprint: 'b', reason: 'no\nsuch' },
        ],
      },
      { type: 'approval.granted', turn: 1, callId: 'a' },
      { type: 'approval.denied', turn: 1, callId: 'a', content: 'not now' },
      {
        type: 'run.closing',
        turn: 1,
        stop: { status: 'cancelled', signal: 'SIGINT' },
        results: [{ callId: 'a', content: 'x' }],
        notice: null,
      },
      summary(2, message('end_turn', text('so\nfar'))),
      {
        type: 'run.resumed',
        version: 1,
        pawl: '1.2.3',
        workspace: '/w',
        limits: DEFAULT_LIMITS,
        instruction: 'go on',
      },
    ];
    const records = more.map((body, seq) => ({ seq, at: '2026-11-30T09:45:12.000Z', ...body }));
    const lines = [...new LogLines(records, 120, styleOf(false)).from(0)];
    expect(lines.map((line) => line.slice(15))).toEqual([
      'run.started       fork of first at 3 · a-model · the task · in /somewhere',
      'attempt.failed    turn 1, attempt 1 · again in 2.0 s · HTTP 529',
      'reply.received    turn 1, attempt 2 · tool_use · 1 bash, 2 look · 5 tokens',
      'calls.reviewed    1 bash: ask, 2 look: refuse (no\\nsuch)',
      'approval.granted  1 bash',
      'approval.denied   1 bash: not now',
      'run.closing       cancelled by SIGINT · 1 call not run · no summary',
      'summary.received  turn 2 · end_turn · 5 tokens · so ⏎ far',
      'run.resumed       to the model: go on · pawl 1.2.3 in /w',
    ]);
  });

  it.each([
    [
      'the end',
      { type: 'run.ended', status: 'model_error', turns: 1, usage: NO_USAGE },
      'turn 1, attempt 6 · not tried again · HTTP 529',
    ],
    [
      'a cancel',
      {
        type: 'run.closing',
        turn: 1,
        stop: { status: 'cancelled', signal: 'SIGINT' },
        results: [],
        notice: null,
      },
      'turn 1, attempt 6 · not tried again · HTTP 529',
    ],
    [
      'another attempt',
      reply(1, message('end_turn', text('done')), 7),
      'turn 1, attempt 6 · again in 2.0 s · HTTP 529',
    ],
  ] as const)(
    'says of a failed request that it is tried again only where it may be: before %s',
    (_, next, gist) => {
      const failure = { kind: 'http', message: 'HTTP 529', retryable: true, delayMs: 2_000 } as const;
      const bodies: readonly RecordBody[] = [
        header({ runId: ID }),
        { type: 'attempt.failed', turn: 1, attempt: 6, failure },
        next as RecordBody,
      ];
      const records = bodies.map((body, seq) => ({ seq, at: '2026-11-30T09:45:12.000Z', ...body }));
      const [line = ''] = [...new LogLines(records, 120, styleOf(false)).from(1)];
      expect(line.slice(33)).toBe(gist);
    },
  );

  it('has no line that a narrow terminal would wrap', async () => {
    journals.put();
    const { shown } = await place.terminal(['log', ID], [], 40);
    const lines = shown.trimEnd().split('\r\n').map(stripVTControlCharacters);
    expect(lines).toHaveLength(8);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(40);
  });

  it('begins at any record', async () => {
    journals.put();
    expect(await linesOf('--from', '6')).toHaveLength(2);
    const { code, stderr } = await place.pawl(['log', ID, '--from', '8']);
    expect(code).toBe(2);
    expect(stderr).toContain('--from must be the number of a record, from 0 to 7');
  });

  it('is cut at the columns of a terminal, and is whole where there is none', async () => {
    const task = 'long '.repeat(60).trim();
    journals.put([header({ runId: ID, task })]);
    expect((await linesOf())[0]).toContain(task);
    const { shown } = await place.terminal(['log', ID], [], 60);
    expect(shown).not.toContain(task);
    expect(shown).toContain('…');
  });

  it('is the records themselves with --json, a document a line', async () => {
    journals.put();
    const records = (await linesOf('--json', '--from', '1')).map((line) => JSON.parse(line));
    expect(records).toEqual(
      ANSWERED.slice(1).map((body, index) => ({ seq: index + 1, at: '2026-11-30T09:45:12.000Z', ...body })),
    );
  });

  it('of any length may be left by its reader', async () => {
    const body: RecordBody = { type: 'results.recorded', turn: 1, callIds: ['x'.repeat(100)], notice: null };
    journals.put([header({ runId: ID }), ...Array.from({ length: 20_000 }, () => body)]);
    const { code, stdout, stderr } = await place.shell(
      `pawl log ${ID} --json | head -n 1; echo "\${PIPESTATUS[0]}"`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n').at(-1)).toBe('0');
  });

  it('tells of a torn end and of damage on standard error', async () => {
    journals.put();
    journals.append('{"sum');
    const torn = await place.pawl(['log', ID]);
    expect({ code: torn.code, stderr: torn.stderr }).toEqual({
      code: 0,
      stderr: '5 bytes of an incomplete last record were left out.\n',
    });
    journals.damage(3);
    const { code, stdout, stderr } = await place.pawl(['log', ID]);
    expect(code).toBe(50);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toMatch(/^error: .*, line 3: /);
  });
});
