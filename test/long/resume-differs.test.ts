/** What a run that goes on tells first: what is not as it was recorded, and what becomes of open work. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, RunPlace } from '../cli/resumes.ts';
import { toolModule } from '../cli/support.ts';

let place: RunPlace;
beforeEach(() => {
  place = new RunPlace();
});
afterEach(() => place.remove());

const AGENT = '---\ntool_module: tools.mjs\n---\n';
const withTool = (fields = "run: () => 'mine!'") => {
  place.write('tools.mjs', toolModule(fields));
  place.write('a.md', AGENT);
};

describe('before the first request', () => {
  it('a tool that is gone is told, and the calls that the model still makes are answered', async () => {
    withTool();
    await place.run(
      [{ text: 'one' }, { calls: [{ name: 'mine' }] }, { when: 'no tool named "mine"', text: 'two' }],
      ['--agent', 'a.md'],
    );
    place.write('tools.mjs', 'export default [];');
    expect(await place.start(['resume', '--last', 'more']).finished).toMatchObject({
      code: 0,
      stdout: 'two\n',
      stderr: expect.stringContaining('The tool mine is gone: the model still believes in it'),
    });
  });

  it('a tool that is another one now is told: its description, its effect', async () => {
    withTool();
    await place.run([{ text: 'one' }, { text: 'two' }], ['--agent', 'a.md']);
    place.write('tools.mjs', toolModule("run: () => '', description: 'Is new.', effect: 'effectful'"));
    const { stderr } = await place.start(['resume', '--last', 'more']).finished;
    expect(stderr).toContain('The tool mine has another description now; the model keeps the recorded one.');
    expect(stderr).toContain('The tool mine is now effectful; it was recorded as read.');
  });

  it('another version of pawl is told', async () => {
    const { run_id } = await place.run([{ text: 'one' }, { text: 'two' }]);
    place.rewrite(run_id, (record) =>
      record.type === 'run.started' ? { ...record, pawl: '0.0.1' } : record,
    );
    expect(await place.resume('--last', 'more')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/The run was last worked on by pawl 0\.0\.1; this is \d+\.\d+\.\d+\./),
    });
  });

  it('a system prompt that was changed is told, and the recorded one is kept', async () => {
    place.write('a.md', '---\nname: a\n---\nBe kind.\n');
    const { run_id } = await place.run([{ text: 'one' }, { text: 'two' }], ['--agent', 'a.md']);
    place.write('a.md', '---\nname: a\n---\nBe strict.\n');
    expect((await place.resume(run_id, 'more')).stderr).toMatch(
      /The system prompt in .*a\.md has changed since/,
    );
    expect(place.records()[0]).toMatchObject({ system: 'Be kind.' });
  });

  it('a permission is told to be one of the process that had it: effects ask again', async () => {
    await place.run([{ text: 'one' }, bash('touch done.txt'), { when: '--yes', text: 'could not' }]);
    expect(await place.resume('--last', 'more')).toMatchObject({
      stdout: 'could not\n',
      stderr: expect.stringContaining('The run was started with --yes. A permission is given to one process'),
    });
    expect(place.has('done.txt')).toBe(false);
  });

  it('patterns of --redact are told to be needed again', async () => {
    await place.run([{ text: 'one' }, { text: 'two' }], ['--redact', 'hush']);
    expect((await place.resume('--last', 'more')).stderr).toContain('started with --redact');
  });

  it('nothing is told where everything is as it was', async () => {
    await place.run([{ text: 'one' }, { text: 'two' }], []);
    expect((await place.resume('--last', 'more')).stderr).not.toMatch(
      /gone|another|now|changed|started with/,
    );
  });
});

describe('open work', () => {
  it('a request that was under way is sent again, which is told', async () => {
    const id = await place.interrupted([bash('true')]);
    place.write('s.json', [bash('true'), { text: 'done' }]);
    expect(await place.resume(id, '--yes')).toMatchObject({
      stdout: 'done\n',
      stderr: expect.stringContaining('It is asked again; if a reply was on its way, it is paid for twice.'),
    });
  });

  it('a call with effects that was under way is not repeated: the person and the model are told', async () => {
    place.write('s.json', [
      bash('echo $$ > pid; echo paid >> ledger; exec sleep 30', 'call_pay'),
      { when: 'outcome is unknown', text: 'checked' },
    ]);
    const { child, finished } = place.start(['run', '--yes', '--script', 's.json', 't']);
    await place.until(() => place.has('ledger'));
    child.kill('SIGKILL');
    process.kill(Number(place.read('pid')), 'SIGKILL');
    await finished;
    expect(await place.resume('--last', '--yes')).toMatchObject({
      code: 0,
      stdout: 'checked\n',
      stderr: expect.stringContaining(
        'The call bash (call_pay) was started, and its outcome is unknown. It is not repeated; the model is told.',
      ),
    });
    expect(place.read('ledger')).toBe('paid\n');
  });
});
