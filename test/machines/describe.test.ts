import { describe, expect, it } from 'vitest';
import {
  describeMachine,
  type EdgeDescription,
  type MachineDescription,
  toMermaid,
} from '../../machines/describe.ts';
import { loopMachine } from '../../machines/loop.machine.ts';
import { CLOSING_STATUSES, STOP_STATUSES } from '../../machines/status.ts';
import { expectValid, loop, toy } from './pictures.ts';

const edgesOf = (machine: MachineDescription, source: string): EdgeDescription[] =>
  machine.edges.filter((edge) => edge.source === source);

describe('the description of a machine', () => {
  it('is plain JSON and always the same', () => {
    expect(JSON.parse(JSON.stringify(loop))).toStrictEqual(loop);
    expect(JSON.stringify(describeMachine(loopMachine))).toBe(JSON.stringify(loop));
  });

  it('has every state by its full name, with its parent, its job and its actions', () => {
    expect(loop.states[0]).toMatchObject({ name: 'loop', parent: null, type: 'compound', initial: 'asking' });
    expect(loop.states.find(({ name }) => name === 'persisting.closing')).toEqual({
      name: 'persisting.closing',
      parent: 'persisting',
      type: 'atomic',
      description: 'Why the run ends, and an answer for every call that was not run.',
      initial: null,
      jobs: ['appendJournal'],
      entry: ['draftClosing'],
      exit: [],
    });
    expect(loop.states.find(({ name }) => name === 'persisting')).toMatchObject({
      parent: 'loop',
      initial: 'persisting.response',
      exit: ['forgetPending'],
    });
  });

  it('has every edge, with its place among its alternatives', () => {
    expect(edgesOf(loop, 'asking.requesting').filter(({ event }) => event === 'model.failed')).toEqual([
      {
        source: 'asking.requesting',
        event: 'model.failed',
        order: 0,
        guard: 'isWorthAnotherTry',
        target: 'backingOff',
        actions: ['noteFailure', 'askAgain'],
        description: null,
      },
      expect.objectContaining({ order: 1, guard: 'isOutOfContext', target: 'context_exhausted' }),
      expect.objectContaining({ order: 2, guard: 'isCurrent', target: 'model_error' }),
    ]);
    expect(edgesOf(loop, 'loop')).toMatchObject([
      {
        event: 'record.failed',
        guard: null,
        target: 'journal_error',
        description: 'What could not be saved is not acted on.',
      },
      { event: 'run.resumed', guard: null, target: null },
    ]);
  });

  it('has the edges that need no event, and the parameters of guards and actions', () => {
    expect(edgesOf(loop, 'ending').map(({ event, guard, target }) => [event, guard, target])).toEqual(
      CLOSING_STATUSES.map((status) => ['always', `isStoppedBy(${status})`, status]),
    );
    expect(edgesOf(loop, 'asking.checking')[1]).toMatchObject({
      guard: 'isOutOfTurns',
      actions: ['stopFor(max_turns)'],
    });
  });

  it('tells an edge that leaves its state from one that only acts', () => {
    expect(edgesOf(loop, 'executing').map(({ target }) => target)).toEqual([null, null]);
    expect(edgesOf(toy, 'outer')).toMatchObject([{ event: 'tick', target: null, actions: ['unnamed'] }]);
  });

  it('every part of the loop has a name, and every state but the plain ends says what it is', () => {
    const parts = loop.edges.flatMap(({ guard, actions }) => [guard, ...actions]);
    expect(parts).not.toContain('unnamed');
    expect(loop.states.slice(1).filter(({ description }) => description === null)).toEqual([]);
  });
});

describe('the whole picture', () => {
  const picture = toMermaid(loop);

  it('keeps to the syntax of Mermaid, and is always the same', () => {
    expectValid(picture);
    expectValid(toMermaid(toy));
    expect(toMermaid(describeMachine(loopMachine))).toBe(picture);
  });

  it('shows states in their parents and all terminal states in one box', () => {
    expect(picture).toContain(
      [
        '  state "asking" as asking {',
        '    [*] --> asking_checking',
        '    state "checking" as asking_checking',
        '    state "measuring" as asking_measuring',
        '    state "requesting" as asking_requesting',
        '  }',
      ].join('\n'),
    );
    const ended = Object.keys(STOP_STATUSES).map((status) => `    state "${status}" as ${status}`);
    expect(picture).toContain(['  state "ended" as ended {', ...ended, '  }'].join('\n'));
  });

  it('shows every edge that leads somewhere once, and in order', () => {
    const arrows = picture.split('\n').filter((line) => line.includes('-->') && !line.includes('[*]'));
    expect(arrows).toHaveLength(loop.edges.filter(({ target }) => target !== null).length);
  });

  it.each([
    'asking_requesting --> persisting_response : model.replied [isCurrent]',
    'asking_checking --> persisting_closing : [isOutOfTurns]',
    'asking_checking --> asking_requesting : [else]',
    'asking_checking --> asking_measuring : [needsMeasure]',
    'asking_measuring --> persisting_closing : prompt.measured [isTooLarge]',
    'asking --> asking_checking : run.resumed',
    'finishing_measuring --> ending : prompt.measured [isSummaryTooDear]',
    'validating_gate --> persisting_nudge : [canNudge]',
    'ending --> max_turns : [isStoppedBy(max_turns)]',
    'asking_requesting --> persisting_closing : run.cancelled',
    'any_state --> journal_error : record.failed',
    'persisting_response : run.cancelled [isNotCancelled] / cancel',
    'executing_running : tool.started [isCurrent] / noteStarted',
    'executing_stopping : tool.started [isCurrent] / noteStarted',
  ])('has the line %s', (line) => {
    expect(picture.split('\n')).toContain(`  ${line}`);
  });

  it('shows boxes in boxes, and no "any state" where nothing begins there', () => {
    expect(toMermaid(toy)).toBe(
      [
        'stateDiagram-v2',
        '  [*] --> outer',
        '  state "outer" as outer {',
        '    [*] --> outer_inner',
        '    state "inner" as outer_inner {',
        '      [*] --> outer_inner_core',
        '      state "core" as outer_inner_core',
        '    }',
        '    state "twin" as outer_twin',
        '  }',
        '  state "ended" as ended {',
        '    state "over" as over',
        '  }',
        '  outer_inner_core : tick / unnamed',
        '  outer_twin : tick / unnamed',
        '  outer_inner --> outer_twin : [else]',
        '  outer_twin --> over : go',
        '',
      ].join('\n'),
    );
  });
});
