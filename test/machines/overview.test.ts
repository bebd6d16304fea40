import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { describeMachine, overviewMermaid } from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { CLOSING_STATUSES, STOP_STATUSES } from '../../machines/status.ts';
import { DECLARED, expectValid, loop, toy } from './pictures.ts';

describe('the picture at a glance', () => {
  const picture = overviewMermaid(loop);
  const lines = picture.split('\n').map((line) => line.trim());

  it('keeps to the syntax of Mermaid, and is always the same', () => {
    expectValid(picture);
    expectValid(overviewMermaid(toy));
    expect(overviewMermaid(describeMachine(loopMachine))).toBe(picture);
  });

  it('has the states of the top level, and of those inside the ones that edges from elsewhere lead to', () => {
    const top = loop.states.filter(({ parent, type }) => parent === 'loop' && type !== 'final');
    const states = lines.flatMap((line) => /^state "([\w.]+)" as/.exec(line)?.[1] ?? []);
    const shown = top.flatMap(({ name }) =>
      name === 'persisting'
        ? loop.states.filter(({ parent }) => parent === name).map((state) => state.name)
        : [name],
    );
    expect(states.filter((name) => !(name in STOP_STATUSES))).toEqual(shown);
  });

  it('merges the edges between two states, and names their events or guards, the first three of them', () => {
    const arrows = lines.filter((line) => line.includes('-->')).map((line) => line.split(' : ')[0]);
    expect(new Set(arrows).size).toBe(arrows.length);
    expect(lines).toContain('asking --> persisting_response : model.replied');
    expect(lines).toContain('asking --> persisting_closing : isCancelled, isOutOfTurns, isOutOfTokens, …');
    expect(lines).toContain('validating --> answered : isAnswer');
    expect(lines).toContain('ending --> max_turns : isStoppedBy');
    expect(lines.filter((line) => /^(\w+) --> \1\b/.test(line))).toEqual([]);
  });

  it('says else where an edge needs neither event nor guard', () => {
    const machine = createMachine({
      id: 'm',
      initial: 'a',
      states: { a: { always: 'b' }, b: { type: 'final' } },
    });
    expect(overviewMermaid(describeMachine(machine))).toContain('a --> b : else');
  });

  it('leaves out the events that it is told to', () => {
    const short = overviewMermaid(loop, ['run.cancelled', 'time.expired', 'record.failed']);
    expectValid(short);
    expect(short).not.toMatch(/run\.cancelled|time\.expired|record\.failed/);
    expect(short).toContain('executing --> persisting_closing : calls.finished');
  });

  it('has no box that no arrow touches, whatever it is told to leave out', () => {
    for (const omit of [
      [],
      ['record.failed'],
      ['model.failed'],
      ['run.cancelled', 'time.expired', 'record.failed'],
    ]) {
      const shown = overviewMermaid(loop, omit).split('\n');
      const ends = shown.flatMap((line) => /(\S+) --> (\S+)/.exec(line)?.slice(1) ?? []);
      const boxes = shown.flatMap((line) => /^ *state ".+" as (\w+)/.exec(line)?.[1] ?? []);
      expect(boxes.filter((box) => !ends.includes(box))).toEqual([]);
      expect(boxes.includes('any_state')).toBe(!omit.includes('record.failed'));
    }
  });

  it('names every stop status once: the answer by itself, the others with those that are reached alike', () => {
    expect(lines).toContain('state "answered" as answered');
    expect(lines).toContain(`state "${CLOSING_STATUSES.join('<br/>')}" as max_turns`);
    const ends = lines.flatMap((line) => DECLARED.exec(line)?.[1]?.split('<br/>') ?? []);
    for (const status of Object.keys(STOP_STATUSES))
      expect(ends.filter((name) => name === status)).toHaveLength(1);
  });
});
