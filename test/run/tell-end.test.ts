import { expect, it } from 'vitest';
import {
  type EndFacts,
  type EndHook,
  type Journal,
  JournalError,
  memoryJournal,
  run,
  scriptedModel,
} from '../../src/index.ts';

const means = { task: 'the task', model: 'scripted', workspace: '/' };

it('a hook after the run is told before the end is on record, and can neither change it nor hold it up for ever', async () => {
  const journal = memoryJournal();
  const seen: [EndFacts, string | undefined][] = [];
  const hooks: EndHook[] = [
    { name: 'note', run: (facts) => void seen.push([facts, journal.records.at(-1)?.type]) },
    { name: 'slow', timeoutMs: 50, run: () => new Promise(() => {}) },
  ];
  const client = scriptedModel([{ text: 'done' }]);
  const outcome = await run({ ...means, client, journal, hooks: { afterRun: hooks } });
  expect(seen).toMatchObject([[{ status: 'answered', result: 'done', turns: 1 }, 'reply.received']]);
  expect(journal.records.at(-1)?.type).toBe('run.ended');
  expect(outcome).toMatchObject({
    ...{ status: 'answered', exitCode: 0 },
    errors: ['The hook slow failed: it took longer than 0.05 s'],
  });
});

it('a hook is told of a cancelled run and of one whose journal failed, though nothing waits for it there', async () => {
  const statuses: string[] = [];
  const hooks = { afterRun: [{ name: 'note', run: ({ status }: EndFacts) => void statuses.push(status) }] };
  const signal = AbortSignal.abort('SIGTERM');
  await run({ ...means, client: scriptedModel([{ text: 'x' }]), journal: memoryJournal(), hooks, signal });
  const journal: Journal = {
    ...memoryJournal(),
    append: () => {
      throw new JournalError('the disk is full');
    },
  };
  await run({ ...means, client: scriptedModel([{ text: 'x' }]), journal, hooks });
  expect(statuses).toEqual(['cancelled', 'journal_error']);
});
