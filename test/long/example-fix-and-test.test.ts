/** The example fix-and-test: the loop with its narrow tools, the check around it, and the whole way of a task as a machine. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isClear, playFlow, screen } from '../../examples/fix-and-test/flow.ts';
import { scriptedModel } from '../../src/index.ts';
import { playAll, playLive, violationsOf } from '../examples/played.ts';
import { call, calls, says } from '../field/support.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const FOLDER = path.resolve('examples/fix-and-test');
const MENDED = 'def add(a, b):\n    return a + b\n';

describe('fix-and-test, offline', () => {
  const played = playAll('fix-and-test', ['flow-unclear', 'flow-rejected', 'flow-unverified']);
  const names = (scenario: string) =>
    played(scenario).transcript.messages.flatMap(({ content }) =>
      content.flatMap(({ name }) => (name ? [name] : [])),
    );

  it('reads, runs the real tests, writes, runs them again; the file is mended', () => {
    expect(names('fix')).toEqual(['read_file', 'run_tests', 'write_file', 'run_tests']);
    const { results, workspace } = played('fix');
    expect(results[1]?.content).toMatch(/^The tests fail[\s\S]*AssertionError: -1 != 5/);
    expect(results[3]?.content).toMatch(/Ran 3 tests\n\nOK\n$/);
    expect(readFileSync(path.join(workspace, 'app.py'), 'utf8')).toBe(MENDED);
  });

  it('denies every file but app.py, by a rule, and says what is to be done instead', () => {
    expect(played('other-file').results[1]).toMatchObject({
      is_error: true,
      content: expect.stringMatching(
        /^Denied: write_file needs an approval .*test_app\.py.*Nothing of this call was run\./s,
      ),
    });
  });

  it('notices that it goes round in circles, since a failure is the same however long it took', () => {
    const { results, transcript } = played('circles');
    expect(new Set(results.map(({ content }) => content)).size).toBe(1);
    const notices = transcript.messages.flatMap(({ content }) =>
      content.filter(({ text }) => /same/.test(String(text))),
    );
    expect(notices.length).toBeGreaterThan(0);
  });

  it('is offered reading tools alone in the mode plan', () => {
    expect(played('read-only').results[1]?.content).toMatch(/Available tools: read_file\.$/);
  });

  it('checks a claim: what failed goes back to the model, and is verified or reported as unverified', () => {
    expect(played('verify')).toMatchObject({
      verified: true,
      exit_code: 0,
      counters: { checks: 2, repairs: 1 },
    });
    expect(played('unverified')).toMatchObject({
      verified: false,
      exit_code: 40,
      counters: { checks: 3, repairs: 2 },
    });
  });
});

/** Each in a state folder of its own: it keeps its journal where the command does. */
describe('the flow', () => {
  const before = process.env.PAWL_HOME;
  beforeEach(() => {
    process.env.PAWL_HOME = scratchFolder();
  });
  afterAll(() => {
    if (before === undefined) delete process.env.PAWL_HOME;
    else process.env.PAWL_HOME = before;
  });

  async function flow(script: string, task = 'Fix the function add() in app.py.') {
    const workspace = scratchFolder();
    cpSync(path.join(FOLDER, 'workspace'), workspace, { recursive: true });
    const client = scriptedModel(parse(readFileSync(path.join(FOLDER, script), 'utf8')));
    const states: string[] = [];
    const end = await playFlow({
      task,
      workspace,
      client,
      model: 'scripted',
      onState: (state) => states.push(state),
    });
    return { ...end, states, code: readFileSync(path.join(workspace, 'app.py'), 'utf8') };
  }

  it('goes through its gates, revises the plan, mends what the check finds, and is verified', async () => {
    const { status, states, outcome, code } = await flow('script-flow.yaml');
    expect(states).toEqual([
      ...['classifying', 'researching', 'screening', 'researching', 'screening'],
      ...['working', 'verifying', 'repairing', 'working', 'verifying', 'verified'],
    ]);
    expect({ status, code }).toEqual({ status: 'verified', code: MENDED });
    expect(outcome?.counters).toMatchObject({ turns: 7, toolCalls: 3 });
  });

  it('asks back where the task is not clear, without asking a model', async () => {
    expect(await flow('script-flow.yaml', 'Make it better.')).toMatchObject({
      status: 'needs_clarification',
      outcome: undefined,
    });
  });

  it('refuses a plan that goes too far, with nothing changed', async () => {
    expect(await flow('script-flow-rejected.yaml')).toMatchObject({
      status: 'rejected',
      code: expect.stringContaining('a - b'),
    });
  });

  it('mends twice and no more, and reports what is not mended', async () => {
    const { status, states } = await flow('script-flow-unmended.yaml');
    expect(status).toBe('unverified');
    expect(states.filter((state) => state === 'repairing')).toHaveLength(2);
  });

  it('stops where the loop comes to no answer', async () => {
    const workspace = scratchFolder();
    writeFileSync(path.join(workspace, 'app.py'), '');
    const client = scriptedModel([{ text: 'no', stop_reason: 'refusal' }]);
    const { status, outcome } = await playFlow({ task: 'Fix app.py', workspace, client, model: 'scripted' });
    expect([status, outcome?.status]).toEqual(['stopped', 'refused']);
  });

  it.each([
    ['Fix add()', true],
    ['Look at app.py', true],
    ['Make it better.', false],
  ])('takes "%s" for clear: %s', (task, expected) => expect(isClear(task)).toBe(expected));

  it.each([
    ['I will mend app.py', 'accepted'],
    ['I will be careful.', 'to_be_revised'],
    ['I will mend app.py and test_app.py', 'rejected'],
    ['I will change ../app.py', 'rejected'],
  ])('finds the plan "%s" %s', (plan, screening) => expect(screen(plan)).toMatchObject({ screening }));
});

describe('fix-and-test, live', () => {
  it('sends what the service takes, and the tests pass in the end', async () => {
    const replies = [
      calls(call('toolu_1', 'read_file', { path: 'app.py' })),
      calls(call('toolu_2', 'write_file', { path: 'app.py', content: MENDED })),
      calls(call('toolu_3', 'run_tests', {})),
      says('All tests pass.'),
    ];
    const lived = await playLive('fix-and-test', replies, scratchFolder(), { scenario: 'verify' });
    expect(lived).toMatchObject({ code: 0, document: { status: 'answered', verified: true } });
    expect(violationsOf(lived)).toEqual([]);
    expect(lived.server.requests[3]?.raw).toContain('Ran 3 tests');
  });

  it('takes the flow to the service, too', async () => {
    const replies = [
      says('I will correct app.py.'),
      calls(call('toolu_1', 'write_file', { path: 'app.py', content: MENDED })),
      says('It adds now.'),
    ];
    const lived = await playLive('fix-and-test', replies, scratchFolder(), { scenario: 'flow' });
    expect(lived).toMatchObject({ code: 0, document: { status: 'verified', result: 'It adds now.' } });
    expect(violationsOf(lived)).toEqual([]);
  });
});
