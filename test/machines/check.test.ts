import { describe, expect, it } from 'vitest';
import { assign, createMachine, fromCallback, setup } from 'xstate';
import { missingImplementations, unprovidedJobs } from '../../machines/check.ts';
import { loopMachine } from '../../machines/loop.machine.ts';

describe('missing implementations', () => {
  it('the loop machine has none', () => {
    expect(missingImplementations(loopMachine)).toEqual([]);
  });

  it('are found wherever a name can stand, each once, sorted', () => {
    const machine = createMachine({
      initial: 'first',
      on: { everywhere: { guard: 'onRoot', actions: 'ofRoot' } },
      states: {
        first: {
          invoke: { src: 'job' },
          entry: 'onEntry',
          exit: [{ type: 'onExit', params: { at: 1 } }, 'onEntry'],
          always: { guard: 'onAlways', target: 'second' },
          on: {
            go: [
              { guard: { type: 'withParams', params: { limit: 1 } }, target: 'second' },
              { guard: 'onAlways', actions: { type: 'ofEdge', params: { at: 2 } } },
            ],
          },
        },
        second: {
          initial: 'inner',
          states: { inner: { invoke: [{ src: 'innerJob' }, { src: 'job' }] } },
        },
      },
    });
    expect(missingImplementations(machine)).toEqual([
      'action ofEdge',
      'action ofRoot',
      'action onEntry',
      'action onExit',
      'actor innerJob',
      'actor job',
      'guard onAlways',
      'guard onRoot',
      'guard withParams',
    ]);
  });

  it('are none where all names are set up, and a name that every object has is no implementation', () => {
    const known = setup({
      actors: { job: fromCallback(() => {}) },
      guards: { holds: () => true },
      actions: { act: () => {} },
    }).createMachine({
      invoke: { src: 'job' },
      entry: 'act',
      on: { go: { guard: 'holds', actions: 'act' } },
    });
    expect(missingImplementations(known)).toEqual([]);
    const unlucky = createMachine({ entry: 'toString', on: { go: { guard: 'constructor' } } });
    expect(missingImplementations(unlucky)).toEqual(['action toString', 'guard constructor']);
  });

  it('a part that is written in place counts as missing, since it cannot be replaced by name', () => {
    const machine = createMachine({
      id: 'inline',
      invoke: { src: fromCallback(() => {}) },
      entry: [assign({}), () => {}],
      on: { go: { guard: () => true } },
    });
    expect(missingImplementations(machine)).toEqual([
      'action unnamed',
      'action xstate.assign',
      'actor xstate.invoke.0.inline',
      'guard unnamed',
    ]);
  });

  it('an unknown target needs no check: such a machine cannot be made', () => {
    expect(() => createMachine({ initial: 'a', states: { a: { on: { go: 'nowhere' } } } })).toThrow(
      "Child state 'nowhere' does not exist",
    );
  });

  it('an unknown initial state, which xstate finds only on the way, is found by the check', () => {
    const machine = createMachine({ initial: 'nowhere', states: { a: {} } });
    expect(() => missingImplementations(machine)).toThrow('Initial state node "nowhere" not found');
  });
});

describe('jobs that nobody provided', () => {
  it('are all of them at first', () => {
    expect(unprovidedJobs(loopMachine)).toEqual([
      'askModel',
      'measurePrompt',
      'watchClock',
      'waitBeforeRetry',
      'appendJournal',
      'reviewCalls',
      'awaitApproval',
      'executeTools',
    ]);
  });

  it('are the ones that provide left out', () => {
    const machine = loopMachine.provide({
      actors: { askModel: fromCallback(() => {}), executeTools: fromCallback(() => {}) },
    });
    expect(unprovidedJobs(machine)).toEqual([
      'measurePrompt',
      'watchClock',
      'waitBeforeRetry',
      'appendJournal',
      'reviewCalls',
      'awaitApproval',
    ]);
  });
});
