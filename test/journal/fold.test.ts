import { describe, expect, it } from 'vitest';
import { createActor, fromCallback } from 'xstate';
import { type JobName, jobInput } from '../../machines/context.ts';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { stateName } from '../../machines/state-name.ts';
import { type Fold, foldRecords } from '../../src/journal/fold.ts';
import { header, message, reply, toolUse } from '../helpers/records.ts';
import { play, type Shot } from '../helpers/stage.ts';
import { PLAYS } from './plays.ts';

const shotOf = ({ snapshot }: Fold): Shot => ({
  state: stateName(snapshot.value),
  context: snapshot.context,
});

describe.each(PLAYS)('the fold of $title', ({ status, play: options }) => {
  it('is where the machine ended, and what the model was told', async () => {
    const { records, final, transcript } = await play(options);
    const folded = foldRecords(records);
    expect(final.state).toBe(status);
    expect(shotOf(folded)).toEqual(final);
    expect(folded.transcript.messages).toEqual(transcript.messages);
    expect(folded.transcript.replies).toEqual(transcript.replies);
  });

  it('is after each record what the machine was', async () => {
    const { records, shots } = await play(options);
    for (const { seq, type } of records)
      expect({ seq, type, ...shotOf(foldRecords(records.slice(0, seq + 1))) }).toEqual({
        seq,
        type,
        ...shots.get(seq),
      });
  });

  it('starts after each record the one job that is due, with the input of that moment', async () => {
    const { records } = await play(options);
    for (const { seq } of records) {
      const folded = foldRecords(records.slice(0, seq + 1));
      expect(jobsStartedFrom(folded)).toEqual(jobsDueIn(shotOf(folded)));
    }
  });
});

it('the fold takes the cost of a reply from its record, and holds it against the budget', () => {
  const limits = { ...DEFAULT_LIMITS, maxCostUsd: 1 };
  const bodies = [header({ limits }), { ...reply(1, message('tool_use', toolUse('a'))), costUsd: 1.5 }];
  const { snapshot } = foldRecords(bodies.map((body, seq) => ({ ...body, seq, at: '' })));
  expect(snapshot.context).toMatchObject({ costUsd: 1.5, stop: { status: 'cost_budget' } });
});

it('the fold of records that do not begin with a header is refused', () => {
  expect(() => foldRecords([])).toThrow('run.started');
});

type Started = readonly [name: JobName, input: unknown];

function jobsStartedFrom({ persisted, header }: Fold): Started[] {
  const started: Started[] = [];
  const noting = (name: JobName) =>
    fromCallback(({ input }) => {
      // The clock belongs to the whole run.
      if (name !== 'watchClock') started.push([name, input]);
    });
  const names = [
    'askModel',
    'measurePrompt',
    'watchClock',
    'waitBeforeRetry',
    'appendJournal',
    'reviewCalls',
    'awaitApproval',
    'executeTools',
  ] as const;
  const actors = Object.fromEntries(names.map((name) => [name, noting(name)]));
  const snapshot = JSON.parse(JSON.stringify(persisted));
  createActor(loopMachine.provide({ actors }), { input: { limits: header.limits }, snapshot }).start();
  return started;
}

const JOB_OF: Readonly<Record<string, JobName>> = {
  'asking.measuring': 'measurePrompt',
  'asking.requesting': 'askModel',
  backingOff: 'waitBeforeRetry',
  'persisting.response': 'appendJournal',
  'persisting.results': 'appendJournal',
  'persisting.nudge': 'appendJournal',
  'persisting.closing': 'appendJournal',
  'persisting.summary': 'appendJournal',
  'validating.reviewing': 'reviewCalls',
  'awaitingApproval.asking': 'awaitApproval',
  'executing.running': 'executeTools',
};

function jobsDueIn({ state, context }: Shot): Started[] {
  if (state === 'finishing.requesting') return [['askModel', jobInput.askForSummary({ context })]];
  if (state === 'finishing.measuring') return [['measurePrompt', jobInput.measureSummary({ context })]];
  const name = JOB_OF[state];
  return name === undefined ? [] : [[name, jobInput[name]({ context })]];
}
