/** The states in which a message of the history is saved. Part of the loop; see loop.machine.ts for the order. */
import { jobInput } from './context.ts';
import { LIFTS, loop, NOTED } from './parts.ts';

export const persisting = loop.createStateConfig({
  description: 'A message of the history is being saved. Nothing else happens until it is.',
  initial: 'response',
  exit: 'forgetPending',
  states: {
    response: {
      description: 'The reply, before anything of it is looked at.',
      invoke: { src: 'appendJournal', input: jobInput.appendJournal },
      on: {
        'record.saved': { guard: 'isSaved', target: '#loop.validating' },
        ...NOTED,
      },
    },
    results: {
      description: 'The results of all calls of the reply, in call order, as one message.',
      entry: 'draftResults',
      invoke: { src: 'appendJournal', input: jobInput.appendJournal },
      on: {
        'record.saved': { guard: 'isSaved', target: '#loop.asking', actions: 'nextTurn' },
        ...NOTED,
      },
    },
    nudge: {
      description: 'The word to a model whose reply was empty: go on, or answer.',
      entry: 'draftNudge',
      invoke: { src: 'appendJournal', input: jobInput.appendJournal },
      on: {
        'record.saved': { guard: 'isSaved', target: '#loop.asking', actions: 'nextTurn' },
        ...NOTED,
      },
    },
    closing: {
      description: 'Why the run ends, and an answer for every call that was not run.',
      entry: 'draftClosing',
      invoke: { src: 'appendJournal', input: jobInput.appendJournal },
      on: {
        'record.saved': [
          { guard: 'isCancelledMeanwhile', target: 'closing', reenter: true, actions: 'forgetCalls' },
          { guard: 'owesSummary', target: '#loop.finishing', actions: 'closeTurn' },
          { guard: 'isSaved', target: '#loop.ending', actions: 'closeTurn' },
        ],
        'run.cancelled': { guard: 'isNotCancelled', actions: 'cancel' },
        'run.resumed': LIFTS,
      },
    },
    summary: {
      description: 'The reply of the summary turn. A call in it is closed, never run.',
      invoke: { src: 'appendJournal', input: jobInput.appendJournal },
      on: {
        'record.saved': [
          { guard: 'hasOpenCalls', target: 'closing' },
          { guard: 'isSaved', target: '#loop.ending' },
        ],
      },
    },
  },
});
