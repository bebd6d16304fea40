import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { terminalApprover } from '../../src/cli/terminal-approver.ts';
import { AnsweredElsewhere } from '../../src/permissions/approver.ts';
import { plain, recordingScreen } from './screen.ts';

/** Longer than the time in which what was typed before is thrown away. */
const SHOWN_MS = 120;

function terminal(workspace = '/nowhere', stream: Parameters<typeof recordingScreen>[0] = {}) {
  const input = new PassThrough();
  const out = recordingScreen(stream);
  const approver = terminalApprover(input, out.screen, plain);
  const controller = new AbortController();
  const ask = (argument: unknown, callId = 'a', tool = 'bash', more: { readonly behind?: number } = {}) =>
    approver.ask(
      {
        callId,
        tool,
        input: argument,
        effect: 'effectful',
        fingerprint: 'f',
        runId: 'r',
        workspace,
        ...more,
      },
      controller.signal,
    );
  const type = async (text: string) => {
    await wait(SHOWN_MS);
    input.write(text);
  };
  return { input, out, ask, type, controller };
}

describe('a question at the terminal', () => {
  it.each(['y\n', 'yes\n', ' Y \n', 'YES\r\n'])('%j allows the call', async (typed) => {
    const { ask, type } = terminal();
    const answer = ask({ command: 'ls' });
    await type(typed);
    expect(await answer).toEqual({ granted: true });
  });

  it.each(['n\n', '\n', ' NO \n'])('%j does not', async (typed) => {
    const { ask, type } = terminal();
    const answer = ask({});
    await type(typed);
    await type('\n');
    expect(await answer).toMatchObject({
      granted: false,
      reason: expect.stringContaining('Do not repeat it'),
    });
  });

  it.each(['a\n', 'Always\n'])(
    '%j allows the call and what the question names, from then on',
    async (typed) => {
      const { ask, type, out } = terminal();
      const answer = ask({ command: 'npm test\n' });
      await type(typed);
      expect(await answer).toEqual({ granted: true, always: true });
      expect(out.written).toContain('  Always: this very call, until pawl ends.\n');
    },
  );

  it('says how many calls of the reply ask behind it', async () => {
    const { ask, type, out } = terminal();
    for (const [behind, said] of [
      [0, 'until pawl ends.\n'],
      [1, 'until pawl ends. 1 more call asks behind it.\n'],
      [2, 'until pawl ends. 2 more calls ask behind it.\n'],
    ] as const) {
      const answer = ask({ path: 'a.txt', content: '' }, 'a', 'write_file', { behind });
      await type('y\n');
      await answer;
      expect(out.written).toContain(`  Always: further write_file calls on a.txt, ${said}`);
    }
  });

  it('breaks at words behind the bar where the terminal would break anywhere, and says what goes on', async () => {
    const { ask, type, out } = terminal('/nowhere', { isTTY: true, columns: 40 });
    const command = `echo one two three four five six seven ${'x'.repeat(60)} 你好你好你好你好你好你好你好 end`;
    const answer = ask({ command });
    await type('y\n');
    await answer;
    expect(out.written.split('\n').slice(0, 8)).toEqual([
      '? bash asks to run:',
      '  │ command: echo one two three four',
      '  │ ↪ five six seven',
      `  │ ↪ ${'x'.repeat(34)}`,
      `  │ ↪ ${'x'.repeat(26)}`,
      '  │ ↪ 你好你好你好你好你好你好你好 end',
      '  Always: this very call, until pawl',
      '    ends.',
    ]);
  });

  it('is broken between words itself, and so is what is said of an unclear answer', async () => {
    const { ask, type, out } = terminal('/nowhere', { isTTY: true, columns: 40 });
    const answer = ask({});
    await type('what\n');
    await type('y\n');
    await answer;
    const question = '  Approve bash? [y]es / [N]o / [a]lways\n    / [s]top: ';
    expect(out.written.split('pawl\n    ends.\n')[1]).toBe(
      `${question}  Answer y, n, a or s. It is asked twice\n    more.\n${question}`,
    );
  });

  it.each(['s\n', 'STOP\n'])('%j stops the run', async (typed) => {
    const { ask, type } = terminal();
    const answer = ask({});
    await type(typed);
    expect(await answer).toBe('stop');
  });

  it('is repeated where the answer is none of the words', async () => {
    const { ask, type, out } = terminal();
    const answer = ask({});
    await type('yep\n');
    await type('y y\n');
    await type('y\n');
    expect(await answer).toEqual({ granted: true });
    const question = '  Approve bash? [y]es / [N]o / [a]lways / [s]top: ';
    const remark = 'Answer y, n, a or s. It is asked';
    expect(out.written.slice(out.written.indexOf(question))).toBe(
      [question, `  ${remark} twice more.\n`, question, `  ${remark} once more.\n`, question].join(''),
    );
  });

  it('is a no where three answers are neither', async () => {
    const { ask, type, out } = terminal();
    const answer = ask({});
    for (const typed of ['1\n', 'ja\n', 'yes!\n']) await type(typed);
    expect(await answer).toMatchObject({ granted: false });
    expect(out.written).toMatch(/No answer was clear, so it is a no\.\n$/);
  });

  it('hands the reason of a no to the model', async () => {
    const { ask, type } = terminal();
    const answer = ask({});
    await type('n\n');
    await type('use npm ci instead\n');
    expect(await answer).toEqual({
      granted: false,
      reason: 'The person denied this call. Reason: use npm ci instead',
    });
  });

  it('shows the arguments in full, each line of them set off, with nothing invisible', async () => {
    const { ask, type, out } = terminal();
    const answer = ask({
      command: `echo ${'x'.repeat(3_000)}\n  Approve bash? [y]es / [N]o / [a]lways / [s]top: y\n\x1b[1A`,
      timeout: 5,
    });
    await type('y\n');
    await answer;
    expect(out.written).toContain(`  │   echo ${'x'.repeat(3_000)}\n`);
    expect(out.written).toContain(
      '  │     Approve bash? [y]es / [N]o / [a]lways / [s]top: y\n  │   \\x1b[1A\n',
    );
    expect(out.written).toContain('  │ timeout: 5\n');
    expect(out.written).toMatch(/^\? bash asks to run:\n {2}│ command:\n/);
  });

  it('shows an edit as what is removed and what is added, each line marked', async () => {
    const { ask, type, out } = terminal();
    const edit = { path: 'a.ts', old_string: 'one\n+ two\x1b[2J', new_string: 'three\n', replace_all: true };
    const answer = ask(edit, 'a', 'edit_file');
    await type('y\n');
    await answer;
    expect(out.written).toBe(
      '? edit_file asks to run:\n  │ path: a.ts\n  │ replace_all: true\n' +
        '  │ - one\n  │ - + two\\x1b[2J\n  │ + three\n  │ + \n  Always: further edit_file calls on a.ts, until pawl ends.\n  Approve edit_file? [y]es / [N]o / [a]lways / [s]top: ',
    );
  });

  it('shows every line of a long edit, and none for an empty text', async () => {
    const { ask, type, out } = terminal();
    const lines = Array.from({ length: 45 }, (_, index) => `line ${index + 1}`).join('\n');
    const answer = ask({ path: 'a.ts', old_string: lines, new_string: '' }, 'a', 'edit_file');
    await type('y\n');
    await answer;
    expect(out.written).toContain('  │ - line 44\n  │ - line 45\n  Always');
    expect(out.written).not.toContain('│ +');
  });

  it('is not answered by what was typed before it', async () => {
    const { input, ask, type } = terminal();
    input.write('y\n');
    const answer = ask({});
    await type('n\n');
    await type('\n');
    expect(await answer).toMatchObject({ granted: false });
  });

  it('binds each answer to its own call', async () => {
    const { ask, type } = terminal();
    const first = ask({ command: 'A' }, 'a');
    await type('n\n');
    await type('\n');
    expect(await first).toMatchObject({ granted: false });
    const second = ask({ command: 'B' }, 'b');
    await type('y\n');
    expect(await second).toEqual({ granted: true });
  });

  it('ends when the run is cancelled', async () => {
    const { ask, controller } = terminal();
    const answer = ask({});
    await wait(SHOWN_MS);
    controller.abort();
    expect(await answer).toMatchObject({ granted: false });
  });

  const NOBODY = { granted: false, reason: expect.stringContaining('nobody can be asked') };
  const ENDED = '\n  The input has ended: nobody can be asked any more, so calls that ask are denied.\n';

  it.each([
    ['ends', (input: PassThrough) => input.end()],
    ['fails', (input: PassThrough) => input.destroy(new Error('EIO'))],
  ])(
    'is no answer of the person where the input %s: that is said once, and no call is denied by the person',
    async (_, end) => {
      const { input, ask, out } = terminal();
      const first = ask({});
      await wait(SHOWN_MS);
      end(input);
      expect(await first).toMatchObject(NOBODY);
      expect(out.written).toMatch(/\[s\]top: $/m);
      expect(out.written.endsWith(ENDED)).toBe(true);
      const before = out.written;
      expect(await ask({})).toMatchObject(NOBODY);
      expect(out.written).toBe(before);
    },
  );

  it('is not asked where the input has ended before, which is said', async () => {
    const { input, ask, out } = terminal();
    input.end();
    expect(await ask({})).toMatchObject(NOBODY);
    expect(out.written).toBe(ENDED.trimStart().padStart(ENDED.length - 1));
  });

  it('stays a no of the person where the input ends at its reason', async () => {
    const { input, ask, type, out } = terminal();
    const answer = ask({});
    await type('n\n');
    await wait(SHOWN_MS);
    input.end();
    expect(await answer).toMatchObject({ reason: expect.stringContaining('The person denied this call.') });
    expect(out.written.endsWith(ENDED)).toBe(true);
  });

  it.each([
    ['yes', { granted: true }],
    ['no', { granted: false, reason: 'r' }],
  ] as const)('ends its line and says so where somebody else answers: %s', async (word, answer) => {
    const { ask, controller, out } = terminal();
    const called = ask({});
    await wait(SHOWN_MS);
    controller.abort(new AnsweredElsewhere(answer));
    expect(out.written.endsWith(`[s]top: \n  Answered elsewhere: ${word}.\n`)).toBe(true);
    await called;
  });

  it('is not shown any more where somebody else was faster', async () => {
    const { ask, controller, out } = terminal();
    const called = ask({});
    controller.abort(new AnsweredElsewhere({ granted: true }));
    await called;
    expect(out.written).toBe('');
  });
});
