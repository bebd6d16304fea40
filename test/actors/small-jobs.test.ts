import { describe, expect, it } from 'vitest';
import { appendJournal } from '../../src/actors/append-journal.ts';
import { openGate } from '../../src/actors/gate.ts';
import { waitBeforeRetry } from '../../src/actors/wait-before-retry.ts';
import { scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { header } from '../helpers/records.ts';

describe('saving what the machine wants saved', () => {
  it('is reported when the record is on the disk, and not before', async () => {
    const { log, story } = logOf(header());
    const record = { type: 'results.recorded', turn: 4, callIds: [], notice: null } as const;
    const { scope } = scopeFor<'appendJournal'>({ record });
    await appendJournal(log)({ ...scope, send: (event) => story.push(JSON.stringify(event)) });
    const saved = '{"type":"record.saved","record":"results.recorded","turn":4}';
    expect(story).toEqual(['write results.recorded', 'disk', saved]);
  });
});

describe('waiting before a retry', () => {
  const input = { turn: 2, attempt: 3, delayMs: 20 };

  it('takes the time that it was given, and says for which attempt', async () => {
    const { scope, events } = scopeFor<'waitBeforeRetry'>(input);
    const before = performance.now();
    await waitBeforeRetry(openGate)(scope);
    expect(performance.now() - before).toBeGreaterThanOrEqual(19);
    expect(events).toEqual([{ type: 'wait.elapsed', turn: 2, attempt: 3 }]);
  });

  it('ends at once when the run is cancelled', async () => {
    const { scope, events, abort } = scopeFor<'waitBeforeRetry'>({ ...input, delayMs: 3_600_000 });
    const waiting = waitBeforeRetry(openGate)(scope);
    setImmediate(abort);
    await expect(waiting).rejects.toThrow('aborted');
    expect(events).toEqual([]);
  });

  it('does not begin where the run is cancelled at the gate', async () => {
    const { scope, events, abort } = scopeFor<'waitBeforeRetry'>({ ...input, delayMs: 3_600_000 });
    await waitBeforeRetry({ cross: async () => abort() })(scope);
    expect(events).toEqual([]);
  });
});
