import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAgent } from '../../src/cli/agent-file.ts';
import { hookSettings } from '../../src/cli/hook-settings.ts';
import { bash, RunPlace } from './resumes.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

/** The settings of the person. */
function settings(content: object | string): string {
  const folder = path.join(place.home, '.config', 'pawl');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'settings.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const agent = (hooks: object) => parseAgent('/a.md', `---\nhooks: ${JSON.stringify(hooks)}\n---\n`);
const ls = bash('echo ran >> ran.txt; echo out');
const results = async (run: string) => (await place.pawl(['log', run, '--json'])).stdout;

describe('hooks in the settings of the person', () => {
  it('are asked before calls: what they deny does not run, and the model and the person are told why', async () => {
    settings({
      hooks: {
        beforeCall: [
          { name: 'guard', tools: ['bash'], command: 'cat >> seen.json; echo "not on Fridays" >&2; exit 2' },
        ],
      },
    });
    place.write('s.json', [ls, { text: 'done' }]);
    const { code, stderr } = await place.pawl(['run', '--script', 's.json', '--yes', 'the task']);
    expect(code).toBe(0);
    expect(stderr).toContain('refused: Denied by the hook guard: not on Fridays');
    expect(stderr).toContain('1 denied');
    expect(place.has('ran.txt')).toBe(false);
    const id = place.ids[0] ?? '';
    expect(JSON.parse(place.read('seen.json'))).toMatchObject({
      hook: 'beforeCall',
      run_id: id,
      tool: 'bash',
    });
    expect(await results(id)).toContain('"rule":"hook guard"');
    // The verdict is a fact: nobody is asked again.
    settings({});
    expect((await place.pawl(['replay', id])).code).toBe(0);
  });

  it('are asked after calls, also by the process that goes on: what they say stands behind the result', async () => {
    settings({
      hooks: {
        afterCall: [
          {
            name: 'lint',
            tools: ['write_*'],
            command: 'grep -q WIP a.txt && echo "line 1: WIP" && exit 2 || exit 0',
          },
        ],
      },
    });
    const write = (content: string) => ({
      calls: [{ name: 'write_file', input: { path: 'a.txt', content } }],
    });
    const { run_id } = await place.run([write('WIP'), write('fine'), { text: 'done' }]);
    expect((await results(run_id)).match(/\[The hook lint says: line 1: WIP\]/g)).toHaveLength(1);
    place.write('more.json', [write('WIP again'), { text: 'done' }]);
    await place.resume(run_id, '--yes', '--script', 'more.json', 'more');
    expect((await results(run_id)).match(/\[The hook lint says: line 1: WIP\]/g)).toHaveLength(2);
  });

  it('fail closed where they fail or take too long', async () => {
    settings({
      hooks: {
        beforeCall: [
          { name: 'slow', tools: ['run_main'], command: 'sleep 30', timeout: 1 },
          { command: 'exit 1' },
        ],
      },
    });
    const { run_id } = await place.run([ls, { calls: [{ name: 'run_main', input: {} }] }, { text: 'done' }]);
    const log = await results(run_id);
    expect(log).toContain('Denied: the hook exit 1, which decides about such calls, failed (exit code 1)');
    expect(log).toContain(
      'Denied: the hook slow, which decides about such calls, failed (it took longer than 1 s)',
    );
    expect(place.has('ran.txt')).toBe(false);
  });

  it('are told how a run has ended, of the statuses that they name; what they say is an error of the run', async () => {
    const hooks = {
      afterRun: [
        { name: 'escalate', statuses: ['max_turns'], command: 'cat >> ended.jsonl' },
        { name: 'mourn', command: 'echo "nobody is there" >&2; exit 2' },
        { name: 'broken', statuses: ['max_turns'], command: 'exit 7' },
      ],
    };
    settings({ hooks });
    const limited = await place.run([ls, { text: 'so far' }], ['--yes', '--max-turns', '1']);
    expect(JSON.parse(place.read('ended.jsonl'))).toEqual({
      ...{ hook: 'afterRun', run_id: limited.run_id, workspace: place.folder, task: 'the task' },
      ...{ status: 'max_turns', exit_code: 10, result: 'so far', num_turns: 1, errors: [] },
    });
    expect(limited).toMatchObject({
      ...{ status: 'max_turns', exit_code: 10 },
      errors: ['The hook mourn says: nobody is there', 'The hook broken failed: exit code 7'],
    });
    const answered = await place.resumed(
      limited.run_id,
      '--max-turns',
      '+1',
      '--script',
      place.write('more.json', [{ text: 'done' }]),
    );
    expect(answered).toMatchObject({ status: 'answered', errors: ['The hook mourn says: nobody is there'] });
    expect(place.read('ended.jsonl').split('\n')).toHaveLength(2);
  });

  it('that lie in a project are not run', async () => {
    const hooks = { beforeCall: [{ command: 'touch pwned' }] };
    mkdirSync(place.file('.pawl'));
    writeFileSync(place.file('.pawl/settings.json'), JSON.stringify({ hooks }));
    await place.pawl(['run', '--script', place.write('s.json', [ls, { text: 'done' }]), '--yes', 'the task']);
    expect(place.has('pwned')).toBe(false);
  });
});

describe('settings of hooks', () => {
  it('come from the person, then from the agent file', async () => {
    settings({ permissions: { deny: [] }, hooks: { beforeCall: [{ name: 'a', command: 'true' }] } });
    const { beforeCall, afterCall } = await hookSettings(
      { HOME: place.home },
      agent({
        beforeCall: [{ name: 'b', command: 'true', tools: ['bash'], timeout: '90s' }],
        afterCall: [{ command: `echo ${'x'.repeat(100)}` }],
      }),
    );
    expect(beforeCall).toMatchObject([{ name: 'a' }, { name: 'b', tools: ['bash'], timeoutMs: 90_000 }]);
    expect(afterCall?.map(({ name }) => name.length)).toEqual([60]);
  });

  it('lie where the XDG specification says', async () => {
    const folder = path.join(place.base, 'xdg', 'pawl');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'settings.json'),
      JSON.stringify({ hooks: { afterCall: [{ command: 'true' }] } }),
    );
    const at = (XDG_CONFIG_HOME: string) => hookSettings({ HOME: place.home, XDG_CONFIG_HOME }, undefined);
    expect((await at(path.join(place.base, 'xdg'))).afterCall).toHaveLength(1);
    expect((await at('xdg')).afterCall).toEqual([]);
  });

  it.each([
    ['{', /is no JSON/],
    ['[]', /is not valid: it must be an object/],
    [{ hooks: { before: [] } }, /hooks has the unknown key "before"/],
    [{ hooks: { beforeCall: {} } }, /hooks\.beforeCall must be a list of hooks/],
    [{ hooks: { beforeCall: [{ comand: 'x' }] } }, /hooks\.beforeCall\.0\.command must be a text/],
    [
      { hooks: { beforeCall: [{ command: 'x', on: 'bash' }] } },
      /hooks\.beforeCall\.0 has the unknown key "on"/,
    ],
    [{ hooks: { beforeCall: [{ command: ' ' }] } }, /command must not be empty/],
    [{ hooks: { afterCall: [{ command: 'x', tools: [] }] } }, /tools must name a tool/],
    [{ hooks: { afterRun: [{ command: 'x', tools: ['bash'] }] } }, /has the unknown key "tools"/],
    [{ hooks: { afterRun: [{ command: 'x', statuses: ['ended'] }] } }, /statuses\.0 must be of answered, /],
    [{ hooks: { afterCall: [{ command: 'x', timeout: 'soon' }] } }, /timeout must be a time/],
  ])('that cannot work stop the start: %j', async (content, expected) => {
    const file = settings(content);
    await expect(hookSettings({ HOME: place.home }, undefined)).rejects.toThrow(expected);
    await expect(hookSettings({ HOME: place.home }, undefined)).rejects.toThrow(file);
  });

  it('in an agent file are checked as well', () => {
    expect(() => agent({ beforeCall: [{ command: 'x', on: 'bash' }] })).toThrow(
      /hooks\.beforeCall\.0 has the unknown key "on"/,
    );
  });
});

describe('a limit of the agent file on the calls of a tool', () => {
  it('is held, over a resume too', async () => {
    place.write('a.md', '---\nlimits: { tools: { bash: 2 } }\npermissions: { allow: [bash] }\n---\n');
    const { run_id } = await place.run([ls, ls, ls, { text: 'done' }], ['--agent', 'a.md']);
    expect(place.read('ran.txt')).toBe('ran\nran\n');
    expect(await results(run_id)).toContain('this run may make 2 calls of bash, and has made them');
    place.write('more.json', [ls, { text: 'done' }]);
    await place.resume(run_id, '--yes', '--script', 'more.json', 'more');
    expect(place.read('ran.txt')).toBe('ran\nran\n');
  });

  it('must be of a tool that there is, and a number', async () => {
    const start = (limits: string) => {
      place.write('a.md', `---\nlimits: { tools: ${limits} }\n---\n`);
      return place.pawl([
        'run',
        '--script',
        place.write('s.json', [{ text: 'x' }]),
        '--agent',
        'a.md',
        'task',
      ]);
    };
    const [unknown] = [await start('{ bsh: 2 }')];
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(/limits\.tools: there is no tool "bsh"/),
    ]);
    expect((await start('{ bash: many }')).stderr).toMatch(/limits\.tools\.bash must be a whole number/);
  });
});
