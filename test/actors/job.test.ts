import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { Jobs, type JobWork } from '../../src/actors/job.ts';
import { JournalError } from '../../src/journal/journal.ts';
import { deferred } from '../helpers/job-scope.ts';

type Work = JobWork<'reviewCalls'>;

/** A machine whose only state owns the job until it is told to leave. */
function hosted(work: Work) {
  const events: unknown[] = [];
  const crashes: unknown[] = [];
  const jobs = new Jobs((error) => crashes.push(error));
  const actor = createActor(
    createMachine({
      initial: 'working',
      states: {
        working: {
          invoke: { id: 'job', src: jobs.define(work), input: { turn: 7, calls: [] } },
          on: { leave: 'left', '*': { actions: ({ event }) => void events.push(event) } },
        },
        left: { on: { '*': { actions: ({ event }) => void events.push(event) } } },
      },
    }),
  ).start();
  return {
    jobs,
    events,
    crashes,
    leave: () => actor.send({ type: 'leave' }),
    tell: (event: { type: string }) => actor.getSnapshot().children.job?.send(event),
  };
}

describe('a job', () => {
  it('gets its input, and is heard', async () => {
    const { events, jobs } = hosted(async ({ input, send }) => {
      await nextTurn();
      send({ type: 'calls.finished', turn: input.turn });
    });
    await jobs.idle(1_000);
    expect(events).toEqual([{ type: 'calls.finished', turn: 7 }]);
  });

  it('is aborted when its state is left, and not heard any more', async () => {
    const { events, jobs, leave, crashes } = hosted(async ({ signal, send }) => {
      await nextTurn();
      send({ type: 'calls.finished', turn: signal.aborted ? 0 : 1 });
    });
    leave();
    await jobs.idle(1_000);
    expect([events, crashes]).toEqual([[], []]);
  });

  it('may throw whatever it likes once it is left', async () => {
    const { events, jobs, leave, crashes } = hosted(async ({ signal }) => {
      await nextTurn();
      signal.throwIfAborted();
    });
    leave();
    await jobs.idle(1_000);
    expect([events, crashes]).toEqual([[], []]);
  });

  it('that could not write its record says so to the machine', async () => {
    const { events, jobs, crashes } = hosted(() => Promise.reject(new JournalError('no space left')));
    await jobs.idle(1_000);
    expect(events).toEqual([{ type: 'record.failed', message: 'no space left' }]);
    expect(crashes).toEqual([]);
  });

  it('that throws anything else is a crash', async () => {
    const defect = new TypeError('a defect');
    const { events, jobs, crashes } = hosted(() => Promise.reject(defect));
    await jobs.idle(1_000);
    expect([events, crashes]).toEqual([[], [defect]]);
  });

  it('can be told to stop from its first moment on', async () => {
    const heard = deferred<unknown>();
    const { tell } = hosted(async ({ onStop }) => {
      onStop(heard.resolve);
      await nextTurn();
    });
    tell({ type: 'calls.stop' });
    expect(await heard.promise).toEqual({ type: 'calls.stop' });
  });
});

describe('the jobs of a run', () => {
  it('are idle when the last one has ended, left ones among them', async () => {
    const release = deferred();
    const { jobs, leave } = hosted(() => release.promise);
    leave();
    let isIdle = false;
    const idle = jobs.idle(60_000).then(() => {
      isIdle = true;
    });
    await nextTurn();
    expect(isIdle).toBe(false);
    release.resolve();
    await idle;
    expect(isIdle).toBe(true);
  });

  it('are not waited for longer than was said', async () => {
    const { jobs } = hosted(() => new Promise(() => {}));
    await expect(jobs.idle(10)).resolves.toBeUndefined();
  });
});
