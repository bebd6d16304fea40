/**
 * The task machine with all its gates, composed by somebody else from the public interface: rules as gates, `run` and `resume`
 * as the loop, a real process as the check, one journal for all of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createActor, fromCallback } from 'xstate';
import { z } from 'zod';
import {
  allowAll,
  defineTool,
  memoryJournal,
  type Policy,
  type RunOutcome,
  repairInstruction,
  resume,
  run,
  type StopCalls,
  scriptedModel,
  type TaskEvent,
  type TaskJobInputs,
  type TaskJobName,
  taskMachine,
} from '../../src/index.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { localSandbox } from '../../src/sandbox/process.ts';
import { scratchFolder } from '../helpers/scratch.ts';

type Send = (event: TaskEvent) => void;
const job = <Name extends TaskJobName>(work: (input: TaskJobInputs[Name], send: Send) => Promise<void>) =>
  fromCallback<StopCalls, TaskJobInputs[Name]>(({ input, sendBack }) => {
    void work(input, sendBack);
  });

const readOnly: Policy = {
  decide: ({ effect }) =>
    effect === 'read'
      ? { decision: 'allow', rule: 'research reads' }
      : { decision: 'deny', rule: 'research reads', reason: 'Make a plan first: nothing is changed yet.' },
};

/** Plays the flow over a script. @returns how the task ended, the last outcome, and the file */
async function flow(task: string, replies: readonly ScriptReply[], maxRepairs = 1) {
  const workspace = scratchFolder();
  const file = path.join(workspace, 'app.py');
  writeFileSync(file, 'def add(a, b):\n    return a - b\n');
  const write = defineTool({
    name: 'write',
    description: 'Writes app.py.',
    input: z.strictObject({ content: z.string() }),
    effect: 'effectful',
    run: async ({ content }) => {
      writeFileSync(file, content);
      return 'written';
    },
  });
  const means = { client: scriptedModel(replies), tools: [write] };
  let journal = memoryJournal();
  let outcome: RunOutcome | undefined;
  let instruction = '';
  const loop = job<'runLoop'>(async ({ stage }, send) => {
    const policy = stage === 'researching' ? readOnly : allowAll;
    if (outcome === undefined) {
      outcome = await run({ ...means, policy, task, model: 'scripted', workspace, journal });
    } else {
      journal = memoryJournal(Date.now, journal.records);
      const opened = { journal, records: [...journal.records], tornBytes: 0 };
      outcome = await resume(opened, { ...means, policy, instruction });
    }
    const { status } = outcome;
    if (status !== 'unverified' && status !== 'suspended') send({ type: 'loop.ended', stop: { status } });
  });
  const machine = taskMachine.provide({
    actors: {
      classifyTask: job<'classifyTask'>(async (_, send) =>
        send({ type: 'task.classified', isClear: task.includes('add()') }),
      ),
      runLoop: loop,
      screenPlan: job<'screenPlan'>(async (_, send) => {
        const plan = outcome?.result ?? '';
        instruction = plan.includes('app.py') ? 'Carry the plan out.' : 'The plan must name app.py.';
        const screening = plan.includes('delete')
          ? 'rejected'
          : plan.includes('app.py')
            ? 'accepted'
            : 'to_be_revised';
        send({ type: 'plan.screened', screening });
      }),
      verifyTask: job<'verifyTask'>(async (_, send) => {
        const { end, stderr } = await localSandbox().run({
          command: 'python3',
          args: ['-c', 'from app import add; assert add(2, 3) == 5, add(2, 3)'],
          cwd: workspace,
          timeoutMs: 10_000,
          maxCharacters: 2_000,
          signal: new AbortController().signal,
        });
        instruction = repairInstruction('the check', stderr.text, 1, maxRepairs);
        send({ type: 'check.finished', passed: end.kind === 'exited' && end.exitCode === 0, stop: null });
      }),
      startRepair: job<'startRepair'>(async (_, send) => send({ type: 'repair.started' })),
    },
  });
  const actor = createActor(machine, { input: { maxRepairs, gates: { maxRevisions: 1 } } });
  const states: string[] = [];
  await new Promise<void>((resolve) => {
    actor.subscribe({ next: ({ value }) => void states.push(value as string), complete: resolve });
    actor.start();
  });
  return { status: actor.getSnapshot().value, states, outcome, code: readFileSync(file, 'utf8') };
}

const PLAN = { text: 'I will correct app.py.' };
const content = (sign: string) => `def add(a, b):\n    return a ${sign} b\n`;
const writing = (sign: string) => ({ calls: [{ name: 'write', input: { content: content(sign) } }] });

it('a task that is not clear asks back, and no model is asked', async () => {
  expect(await flow('Make it better', [])).toMatchObject({
    status: 'needs_clarification',
    outcome: undefined,
  });
});

it('a plan that a rule refuses ends the task with nothing changed, whatever the research tried', async () => {
  const { status, code } = await flow('Fix add()', [writing('*'), { text: 'I will delete app.py.' }]);
  expect(status).toBe('rejected');
  expect(code).toBe(content('-'));
});

it('an accepted plan is carried out, checked, mended and verified; what was planned is revised first', async () => {
  const { status, states, outcome, code } = await flow('Fix add()', [
    { text: 'I will be careful.' },
    { when: /must name app\.py/, ...PLAN },
    { when: /Carry the plan out/, ...writing('*') },
    { text: 'done' },
    { when: /AssertionError: 6/, ...writing('+') },
    { text: 'mended' },
  ]);
  expect(states).toEqual([
    ...['classifying', 'researching', 'screening', 'researching', 'screening'],
    ...['working', 'verifying', 'repairing', 'working', 'verifying', 'verified'],
  ]);
  expect(outcome).toMatchObject({ status: 'answered', result: 'mended', counters: { turns: 6 } });
  expect({ status, code }).toEqual({ status: 'verified', code: content('+') });
});

it('what cannot be mended is reported as unverified', async () => {
  const { status } = await flow('Fix add()', [
    PLAN,
    writing('*'),
    { text: 'done' },
    { text: 'I see no more.' },
  ]);
  expect(status).toBe('unverified');
});
