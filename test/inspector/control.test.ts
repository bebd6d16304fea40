/** Real runs in this process, held and answered over HTTP. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { AnsweredElsewhere, type Approver } from '../../src/permissions/approver.ts';
import { askForEffects } from '../../src/permissions/policy.ts';
import { start, TWO_WRITES, withoutChance, write } from './served-run.ts';
import { FeedReader } from './support.ts';

describe('a breakpoint', () => {
  it('on executing holds a real run: no file is written until continue', async () => {
    const one = await start({ steering: { breakpoints: ['executing'] } });
    await one.held();
    await wait(50);
    expect(one.has('a')).toBe(false);
    expect(one.records.map(({ type }) => type)).not.toContain('tool.started');
    expect(one.controls.state).toMatchObject({
      isPaused: true,
      parked: [{ kind: 'tool', turn: 1, tool: 'write_file', callId: 'toolu_a', breakpoint: 'executing' }],
    });
    expect((await one.command('continue')).state).toMatchObject({ isPaused: false, parked: [] });
    expect(await one.outcome).toMatchObject({ status: 'answered' });
    expect([one.has('a'), one.has('b')]).toEqual([true, true]);
  });

  it('lets one effect pass at a step, and holds the next', async () => {
    const one = await start({ steering: { breakpoints: ['asking'] } });
    const passed: string[] = [];
    for (let steps = 0; steps < 5; steps += 1) {
      await one.held();
      const [parked] = one.controls.state.parked;
      passed.push(`${parked?.kind} ${parked?.callId ?? ''} ${one.has('a')} ${one.has('b')}`);
      const { status } = await one.command('step');
      expect(status).toBe(200);
      if (steps < 4) await one.held();
    }
    expect(passed).toEqual([
      'request  false false',
      'review  false false',
      'tool toolu_a false false',
      'tool toolu_b true false',
      'request  true true',
    ]);
    await one.command('continue');
    expect(await one.outcome).toMatchObject({ status: 'answered' });
  });

  it.each([
    ['asking', 'request'],
    ['asking.requesting', 'request'],
    ['validating', 'review'],
    ['persisting.response', 'review'],
    ['persisting.response->validating', 'review'],
    ['validating->executing', 'tool'],
    ['executing->persisting.results', 'request'],
    ['tool:write_file', 'tool'],
  ])('at %s holds the next effect behind it: %s', async (place, kind) => {
    const one = await start({ steering: { breakpoints: [place] } });
    await one.held();
    expect(one.controls.state.parked).toEqual([expect.objectContaining({ kind, breakpoint: place })]);
    await one.command('unbreak', place);
    await one.command('continue');
    await one.outcome;
  });

  it('on a tool holds each of its calls, on a state each visit once', async () => {
    const held = async (place: string) => {
      const one = await start({ steering: { breakpoints: [place] } });
      let times = 0;
      const isOver = one.outcome.then(() => true);
      while (!(await Promise.race([isOver, one.held().then(() => false)]))) {
        times += 1;
        await one.command('continue');
      }
      return times;
    };
    expect([await held('tool:write_file'), await held('executing'), await held('asking')]).toEqual([2, 1, 2]);
  });

  it('holds what runs side by side together', async () => {
    const reads = ['a', 'b', 'c'].map((id) => ({ name: 'list_files', input: {}, id: `toolu_${id}` }));
    const one = await start({
      steering: { breakpoints: ['executing'] },
      replies: [{ calls: reads }, { text: 'done' }],
    });
    await one.held();
    expect(one.controls.state.parked).toHaveLength(3);
    await one.command('step');
    expect(one.controls.state.parked.map(({ callId }) => callId)).toEqual(['toolu_b', 'toolu_c']);
    await one.command('continue');
    await one.outcome;
  });

  it.each(['backingOff', 'awaitingApproval', 'finishing'])(
    'can be set at %s while the run goes on',
    async (place) => {
      const one = await start({
        steering: { breakpoints: ['asking'], terminal: { ask: async () => ({ granted: true }) } },
        policy: askForEffects,
        limits: { maxTurns: 1 },
        replies: [{ fault: { status: 529 } }, ...TWO_WRITES],
      });
      await one.held();
      await one.command('break', place);
      await one.command('unbreak', 'asking');
      await one.command('continue');
      await one.held();
      expect(one.controls.state.parked[0]?.breakpoint).toBe(place);
      await one.command('cancel');
      expect(await one.outcome).toMatchObject({ status: 'cancelled' });
    },
  );

  it.each([
    ['nowhere', 'there is no state "nowhere"'],
    ['answered', 'answered is an end'],
    ['tool:nothing', 'the run has no tool "nothing". Its tools are write_file'],
    ['asking->nowhere', 'there is no state "nowhere"'],
    ['asking->asking->asking', 'there is no state'],
    ['loop', 'there is no state "loop"'],
    ['', 'there is no state ""'],
  ])('at %j is refused, for nothing could be held there', async (place, problem) => {
    const one = await start({ steering: { breakpoints: ['asking'] } });
    const { status, state } = await one.command('break', place || ' ');
    expect(status).toBe(400);
    expect(state).toEqual({ problem: expect.stringContaining(place ? problem : 'there is no state') });
    await one.command('cancel');
    await one.outcome;
  });
});

describe('a run that is steered', () => {
  it('pauses at its next effect', async () => {
    const one = await start({
      replies: [{ ...TWO_WRITES[0], delay_ms: 200 } as ScriptReply, { text: 'done' }],
    });
    await one.command('pause');
    await one.held();
    expect(one.controls.state.parked).toEqual([{ kind: 'review', turn: 1, breakpoint: null }]);
    await one.command('continue');
    expect(await one.outcome).toMatchObject({ status: 'answered' });
  });

  it('that is held ends when it is cancelled, without the effect', async () => {
    const one = await start({ steering: { breakpoints: ['executing'] } });
    await one.held();
    await one.command('cancel');
    expect(await one.outcome).toMatchObject({ status: 'cancelled', exitCode: 130 });
    expect(one.has('a')).toBe(false);
  });

  it('that is held past its time limit does without the effect, and is held again before its summary', async () => {
    const one = await start({
      steering: { breakpoints: ['executing'] },
      limits: { timeoutMs: 150 },
      replies: [...TWO_WRITES],
    });
    await one.held();
    await wait(250);
    await one.held();
    expect(one.controls.state.parked).toEqual([expect.objectContaining({ kind: 'request' })]);
    await one.command('continue');
    expect(await one.outcome).toMatchObject({ status: 'time_limit' });
    expect(one.has('a')).toBe(false);
  });

  it('has the same records as one that nobody looks at, however often it was held', async () => {
    const bodies = (records: readonly JournalRecord[]) => records.map(({ at: _, ...body }) => body);
    const play = { replies: [{ fault: { status: 529 } }, ...TWO_WRITES] as readonly ScriptReply[] };
    const alone = await start({ ...play, isWatched: false });
    const watched = await start(play);
    const held = await start({ ...play, steering: { breakpoints: ['asking', 'executing', 'validating'] } });
    const isOver = held.outcome.then(() => true);
    while (!(await Promise.race([isOver, held.held().then(() => false)])))
      await held.command('step').then(() => held.command('continue'));
    await Promise.all([alone.outcome, watched.outcome]);
    const wanted = withoutChance(bodies(alone.records));
    expect(withoutChance(bodies(watched.records))).toEqual(wanted);
    expect(withoutChance(bodies(held.records))).toEqual(wanted);
  });

  it('that ends while readers are stuck or gone is not held up by them', async () => {
    const one = await start({ steering: { breakpoints: ['executing'] } });
    await one.held();
    if (one.server === undefined) throw new Error('not served');
    const [stuck, gone] = [await FeedReader.of(one.server, 'own'), await FeedReader.of(one.server, 'own')];
    stuck.response.pause();
    gone.response.destroy();
    await one.command('continue');
    expect(await one.outcome).toMatchObject({ status: 'answered' });
  });
});

describe('a question', () => {
  const asking = { policy: askForEffects, replies: [{ calls: [write('a')] }, { text: 'done' }] };

  it('is answered on the page: allowed', async () => {
    const one = await start(asking);
    await one.asked();
    expect(one.controls.state.questions).toEqual([
      { callId: 'toolu_a', tool: 'write_file', input: { path: 'a', content: 'written' }, diff: null },
    ]);
    expect(one.has('a')).toBe(false);
    expect((await one.decide('toolu_other', true)).status).toBe(409);
    expect((await one.decide('toolu_a', true)).status).toBe(200);
    expect((await one.decide('toolu_a', true)).status).toBe(409);
    await one.outcome;
    expect(one.has('a')).toBe(true);
  });

  it('is answered on the page: denied, and the model is told why', async () => {
    const one = await start(asking);
    await one.asked();
    await one.decide('toolu_a', false, 'Not in this folder.');
    const { denials, status } = await one.outcome;
    expect([status, one.has('a')]).toEqual(['answered', false]);
    expect(denials).toEqual([
      expect.objectContaining({ reason: 'The person denied this call. Reason: Not in this folder.' }),
    ]);
  });

  it('shows what the call would change in a file', async () => {
    const input = { path: 'a', old_string: 'x\ny', new_string: 'z' };
    const one = await start({
      steering: { diffOf: async ({ tool }) => [`-${tool}`, '+z'] },
      policy: askForEffects,
      replies: [{ calls: [{ name: 'edit_file', input, id: 'toolu_e' }] }, { text: 'done' }],
    });
    await one.asked();
    expect(one.controls.state.questions[0]?.diff).toEqual(['-edit_file', '+z']);
    await one.command('cancel');
    await one.outcome;
  });

  it('takes the answer that comes first: the other place is told that it is over, and what was answered', async () => {
    const calledOff: unknown[] = [];
    const terminal: Approver = {
      ask: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            calledOff.push(signal.reason);
            resolve({ granted: false, reason: '' });
          });
        }),
    };
    const one = await start({ ...asking, replies: TWO_WRITES, steering: { terminal } });
    await one.asked();
    await one.decide('toolu_a', true);
    await one.asked('toolu_b');
    expect(calledOff).toEqual([new AnsweredElsewhere({ granted: true })]);
    await one.decide('toolu_b', true);
    await one.outcome;
    expect([one.has('a'), one.has('b')]).toEqual([true, true]);

    const quick: Approver = { ask: async () => ({ granted: false, reason: 'No.' }) };
    const other = await start({ ...asking, steering: { terminal: quick } });
    expect(await other.outcome).toMatchObject({ denials: [{ reason: 'No.' }] });
    expect(other.controls.state.questions).toEqual([]);
  });

  it('ends with the run that is cancelled', async () => {
    const one = await start(asking);
    await one.asked();
    await one.command('cancel');
    expect(await one.outcome).toMatchObject({ status: 'cancelled' });
    expect(one.controls.state.questions).toEqual([]);
  });
});
