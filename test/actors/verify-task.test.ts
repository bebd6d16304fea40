import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../machines/task.ts';
import type { Scope } from '../../src/actors/job.ts';
import { redactor } from '../../src/actors/redact.ts';
import { startRepair } from '../../src/actors/start-repair.ts';
import { type VerifyParts, verifyTask } from '../../src/actors/verify-task.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { RunLog } from '../../src/journal/run-log.ts';
import { Transcript } from '../../src/journal/transcript.ts';
import type { ProcessRequest, ProcessResult } from '../../src/sandbox/sandbox.ts';

const said = (text: string) => ({ text, omitted: 0, bytes: text.length });
const ended = (end: ProcessResult['end'], text = ''): ProcessResult => ({
  end,
  stdout: said(text),
  stderr: said(''),
});

/** The job without a machine, over a sandbox that answers what it is told to. */
function verifying(
  answer: (request: ProcessRequest) => ProcessResult | Promise<ProcessResult>,
  more: Partial<VerifyParts> = {},
) {
  const journal = memoryJournal(() => 0);
  const requests: ProcessRequest[] = [];
  const events: TaskEvent[] = [];
  const points: unknown[] = [];
  const controller = new AbortController();
  const log = new RunLog(journal, new Transcript(), () => {});
  const work = verifyTask({
    check: { command: 'npm test', timeoutMs: 60_000, maxRepairs: 1 },
    workspace: '/work',
    sandbox: {
      run: async (request) => {
        requests.push(request);
        return answer(request);
      },
    },
    log,
    gate: { cross: async (point) => void points.push(point) },
    redact: redactor(['s3cret']),
    remainingMs: () => Number.POSITIVE_INFINITY,
    turn: () => 4,
    now: () => 0,
    cancelled: undefined,
    ...more,
  });
  const scope: Scope<{ attempt: number }, TaskEvent> = {
    input: { attempt: 2 },
    signal: controller.signal,
    send: (event) => void events.push(event),
    onStop: () => {},
  };
  const done = async () => {
    await work(scope);
    return { record: journal.records[0], records: journal.records, events, requests, points };
  };
  return { done, abort: () => controller.abort() };
}

describe('a check', () => {
  it('runs in the workspace, through the gate, bounded in time and output, and is told once it is recorded', async () => {
    const { done } = verifying(() => ended({ kind: 'exited', exitCode: 0 }, 'fine\n'));
    const { record, events, requests, points } = await done();
    expect(points).toEqual([{ kind: 'check', turn: 4 }]);
    expect(requests).toMatchObject([
      { command: 'bash', args: ['-c', 'npm test'], cwd: '/work', timeoutMs: 60_000, maxCharacters: 8_000 },
    ]);
    expect(record).toMatchObject({
      type: 'check.finished',
      attempt: 2,
      command: 'npm test',
      passed: true,
      exitCode: 0,
      output: 'exit_code=0\nfine\n',
      stop: null,
    });
    expect(events).toEqual([{ type: 'check.finished', passed: true, stop: null }]);
  });

  it.each<[string, ProcessResult['end'], number | null, string]>([
    ['an exit code that is not 0', { kind: 'exited', exitCode: 3 }, 3, 'exit_code=3'],
    ['a signal', { kind: 'signalled', signal: 'SIGSEGV' }, null, 'killed by signal SIGSEGV'],
    ['its own time limit', { kind: 'timed out' }, null, 'timed out after 60 s'],
    ['a program that is not there', { kind: 'not started', reason: 'no bash' }, null, 'no bash'],
  ])('that ends by %s has failed, and says so', async (_, end, exitCode, output) => {
    const { record, events } = await verifying(() => ended(end)).done();
    expect(record).toMatchObject({ passed: false, exitCode, stop: null });
    expect(record).toHaveProperty('output', expect.stringContaining(output));
    expect(events).toEqual([{ type: 'check.finished', passed: false, stop: null }]);
  });

  it('leaves no secret in its record', async () => {
    const { records } = await verifying(() => ended({ kind: 'exited', exitCode: 1 }, 'key s3cret')).done();
    expect(JSON.stringify(records)).not.toContain('s3cret');
    expect(JSON.stringify(records)).toContain('key [redacted]');
  });
});

describe('a check that is broken off', () => {
  const cancelledBy = (reason: string) => AbortSignal.abort(reason);

  it.each(['SIGINT', 'SIGTERM'])(
    'by %s before it began is not run, and ends the run as cancelled',
    async (signal) => {
      const { requests, record, events } = await verifying(() => ended({ kind: 'exited', exitCode: 0 }), {
        cancelled: cancelledBy(signal),
      }).done();
      expect(requests).toEqual([]);
      expect(record).toMatchObject({
        passed: false,
        exitCode: null,
        output: '',
        stop: { status: 'cancelled', signal },
      });
      expect(events).toMatchObject([{ passed: false, stop: { status: 'cancelled', signal } }]);
    },
  );

  it('while it runs is stopped, and what it had printed is kept', async () => {
    const person = new AbortController();
    const { done } = verifying(
      ({ signal }) => {
        person.abort('SIGINT');
        return ended(signal.aborted ? { kind: 'aborted' } : { kind: 'exited', exitCode: 0 }, 'half');
      },
      { cancelled: person.signal },
    );
    const { record } = await done();
    expect(record).toMatchObject({ stop: { status: 'cancelled', signal: 'SIGINT' } });
    expect(record).toHaveProperty('output', expect.stringContaining('half'));
  });

  it('when it had already passed has passed all the same', async () => {
    const person = new AbortController();
    const { done } = verifying(
      () => {
        person.abort('SIGINT');
        return ended({ kind: 'exited', exitCode: 0 });
      },
      { cancelled: person.signal },
    );
    expect((await done()).events).toEqual([{ type: 'check.finished', passed: true, stop: null }]);
  });

  it.each([
    ['is not begun where no time is left', -5, 0],
    ['has no more time than the run', 20.7, 1],
  ])('by the time limit of the run: it %s', async (_, remaining, runs) => {
    const { requests, record } = await verifying(() => ended({ kind: 'timed out' }), {
      remainingMs: () => remaining,
    }).done();
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual(runs === 1 ? [20] : []);
    expect(record).toMatchObject({ passed: false, stop: { status: 'time_limit' } });
  });

  it('by a defect elsewhere records nothing', async () => {
    const running = verifying(() => {
      running.abort();
      return ended({ kind: 'aborted' });
    });
    expect(await running.done()).toMatchObject({ records: [], events: [] });
  });
});

it('a repair without a check is a defect', async () => {
  const log = new RunLog(
    memoryJournal(() => 0),
    new Transcript(),
    () => {},
  );
  const scope = {
    input: { repair: 1, maxRepairs: 1 },
    signal: new AbortController().signal,
    send: () => {},
    onStop: () => {},
  };
  await expect(startRepair(log)(scope)).rejects.toThrow('no check was recorded');
});
