import { describe, expect, it } from 'vitest';
import * as pawl from '../../src/index.ts';
import { optionsFor, runOf } from './runs.ts';

/** As plain JavaScript calls them. */
const {
  run,
  resume,
  decide,
  confine,
  rulesPolicy,
  anthropicModel,
  scriptedModel,
  builtinTools,
  commandHook,
  commandEndHook,
} = pawl as unknown as Record<string, (...given: unknown[]) => unknown>;

const DONE = { text: 'done' };
const hook = { name: 'lint', run: () => undefined };
const VIEW = { workspace: '/', network: false, hidden: [], environment: {} };
const running = (change: object) => () => run?.({ ...optionsFor([DONE]), ...change });

const rows: readonly [what: string, call: () => unknown, message: string][] = [
  ['run: limit', running({ limit: { maxTurns: 1 } }), 'run() does not know "limit". Did you mean limits?'],
  ['run: chek', running({ chek: { command: 'true' } }), 'run() does not know "chek". Did you mean check?'],
  ['run: redct', running({ redct: [/a/] }), 'run() does not know "redct". Did you mean redact?'],
  ['run: sandBox', running({ sandBox: {} }), 'run() does not know "sandBox". Did you mean sandbox?'],
  [
    'run: a limit beside the limits',
    running({ maxToolCalls: 5 }),
    'maxToolCalls is one of the limits: write it as limits: { maxToolCalls: … }.',
  ],
  [
    'run: a limit',
    running({ limits: { maxTurn: 1 } }),
    'limits does not know "maxTurn". Did you mean maxTurns?',
  ],
  [
    'run: a key of the check',
    running({ check: { comand: 'true' } }),
    'check does not know "comand". Did you mean command?',
  ],
  [
    'run: a key of the hooks',
    running({ hooks: { beforeCalls: [hook] } }),
    'hooks does not know "beforeCalls". Did you mean beforeCall?',
  ],
  [
    'run: a key of a hook',
    running({ hooks: { afterCall: [hook, { ...hook, tool: ['bash'] }] } }),
    'hooks.afterCall, hook 2 does not know "tool". Did you mean tools?',
  ],
  [
    'run: a status of a hook',
    running({ hooks: { afterRun: [{ ...hook, statuses: ['max_turn'] }] } }),
    'hooks.afterRun, hook 1: statuses must be a list of answered, ',
  ],
  [
    'resume: instructions',
    () => resumed({ instructions: 'more' }),
    'resume() does not know "instructions". Did you mean instruction?',
  ],
  ['resume: a limit beside the limits', () => resumed({ maxTurns: 5 }), 'maxTurns is one of the limits'],
  [
    'resume: system, which stays',
    () => resumed({ system: 'other' }),
    'resume() takes no system: a run keeps the one that it has on record.',
  ],
  ['resume: nothing', () => resumed(undefined), 'resume() must be given an object, and not undefined.'],
  [
    'decide: redacts',
    () => decided([], { redacts: [] }),
    'decide() does not know "redacts". Did you mean redact?',
  ],
  [
    'decide: grantd',
    () => decided([{ callId: 'a', grantd: true }]),
    'A decision does not know "grantd". Did you mean granted?',
  ],
  [
    'decide: a text that says false',
    () => decided([{ callId: 'a', granted: 'false' }]),
    'A decision: granted must be true or false, and not a text.',
  ],
  [
    'confine: a word for the network',
    () => confine?.({ ...VIEW, network: 'no' }),
    'confine(): network must be true or false, and not a text.',
  ],
  ['confine: hide', () => confine?.({ ...VIEW, hide: ['/'] }), 'confine() does not know "hide". '],
  [
    'confine: half a view',
    () => confine?.({ workspace: '/' }),
    'confine(): network must be true or false, and not undefined.',
  ],
  [
    'rulesPolicy: denyy',
    () => rulesPolicy?.({ denyy: ['bash'] }),
    'rulesPolicy() does not know "denyy". Did you mean deny?',
  ],
  [
    'rulesPolicy: one rule',
    () => rulesPolicy?.({ deny: 'bash' }),
    'rulesPolicy(): deny must be a list of texts, and not a text.',
  ],
  [
    'anthropicModel: baseURL, as the SDK has it, which would send the key elsewhere',
    () => anthropicModel?.({ apiKey: 'sk-test', baseURL: 'http://localhost:1' }),
    'anthropicModel() does not know "baseURL". Did you mean baseUrl?',
  ],
  [
    'anthropicModel: a model, which is for run()',
    () => anthropicModel?.({ apiKey: 'sk-test', model: 'mine' }),
    'anthropicModel() does not know "model". There are apiKey, ',
  ],
  [
    'builtinTools: timeoutMs',
    () => builtinTools?.({ timeoutMs: 5 }),
    'builtinTools() does not know "timeoutMs". ',
  ],
  [
    'commandHook: timeout',
    () => commandHook?.({ name: 'a', command: 'true', timeout: 5 }),
    'commandHook() does not know "timeout". ',
  ],
  [
    'commandEndHook: tools',
    () => commandEndHook?.({ name: 'a', command: 'true', tools: ['bash'] }),
    'commandEndHook() does not know "tools". There are name, timeoutMs, command, statuses.',
  ],
];

let closed = 0;
/** A journal of a finished run that notes whether it was closed. */
async function opened() {
  const { records } = await runOf([DONE]);
  const journal = pawl.memoryJournal(undefined, records);
  const close = async () => {
    closed += 1;
  };
  return { journal: { ...journal, close }, records, tornBytes: 0 };
}
const resumed = async (options: object | undefined) =>
  resume?.(await opened(), options && { client: pawl.scriptedModel([DONE]), ...options });
const decided = async (decisions: readonly object[], options?: object) =>
  decide?.(await opened(), decisions, options);

describe('an option that is misspelt is refused in one line that names it', () => {
  it.each(rows)('%s', async (_, call, message) => {
    const refused = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(refused).toBeInstanceOf(pawl.OptionsError);
    expect((refused as Error).message.slice(0, message.length)).toBe(message);
    expect((refused as Error).message).not.toContain('\n');
  });

  it('scriptedModel: a key of a reply, with the place', () => {
    expect(() => scriptedModel?.([{ txt: 'done' }])).toThrow('the script, reply 1: Unrecognized key: "txt"');
  });

  it('and an opened journal is closed all the same', async () => {
    closed = 0;
    await expect(resumed({ instructions: 'more' })).rejects.toThrow();
    await expect(resumed(undefined)).rejects.toThrow();
    await expect(decided([{}])).rejects.toThrow();
    expect(closed).toBe(3);
  });
});

describe('an option of another form is refused', () => {
  it.each([
    ['system', 5, 'a text'],
    ['task', 5, 'a text'],
    ['model', { id: 'a' }, 'a text'],
    ['workspace', 5, 'a text'],
    ['effort', 5, 'a text or null'],
    ['fallbackModel', 5, 'a text'],
    ['runId', 5, 'a text'],
    ['tools', 'bash', 'a list'],
    ['policy', 'ask', 'an object with decide()'],
    ['approver', () => 'granted', 'an object with ask()'],
    ['hooks', [], 'an object'],
    ['secrets', 'sk-test', 'a list of texts'],
    ['redact', /sk/, 'a list of regular expressions'],
    ['redact', ['sk'], 'a list of regular expressions'],
    ['idleTimeoutMs', '5', 'a number of milliseconds'],
    ['maxRetryWaitMs', -1, 'a number of milliseconds'],
    ['prices', { mine: 5 }, 'an object with get()'],
    ['signal', 5, 'an object with addEventListener()'],
    ['onEvent', {}, 'a function'],
    ['sandbox', 'require', 'an object with run()'],
    ['gate', {}, 'an object with cross()'],
    ['limits', null, 'an object'],
    ['journal', 'run.jsonl', 'an object with append(), sync(), close()'],
    ['check', 'npm test', 'an object'],
    ['settings', 'all', 'an object'],
  ])('%s: %j', async (key, value, words) => {
    const refused = running({ [key]: value })();
    await expect(refused).rejects.toThrow(pawl.OptionsError);
    await expect(refused).rejects.toThrow(`run(): ${key} must be ${words}`);
  });
});
