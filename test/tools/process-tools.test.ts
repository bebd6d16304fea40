import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { localSandbox } from '../../src/sandbox/process.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { runMainTool } from '../../src/tools/run-main.ts';
import { runPythonTool } from '../../src/tools/run-python.ts';
import { fixedSandbox, workspace } from './support.ts';

const bash = bashTool();
const python = runPythonTool();
const main = runMainTool();
const exited = { kind: 'exited', exitCode: 0 } as const;

describe('the limits of the process tools', () => {
  it.each([
    ['bash', bashTool, { command: 'true' }, 120_000, 50_000],
    ['run_python', runPythonTool, { code: 'pass' }, 30_000, 50_000],
    ['run_main', runMainTool, {}, 3_000, 2_000],
  ] as const)('of %s have defaults and can be set', async (_, create, input, timeoutMs, maxCharacters) => {
    const { call, root } = await workspace();
    const { sandbox, requests } = fixedSandbox(exited);
    await call(create(), input, { sandbox });
    await call(create({ timeoutMs: 1_500, maxCharacters: 70 }), input, { sandbox });
    expect(requests[0]).toMatchObject({ timeoutMs, maxCharacters, cwd: root });
    expect(requests[1]).toMatchObject({ timeoutMs: 1_500, maxCharacters: 70 });
    expect(create({ timeoutMs: 1_500, maxCharacters: 7_000 }).description).toMatch(
      /1\.5 s.*7,000 characters/,
    );
  });
});

describe('bash', () => {
  it('runs a command line in the workspace', async () => {
    const { call, root } = await workspace({ 'a.txt': 'a\nb\n' });
    const { text, isError } = await call(bash, { command: 'pwd; wc -l < a.txt | tr -d " "; echo oops >&2' });
    expect({ text, isError }).toEqual({ text: `exit_code=0\n${root}\n2\n[stderr]\noops\n`, isError: false });
  });

  it('says so when nothing was printed', async () => {
    const { call } = await workspace();
    expect((await call(bash, { command: 'cat' })).text).toBe('exit_code=0\n(no output)');
  });

  it('calls a failed command an error', async () => {
    const { call } = await workspace();
    const { text, isError } = await call(bash, { command: 'ls no-such-file' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^exit_code=\d\n\[stderr\]\nls: .*no-such-file/);
  });

  it('at its limit gives the output so far and leaves nothing running', async () => {
    const { call, path } = await workspace();
    const command = 'echo begun; (while :; do sleep 0.05; echo x >> beat; done) & sleep 600';
    const { text, isError } = await call(bashTool({ timeoutMs: 500 }), { command });
    expect(isError).toBe(true);
    expect(text).toMatch(/^timed out after 0\.5 s; .*\nbegun\n\[Do less/);
    const size = statSync(path('beat')).size;
    await sleep(300);
    expect(statSync(path('beat')).size).toBe(size);
  });

  it('when cancelled says that the work may be half done', async () => {
    const { call, path } = await workspace();
    const controller = new AbortController();
    const running = call(
      bash,
      { command: 'touch begun; sleep 60; touch late' },
      { signal: controller.signal },
    );
    while (!existsSync(path('begun'))) await sleep(20);
    controller.abort();
    const { text, isError } = await running;
    expect(isError).toBe(true);
    expect(text).toMatch(/^cancelled by the person .*half done/);
    expect(existsSync(path('late'))).toBe(false);
  });

  it('states what was left out of a long output', async () => {
    const { call } = await workspace();
    const { text } = await call(bash, {
      command: "printf BEGIN; head -c 24000000 /dev/zero | tr '\\0' a; printf END",
    });
    expect(text.length).toBeLessThan(50_200);
    expect(text).toMatch(
      /^exit_code=0\nBEGINa+\n\[23958200 characters left out here; the whole output is 24000008 bytes\]\na+END$/,
    );
  });

  it('says what to do with a command that is too long', async () => {
    const { call } = await workspace();
    const { text, isError } = await call(bash, { command: `echo ${'x'.repeat(3_000_000)}` });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /could not be started: .*longer than the system allows; long text belongs in a file/,
    );
  });

  it('lets no secret of pawl through', async () => {
    const { call } = await workspace();
    const environment = { ...process.env, ANTHROPIC_API_KEY: 'sk-secret', DATABASE_URL: 'postgres://secret' };
    const sandbox = localSandbox({ environment });
    const { text } = await call(bash, { command: 'env; echo PATH=$PATH' }, { sandbox });
    expect(text).toContain('PATH=/');
    expect(text).not.toMatch(/secret|ANTHROPIC|DATABASE/);
  });

  it('refuses an empty command', async () => {
    const { call } = await workspace();
    expect((await call(bash, { command: '' })).isError).toBe(true);
  });
});

describe('run_main', () => {
  it('runs main.py of the workspace', async () => {
    const { call } = await workspace({ 'main.py': 'import os, sys; print(os.getcwd(), sys.argv, "你好")' });
    expect((await call(main, {})).text).toMatch(/^exit_code=0\n\/.*\/W \['main\.py'\] 你好\n$/);
  });

  it('gives the traceback of a program that fails', async () => {
    const { call } = await workspace({ 'main.py': 'print(10 / 0)' });
    const { text, isError } = await call(main, {});
    expect(isError).toBe(true);
    expect(text).toMatch(/^exit_code=1\n\[stderr\]\nTraceback[\s\S]*ZeroDivisionError: division by zero\n/);
  });

  it('stops a program that does not end, and has what it printed', async () => {
    const { call } = await workspace({ 'main.py': 'print("begun")\nwhile True: pass' });
    const { text, isError } = await call(runMainTool({ timeoutMs: 2_000 }), {});
    expect(isError).toBe(true);
    expect(text).toMatch(/^timed out after 2 s; .*\nbegun\n/);
  });

  it('keeps 2,000 characters of a long output', async () => {
    const { call } = await workspace({ 'main.py': 'print("z " * 2500)' });
    const { text } = await call(main, {});
    expect(text.match(/z/g)?.length).toBe(999);
    expect(text).toContain('[3001 characters left out here; the whole output is 5001 bytes]');
  });

  it('says so when there is no main.py', async () => {
    const { call } = await workspace();
    const { text, isError } = await call(main, {});
    expect(isError).toBe(true);
    expect(text).toMatch(/^exit_code=2\n[\s\S]*main\.py[\s\S]*No such file/);
  });

  it.each([{ file: 'other.py' }, { args: [] }, null, [], 'main.py'])('takes no input: %j', async (input) => {
    const { call } = await workspace({ 'main.py': 'print(1)' });
    const { text, isError } = await call(main, input);
    expect(isError).toBe(true);
    expect(text).toMatch(/^Wrong input for run_main: .*It takes no keys: send \{\}\.$/);
  });
});

describe('run_python', () => {
  it('runs code in the workspace, with its modules at hand', async () => {
    const { call } = await workspace({ 'helper.py': 'value = 42' });
    const code = 'import os, helper\nprint(os.path.basename(os.getcwd()), helper.value, __name__)';
    expect((await call(python, { code })).text).toBe('exit_code=0\nW 42 __main__\n');
  });

  it('shows the line that failed', async () => {
    const { call } = await workspace();
    const { text, isError } = await call(python, { code: 'a = 1\nb = a / 0\n' });
    expect(isError).toBe(true);
    expect(text).toMatch(/line 2, in <module>\n\s+b = a \/ 0\n/);
    expect(text).toContain('ZeroDivisionError');
  });

  it('shows the code nothing of how it is run', async () => {
    const { call } = await workspace();
    const code = 'import sys\nprint(sys.argv, sorted(n for n in dir() if not n.startswith("__")))';
    expect((await call(python, { code })).text).toBe("exit_code=0\n['-c'] ['sys']\n");
  });

  it('takes code of any length and in any letters', async () => {
    const { call } = await workspace();
    const code = `text = """${'你'.repeat(200_000)}"""\nprint(len(text), text[0])`;
    expect((await call(python, { code })).text).toBe('exit_code=0\n200000 你\n');
  });

  it('finds the input closed', async () => {
    const { call } = await workspace();
    expect((await call(python, { code: 'input()' })).text).toMatch(/EOFError/);
  });

  it('stops at its limit and has what was printed until then', async () => {
    const { call } = await workspace();
    const code = 'import time\nprint("begun")\ntime.sleep(60)';
    const { text } = await call(runPythonTool({ timeoutMs: 2_000 }), { code });
    expect(text).toMatch(/^timed out after 2 s; .*\nbegun\n/);
  });

  it('leaves nothing behind, neither in the workspace nor beside it', async () => {
    const { call, root, outside } = await workspace();
    vi.stubEnv('TMPDIR', outside);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { text } = await call(python, { code: 'print(__file__)' });
    expect(text).toContain('NameError');
    expect(await readdir(root)).toEqual([]);
    expect(await readdir(outside)).toEqual(['W']);
  });

  it('takes `python` where there is no `python3`', async () => {
    const { call } = await workspace();
    const { sandbox, requests } = fixedSandbox({ kind: 'not started', reason: 'there is no program' });
    const { text, isError } = await call(python, { code: 'pass' }, { sandbox });
    expect(requests.map(({ command }) => command)).toEqual(['python3', 'python']);
    expect({ text, isError }).toMatchObject({
      isError: true,
      text: expect.stringMatching(/could not be started/),
    });
  });
});
