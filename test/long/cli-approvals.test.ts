/** Calls that wait for an approval: suspended by one process, decided about by others, run by yet another. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunPlace } from '../cli/resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const append = (id: string, line: string) => ({
  id,
  name: 'bash',
  input: { command: `echo ${line} >> log.txt` },
});
const THREE = [
  { calls: [append('c1', 'one'), append('c2', 'two'), append('c3', 'three')] },
  { when: 'Reason: not two', text: 'Understood.' },
];
const suspend = (script: readonly object[] = THREE) => place.run(script, ['--on-ask', 'suspend']);

interface Waiting {
  readonly call_id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly hash: string;
}
interface Suspended {
  readonly status: string;
  readonly waiting: readonly Waiting[];
}
const approvals = async () => {
  const { stdout } = await place.pawl(['approvals', '--json']);
  return JSON.parse(stdout) as (Suspended & { run_id: string; workspace: string; task: string })[];
};

describe('a run with --on-ask suspend, where a call asks', () => {
  it('ends cleanly with exit 30 and names each call with its arguments and what decides about it', async () => {
    place.write('s.json', THREE);
    const { code, stdout, stderr } = await place.pawl([
      'run',
      '--script',
      's.json',
      '--on-ask',
      'suspend',
      'the task',
    ]);
    const [id] = place.ids;
    expect({ code, stdout }).toEqual({ code: 30, stdout: '' });
    expect(stderr).toContain('? suspended · 1 turn');
    for (const [call, line] of [
      ['c1', 'one'],
      ['c2', 'two'],
      ['c3', 'three'],
    ])
      expect(stderr).toMatch(
        new RegExp(
          `\\? bash ${call} \\(hash [0-9a-f]{12}\\)\\n  │ command: echo ${line} >> log.txt\\n` +
            `  pawl approve ${id} ${call}\\n  pawl deny ${id} ${call} --reason "…"\\n`,
        ),
      );
    expect(stderr).toContain(`then go on with: pawl resume ${id}\n`);
    expect(place.has('log.txt')).toBe(false);
    expect(place.types()).toEqual(['run.started', 'reply.received', 'calls.reviewed']);
    expect(place.files.filter((name) => name.includes('.lock'))).toEqual([]);
    expect((await place.pawl(['runs'])).stdout).toContain(' suspended ');
    expect((await place.pawl(['show', id ?? ''])).stdout).toContain(
      `(suspended; decide with: pawl approve ${id} CALL or pawl deny ${id} CALL)`,
    );
    expect((await place.pawl(['replay', id ?? ''])).code).toBe(0);
  });

  it('says the same to programs, in one document', async () => {
    const ended = (await suspend()) as unknown as Suspended & { exit_code: number; errors: unknown[] };
    expect(ended).toMatchObject({
      status: 'suspended',
      exit_code: 30,
      errors: [],
      waiting: [
        {
          call_id: 'c1',
          tool: 'bash',
          input: { command: 'echo one >> log.txt' },
          hash: expect.stringMatching(/^[0-9a-f]{12}$/),
        },
        { call_id: 'c2' },
        { call_id: 'c3' },
      ],
    });
    expect(await approvals()).toMatchObject([
      { run_id: place.ids[0], task: 'the task', workspace: place.folder, waiting: ended.waiting },
    ]);
  });

  it('is refused with --ephemeral, and with a word that is none', async () => {
    place.write('s.json', THREE);
    const run = (...flags: readonly string[]) => place.pawl(['run', '--script', 's.json', ...flags, 't']);
    const [kept, unknown] = await Promise.all([
      run('--on-ask', 'suspend', '--ephemeral'),
      run('--on-ask', 'wait'),
    ]);
    expect(kept).toMatchObject({ code: 2, stderr: expect.stringMatching(/^pawl: --on-ask suspend needs a/) });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/--on-ask.*deny.*suspend/) });
    expect(place.ids).toEqual([]);
  });

  it('asks nobody, not even at a terminal; with deny it neither asks nor waits', async () => {
    place.write('s.json', [THREE[0], { text: 'ok' }]);
    const run = (what: string) => place.terminal(['run', '--script', 's.json', '--on-ask', what, 't'], []);
    const [suspended, denied] = [await run('suspend'), await run('deny')];
    expect([suspended.code, denied.code]).toEqual([30, 0]);
    expect(denied.shown).toContain('3 denied');
    expect(suspended.shown + denied.shown).not.toContain('Approve bash?');
  });
});

describe('decisions from later processes', () => {
  it('yes, no and later: what is decided runs or is answered, what is not waits on, and nothing runs twice', async () => {
    await suspend();
    const [id = ''] = place.ids;
    const yes = await place.pawl(['approve', id, 'c1']);
    expect(yes).toMatchObject({ code: 0, stdout: 'approved bash c1\n' });
    expect(yes.stderr).toMatch(/What waits: c2 \(bash, hash \w+\), c3 .*\nGo on with: pawl resume/);
    const no = await place.pawl(['deny', '--last', 'c2', '--reason', 'not two', '--json']);
    expect(JSON.parse(no.stdout)).toMatchObject({
      run_id: id,
      decided: [{ call_id: 'c2', tool: 'bash', granted: false }],
      waiting: [{ call_id: 'c3' }],
    });

    const again = await place.resumed('--last');
    expect(again).toMatchObject({ status: 'suspended', exit_code: 30, waiting: [{ call_id: 'c3' }] });
    expect(place.has('log.txt')).toBe(false);

    expect((await place.pawl(['approve', id.slice(0, 12), 'c'])).code).toBe(0);
    const done = await place.resumed('--last');
    expect(done).toMatchObject({ status: 'answered', result: 'Understood.', waiting: [] });
    expect(place.read('log.txt')).toBe('one\nthree\n');
    expect(await place.pawl(['approvals'])).toMatchObject({
      stdout: '',
      stderr: 'No call waits for an approval.\n',
    });
  });

  it('are proposed so that they can be copied, however narrow the terminal is', async () => {
    await suspend([{ calls: [append('c1', 'one')] }]);
    const [id = ''] = place.ids;
    const { shown } = await place.terminal(['approvals'], [], 40);
    const rows = shown.split('\r\n');
    for (const row of rows.filter((one) => !one.includes(place.folder)))
      expect(row.replaceAll(ANSI, '').length).toBeLessThanOrEqual(40);
    const plain = shown.replaceAll(ANSI, '');
    expect(plain).toContain(`  pawl deny ${id} c1 \\\r\n    --reason "…"\r\n`);
    expect(plain).toContain(`  then go on with:\r\n  pawl resume ${id}\r\n`);
    // As a shell reads it.
    const [command = ''] = /pawl approve [\s\S]*?c1/.exec(plain) ?? [];
    expect((await place.shell(command.replaceAll('\r', ''))).stdout).toBe('approved bash c1\n');
  });

  it('are refused in one line where there is no such call, it was decided about, or the hash is another', async () => {
    await suspend();
    await place.pawl(['approve', '--last', 'c1']);
    const before = place.bytes();
    const rows: readonly (readonly [readonly string[], RegExp])[] = [
      [['approve', '--last', 'x'], /"x" does not wait .*What waits: c2 \(bash, hash \w+\), c3/],
      [['deny', '--last', 'c1'], /"c1" does not wait .*What waits: c2/],
      [['approve', '--last', 'c'], /"c" is the beginning of several calls/],
      [['approve', '--last', 'c2', '--hash', '000'], /hash is [0-9a-f]{12}, not 000/],
      [['approve', place.ids[0] ?? ''], /Say which call: .*CALL\. What waits: c2 .*c3 .*pawl approvals/],
      [['deny'], /Say which run and which call: pawl deny RUN CALL\. pawl approvals lists/],
    ];
    for (const [args, told] of rows) {
      const { code, stdout, stderr } = await place.pawl(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(told);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(place.bytes()).toBe(before);
  });

  it('name the only call that waits in the command that they propose, and decide nothing by themselves', async () => {
    await suspend([{ calls: [append("it's", 'one')] }]);
    const [id = ''] = place.ids;
    const before = place.bytes();
    for (const [command, words] of [
      ['approve', [id]],
      ['deny', ['--last']],
    ] as const)
      expect(await place.pawl([command, ...words])).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(
          new RegExp(
            `^pawl: Say which call: pawl ${command} ${id} 'it'\\\\''s'\\. What waits: it's \\(bash, hash \\w+\\)\\. pawl approvals shows`,
          ),
        ),
      });
    expect(place.bytes()).toBe(before);
    expect(await place.pawl(['approve', id, "it's"])).toMatchObject({ code: 0 });
    expect((await place.pawl(['approve', id])).stderr).toContain('CALL. Nothing waits in it.');
  });

  it.each([
    ['approve', 'RUN CALL...'],
    ['deny', 'RUN CALL...'],
    ['resume', 'RUN [INSTRUCTION...]'],
  ])('and the help of %s names what stands behind it: %s', async (command, words) => {
    const { stdout } = await place.pawl([command, '--help']);
    expect(stdout.split('\n')[0]).toBe(`Usage: pawl ${command} [options] ${words}`);
    expect(stdout).not.toMatch(/\bwords\b/);
  });

  it('wait for their turn while a live process has the run, which is named; exit 50', async () => {
    place.write('s.json', [{ text: 'late', delay_ms: 60_000 }]);
    const { child, finished } = place.start(['run', '--script', 's.json', 't']);
    await place.until(() => place.ids.length > 0 && place.bytes() !== '');
    const { code, stderr } = await place.pawl(['approve', '--last', 'c1']);
    child.kill('SIGKILL');
    await finished;
    expect(code).toBe(50);
    expect(stderr).toMatch(new RegExp(`is held by process ${child.pid} .*\\.\n$`));
  });

  it('about another input than that of the call are damage that is named, and nothing is run', async () => {
    await suspend();
    await place.pawl(['approve', '--last', 'c1']);
    const [id = ''] = place.ids;
    place.rewrite(id, (record) =>
      record.type === 'approval.granted' ? { ...record, fingerprint: '0123456789ab' } : record,
    );
    const [replay, resume, decide] = [
      await place.pawl(['replay', id]),
      await place.resume(id),
      await place.pawl(['approve', id, 'c2']),
    ];
    for (const { code, stderr } of [replay, resume, decide]) {
      expect(code).toBe(50);
      expect(stderr).toMatch(/line 4: it decides about another call/);
    }
    expect(place.has('log.txt')).toBe(false);
  });

  it('about the call that the hash names keep the key out of the reason', async () => {
    const { waiting } = (await suspend()) as unknown as Suspended;
    const reason = ['--reason', 'see sk-secret-key-1', '--hash', waiting[0]?.hash ?? ''];
    const { code } = await place.pawl(['deny', '--last', 'c1', ...reason], {
      ANTHROPIC_API_KEY: 'sk-secret-key-1',
    });
    expect(code).toBe(0);
    expect(place.bytes()).not.toContain('sk-secret-key-1');
    expect(place.bytes()).toContain('Reason: see [redacted]');
  });
});

describe('going on with a suspended run', () => {
  it('with --yes allows what still waits, and a denial stays one', async () => {
    await suspend();
    await place.pawl(['deny', '--last', 'c2', '--reason', 'not two']);
    expect(await place.resumed('--last', '--yes')).toMatchObject({ status: 'answered' });
    expect(place.read('log.txt')).toBe('one\nthree\n');
  });

  it.each([[[]], [['--stream']]])(
    'with %j counts a denial of before, without advice that would come too late',
    async (flags) => {
      await suspend();
      await place.pawl(['deny', '--last', 'c2', '--reason', 'not two']);
      await place.pawl(['approve', '--last', 'c1', 'c3']);
      const { stderr } = await place.resume('--last', ...flags);
      expect(stderr).toMatch(/✓ answered · 2 turns · \d calls · 1 denied · /);
      expect(stderr).not.toContain('Calls were denied');
    },
  );

  it('with --on-ask deny denies it', async () => {
    await suspend([THREE[0] as object, { text: 'ok' }]);
    const denied = await place.resumed('--last', '--on-ask', 'deny');
    expect(denied).toMatchObject({ status: 'answered', denials: [{}, {}, {}] });
    expect(place.has('log.txt')).toBe(false);
  });

  it('at a terminal asks there, about what was not decided', async () => {
    await suspend([THREE[0] as object, { text: 'ok' }]);
    await place.pawl(['deny', '--last', 'c2']);
    const { code, shown } = await place.terminal(
      ['resume', '--last'],
      [
        ['Approve bash?', 'y\n'],
        ['Approve bash?', 'y\n'],
      ],
    );
    expect(code).toBe(0);
    expect(shown.match(/asks to run/g)).toHaveLength(2);
    expect(place.read('log.txt')).toBe('one\nthree\n');
  });
});
