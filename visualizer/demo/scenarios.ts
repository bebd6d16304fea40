/** Scripted stories, each of which ends in another state of the same machine. */
import type { Limits } from '../../machines/limits.ts';
import type { StopStatus } from '../../machines/status.ts';
import type { ScriptReply } from './script.ts';

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly task: string;
  readonly script: readonly ScriptReply[];
  /** What happens besides, in this order: each as soon as it can. */
  readonly happens: readonly string[];
  readonly limits: Partial<Limits>;
  readonly ends: StopStatus;
}

const run: ScriptReply = { text: 'I will run it.', calls: [{ name: 'run_main', input: {} }] };
const mend: ScriptReply = {
  text: 'It divides by zero. I will mend it.',
  calls: [{ name: 'edit_file', input: { path: 'main.py', old_string: '1 / 0', new_string: '1 / 1' } }],
};
const done: ScriptReply = { text: 'main.py runs now and prints 1.0.' };
const tell = (id: string, title: string, ends: StopStatus, more: Partial<Scenario>): Scenario => ({
  id,
  title,
  ends,
  about: '',
  task: 'run main.py and mend it',
  script: [run, done],
  happens: [],
  limits: {},
  ...more,
});

export const SCENARIOS: readonly Scenario[] = [
  tell('mended', 'Error reported', 'answered', {
    about:
      'The program fails. The failure is a result like any other: the model reads it, and mends the file.',
    script: [run, mend, { text: 'Again.', calls: [{ name: 'run_main', input: {} }] }, done],
    happens: ['error'],
  }),
  tell('one-allowed', 'One call allowed', 'answered', {
    about:
      'Two calls have effects, and a person is asked about each. One is denied: the model is told, and goes on.',
    script: [
      {
        text: 'I will change both files.',
        calls: ['main.py', 'secret.py'].map((path) => ({
          name: 'write_file',
          input: { path, content: 'print(1)\n' },
        })),
      },
      { text: 'main.py is changed. secret.py was left alone, as you said.' },
    ],
    happens: ['ask', 'grant', 'deny'],
  }),
  tell('cut', 'Reply cut off', 'truncated', {
    about:
      'A reply that the output limit cut never runs a call. It is asked again with twice the room, then given up.',
    script: [],
    happens: ['cut', 'cut', 'cut'],
  }),
  tell('timed-out', 'Timed out', 'answered', {
    about:
      'The service is silent: after a wait the request is made again. Then a call takes too long, and the model is told.',
    happens: ['silent', 'timeout'],
  }),
  tell('refused-call', 'Call refused', 'answered', {
    about:
      'The model calls a tool that is not there. Nothing runs; an error result says which tools there are.',
    script: [
      { calls: [{ name: 'launch', input: {} }] },
      { text: 'There is no such tool, so I read the file instead: it prints 1.' },
    ],
    happens: ['refuse'],
  }),
  tell('turns', 'Turn limit', 'max_turns', {
    about: 'At the limit there is one more turn without tools, so that a limit still leaves an answer.',
    script: [run, run, { text: 'Two runs failed; what is still open: the cause.' }],
    limits: { maxTurns: 2 },
    happens: ['error', 'error'],
  }),
  tell('budget', 'Budget', 'token_budget', {
    about:
      'A request is measured before it is sent. The second one would not fit, so the summary is made with what was kept back.',
    script: [run, { text: 'The program ran once, and failed.' }],
    limits: { tokenBudget: 40_000 },
    happens: ['fits', 'error', 'large'],
  }),
  tell('cancelled', 'Cancelled', 'cancelled', {
    about:
      'The person cancels while a call runs. What ran is recorded, the rest is closed, and no summary is owed.',
    script: [
      {
        text: 'Both at once.',
        calls: [
          { name: 'run_main', input: {} },
          { name: 'write_file', input: { path: 'a', content: 'b' } },
        ],
      },
    ],
    happens: ['start', 'cancel'],
  }),
  tell('stuck', 'Stuck', 'stuck', {
    about: 'The same call with the same result, again and again: the model is told, then the run is ended.',
    script: [run, run, run, { text: 'I kept running the same program.' }],
    limits: { maxRepeats: 3 },
    happens: ['error', 'error', 'error'],
  }),
  tell('contradiction', 'Contradiction', 'protocol_error', {
    about:
      'A reply has a call, and says that it is finished. Whoever wrote it is not to be trusted: nothing of it runs.',
    script: [],
    happens: ['contradicts'],
  }),
  tell('refusal', 'Refusal', 'refused', {
    about: 'The model refuses, and there is no other model to ask.',
    script: [],
    happens: ['refuses'],
  }),
  tell('key', 'Wrong key', 'model_error', {
    about: 'Asking again would not help, so it is not done.',
    script: [],
    happens: ['unauthorized'],
  }),
  tell('disk', 'Disk full', 'journal_error', {
    about: 'What could not be saved is not acted on: the reply came, and its call never runs.',
    happens: ['full'],
  }),
];
