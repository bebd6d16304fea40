/** What an attempt does with its steps, without an engine: the context is one that keeps nothing. */
import type { RestatePromise, WorkflowContext } from '@restatedev/restate-sdk/node';
import { describe, expect, it } from 'vitest';
import { OptionsError } from '../../src/checks/options-error.ts';
import { Attempt } from '../../src/restate/attempt.ts';
import { BlobError } from '../../src/restate/blobs.ts';
import { NotHere, openShop } from '../../src/restate/shop.ts';
import { Slots } from '../../src/restate/slots.ts';
import { scratchFolder } from '../helpers/scratch.ts';

/** Does a step as soon as it is asked for. */
function attemptOf(over: AbortController, blobs = scratchFolder()) {
  const context = {
    request: () => ({ attemptCompletedSignal: over.signal }),
    run: (_: string, action: () => Promise<string>) => action() as RestatePromise<string>,
  } as unknown as WorkflowContext;
  return new Attempt(context, new Slots(4), blobs, 300_000, () => {});
}

describe('a step', () => {
  it('is not begun by a process that was replaced while it was stopped, and learns of it right before', async () => {
    const over = new AbortController();
    let hasBegun = false;
    const step = attemptOf(over).keep('effect', async () => {
      hasBegun = true;
    });
    // The news that the connection is gone is there, and was not read yet.
    setImmediate(() => over.abort(new Error('replaced')));
    await expect(step).rejects.toThrow('replaced');
    expect(hasBegun).toBe(false);
  });

  it('is not begun where the folder of the run is missing, until it is known that there is no need for it', async () => {
    const attempt = attemptOf(new AbortController());
    const begun: string[] = [];
    const step = (name: string) => attempt.keep(name, async () => begun.push(name));
    attempt.obstacle = new NotHere('no folder');
    await expect(step('early')).rejects.toThrow('no folder');
    attempt.obstacle = undefined;
    await step('behind a cancel');
    expect(begun).toEqual(['behind a cancel']);
  });

  it('says nothing that it has found out while it was being replaced', async () => {
    const over = new AbortController();
    const step = attemptOf(over).keep('work', async () => {
      over.abort(new Error('replaced'));
      return 'as if it had been stopped';
    });
    await expect(step).rejects.toThrow('replaced');
  });

  it.each([
    ['a defect', new Error('a defect'), 500],
    ['options that no run can be made of', new OptionsError('no such folder'), 400],
  ])('ends the run with %s', async (_, error, code) => {
    const step = attemptOf(new AbortController()).keep('work', () => Promise.reject(error));
    await expect(step).rejects.toMatchObject({ name: 'TerminalError', message: error.message, code });
  });

  it('is tried again where this worker lacks what it needs, for another one may have it', async () => {
    const step = attemptOf(new AbortController()).keep('work', () => Promise.reject(new NotHere('no disk')));
    await expect(step).rejects.toBeInstanceOf(NotHere);
  });

  it('is tried again where what it has found cannot be kept', async () => {
    const step = attemptOf(new AbortController(), '/dev/null/blobs').keep('work', async () =>
      'x'.repeat(2_000_000),
    );
    await expect(step).rejects.toBeInstanceOf(BlobError);
  });
});

describe('the folder of a run', () => {
  const shopAt = (workspaces: string) =>
    openShop({
      concurrency: 1,
      blobs: workspaces,
      tell: () => {},
      equip: () => Promise.reject(new Error('never')),
      workspaces,
    });
  const submission = { task: 'the task', workspace: null, options: {} };

  it('that cannot be made here is no defect of the run', async () => {
    await expect(shopAt('/dev/null/runs').begin('a-run', submission)).rejects.toBeInstanceOf(NotHere);
  });
});
