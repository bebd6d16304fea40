/** The commands for runs of an engine, as people call them. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../field/support.ts';
import { hasBubblewrap } from '../helpers/bubblewrap.ts';
import { EnginePlace } from '../helpers/engine-place.ts';
import { freePorts } from '../helpers/restate-server.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const call = (command: string, id = 'call_1') => ({ calls: [{ name: 'bash', id, input: { command } }] });
const script = (place: EnginePlace, ...replies: readonly object[]) => place.write('s.json', replies);

/** As in `pawl submit`, unconfined. */
const submit = (place: EnginePlace, ...words: readonly string[]) =>
  place.pawl(['submit', '--sandbox', 'off', '--script', 's.json', ...words]);
const at = (place: EnginePlace) => ['--restate', place.engine.url];

async function waiting(place: EnginePlace, runId: string): Promise<void> {
  for (let tries = 0; !(await place.engineRun(runId)).glance?.isWaiting; tries += 1) {
    if (tries > 200) throw new Error('the run does not wait');
    await sleep(50);
  }
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function base58(bytes: Uint8Array): string {
  let [rest, text] = [BigInt(`0x${Buffer.from(bytes).toString('hex')}`), ''];
  for (; rest > 0n; rest /= 58n) text = (DIGITS[Number(rest % 58n)] ?? '') + text;
  return text;
}

/** A run whose one call waits for a word, and that no worker is there for any more. */
async function waitingWithoutWorker(place: EnginePlace) {
  script(place, call('echo ran >> log.txt'), { text: 'done' });
  const worker = await place.worker();
  const runId = (await submit(place, '-C', place.folder, 'the task')).stdout.trim();
  await waiting(place, runId);
  await worker.kill();
  return { runId, worker };
}

describe('a run of an engine', () => {
  it('is submitted, shown, listed, pulled, and read like one of this machine', async () => {
    const place = await EnginePlace.open();
    script(place, { text: 'I look.', ...call('echo hi > out.txt') }, { text: 'It is done.' });
    const early = await submit(place, 'the task');
    expect(early.code).toBe(2);
    expect(early.stderr).toContain('no worker has ever served pawl-run-');
    await place.worker();
    const { code, stdout, stderr } = await submit(place, '--wait', '--yes', 'the task');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is done.\n' });
    expect(stderr).toMatch(/✓ answered · 2 turns · 1 call/);
    expect(stderr).toMatch(
      /journal at the engine; to read it: pawl pull \S+ --restate http:\/\/127\.0\.0\.1:\d+\n/,
    );

    const json = await submit(place, '--wait', '--yes', '--output-format', 'json', 'another task');
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 'answered',
      exit_code: 0,
      result: 'It is done.',
    });

    const listed = JSON.parse((await place.pawl(['runs', '--json', ...at(place)])).stdout);
    expect(listed).toMatchObject([
      { status: 'answered', num_turns: 2, task: 'another task' },
      { status: 'answered', num_turns: 2, task: 'the task' },
    ]);
    const runId = String(listed[1].run_id);
    expect((await place.pawl(['pull', runId])).stdout).toBe(`${runId}\n`);
    expect((await place.pawl(['show', runId])).stdout).toMatch(/state +answered/);
    expect((await place.pawl(['log', runId])).stdout).toMatch(/tool\.finished +bash ok/);
    const replay = await place.pawl(['replay', runId]);
    expect(replay.code).toBe(0);
    expect(replay.stdout).toContain('every decision is as it was recorded');
    script(place, { text: 'And more.' });
    const more = await place.pawl(['resume', runId, '--script', 's.json', '--yes', 'And now?']);
    expect(more.stderr).toMatch(/✓ answered/);
  });

  it('is refused where its options are wrong, and nothing of it has begun', async () => {
    const place = await EnginePlace.open();
    await place.worker();
    script(place, { text: 'never' });
    const wrong = await submit(place, '--max-turns', 'many', 'the task');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--max-turns must be a positive whole number');
    const unsaid = await place.pawl(['submit', '--wait', 'the task']);
    expect(unsaid.code).toBe(2);
    expect(unsaid.stderr).toContain('No key for the model');
    const lost = await place.pawl(['submit', '--yes', '-C', '/nonexist', 'another task']);
    expect(lost.code).toBe(2);

    const listed = JSON.parse((await place.pawl(['runs', '--json', ...at(place)])).stdout);
    expect(listed).toMatchObject([
      { status: 'rejected', task: 'another task', problem: expect.stringContaining('/nonexist') },
      { status: 'rejected', task: 'the task', problem: expect.stringMatching(/^No key for the model/) },
      { status: 'rejected', task: 'the task', problem: expect.stringContaining('--max-turns') },
    ]);
    const rejected = await place.pawl(['runs', '--status', 'rejected', ...at(place)]);
    expect(rejected.stdout.match(/ rejected /g)).toHaveLength(3);
    for (const command of ['pull', 'cancel']) {
      const { code, stdout, stderr } = await place.pawl([command, String(listed[1].run_id)]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('was rejected by a worker, and nothing of it has begun: No key for the model');
    }
    const [port] = await freePorts(1);
    const nobody = `http://127.0.0.1:${port}`;
    const unreachable = await place.pawl(['runs', '--restate', nobody, '--restate-admin', nobody]);
    expect(unreachable.code).toBe(2);
    expect(unreachable.stderr).toContain(`Restate cannot be reached at ${nobody}: ECONNREFUSED.`);
  });

  it.runIf(hasBubblewrap)(
    'has a folder of its own, and sees no other one from within its sandbox',
    async () => {
      const place = await EnginePlace.open();
      await place.worker();
      const look = call('pwd > here.txt; ls .. > around.txt; cat ../.blobs/* ../other/*');
      script(place, look, { text: 'done' });
      mkdirSync(path.join(place.workspaces, 'other'), { recursive: true });
      writeFileSync(path.join(place.workspaces, 'other', 'secret.txt'), 'of another run');
      const words = ['submit', '--wait', '--yes', '--sandbox', 'require', '--script', 's.json'];
      const { code } = await place.pawl([...words, 'the task']);
      expect(code).toBe(0);
      const [run] = await place.admin.runs(1);
      const folder = path.join(place.workspaces, run?.runId ?? '');
      expect(readFileSync(path.join(folder, 'here.txt'), 'utf8')).toBe(`${folder}\n`);
      expect(readFileSync(path.join(folder, 'around.txt'), 'utf8')).toBe(`${run?.runId}\n`);
      expect(JSON.stringify(await place.engineRecords(run?.runId ?? ''))).not.toContain('of another run');
    },
  );

  it('waits for a word on a call, which is given while no worker is up, and goes on when one is', async () => {
    const place = await EnginePlace.open();
    script(
      place,
      {
        calls: [
          ...call('echo yes >> log.txt', 'call_1').calls,
          ...call('echo no >> log.txt', 'call_2').calls,
        ],
      },
      { text: 'done' },
    );
    const worker = await place.worker();
    const runId = (await submit(place, '-C', place.folder, 'the task')).stdout.trim();
    await waiting(place, runId);
    await worker.kill();
    const asked = await place.pawl(['approvals', ...at(place)]);
    expect(asked.stdout).toContain(`pawl approve ${runId} call_1 --restate`);
    const neither = await place.pawl(['approve', runId, ...at(place)]);
    expect(neither).toMatchObject({ code: 2, stdout: '' });
    expect(neither.stderr).toContain(
      `Say which call: pawl approve ${runId} CALL --restate ${place.engine.url}`,
    );
    const wrong = await place.pawl(['approve', runId, 'call_1', '--hash', '000000000000', ...at(place)]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('is not the one that was seen');
    const denied = await place.pawl(['deny', runId, 'call_2', '--reason', 'not that', ...at(place)]);
    expect(denied.stdout).toBe('denied bash call_2\n');
    const only = await place.pawl(['deny', runId, ...at(place)]);
    expect(only.stderr).toContain(
      `pawl deny ${runId} call_1 --restate ${place.engine.url}. What waits: call_1`,
    );
    const approved = await place.pawl(['approve', runId, 'call_1', ...at(place)]);
    expect(approved.stdout).toBe('approved bash call_1\n');
    expect((await place.engineRun(runId)).state).not.toBe('completed');
    expect(place.has('log.txt')).toBe(false);
    await place.worker([], worker.port);
    await place.ended(runId);
    expect(place.read('log.txt')).toBe('yes\n');
    const records = await place.engineRecords(runId);
    expect(records).toContainEqual(
      expect.objectContaining({
        type: 'approval.denied',
        callId: 'call_2',
        content: expect.stringContaining('not that'),
      }),
    );
    expect(records.at(-1)).toMatchObject({ type: 'run.ended', status: 'answered' });
  });

  it('hears the first word on a call and no other one, also where no worker was there for any of them', async () => {
    const place = await EnginePlace.open();
    const { runId, worker } = await waitingWithoutWorker(place);
    const first = await place.pawl(['approve', runId, 'call_1', ...at(place)]);
    expect(first).toMatchObject({ code: 0, stdout: 'approved bash call_1\n' });
    for (const word of ['approve', 'deny']) {
      const late = await place.pawl([word, runId, 'call_1', ...at(place)]);
      expect(late).toMatchObject({ code: 2, stdout: '' });
      expect(late.stderr).toContain('call_1 is decided about already: the first word counts.');
    }
    expect((await place.pawl(['approvals', ...at(place)])).stderr).toContain('No call waits');
    await place.engine.kill();
    await place.engine.up();
    await place.worker([], worker.port);
    await place.ended(runId);
    expect(place.read('log.txt')).toBe('ran\n');
  });

  it('tells one of two who speak at once that it was too late', async () => {
    const place = await EnginePlace.open();
    script(place, call('echo ran >> log.txt'), { text: 'done' });
    await place.worker();
    for (let round = 0; round < 3; round += 1) {
      const runId = (await submit(place, '-C', place.folder, 'the task')).stdout.trim();
      await waiting(place, runId);
      const words = ['approve', 'deny'] as const;
      const said = await Promise.all(words.map((word) => place.pawl([word, runId, 'call_1', ...at(place)])));
      expect(said.map(({ code }) => code).sort()).toEqual([0, 2]);
      await place.ended(runId);
      const granted = said[0]?.code === 0;
      const types = (await place.engineRecords(runId)).map(({ type }) => type);
      expect(types).toContain(granted ? 'approval.granted' : 'approval.denied');
      expect(types).not.toContain(granted ? 'approval.denied' : 'approval.granted');
    }
  });

  it('that was told to end takes no word on a call any more', async () => {
    const place = await EnginePlace.open();
    const { runId, worker } = await waitingWithoutWorker(place);
    expect((await place.pawl(['cancel', runId])).code).toBe(0);
    expect((await place.pawl(['approvals', ...at(place)])).stderr).toContain('No call waits');
    const late = await place.pawl(['approve', runId, 'call_1', ...at(place)]);
    expect(late.code).toBe(2);
    expect(late.stderr).toContain('was told to end');
    await place.worker([], worker.port);
    await place.ended(runId);
    expect(place.has('log.txt')).toBe(false);
  });

  it('is cancelled in the middle of a command, which ends', async () => {
    const place = await EnginePlace.open();
    const mark = `7${process.pid}.5`;
    script(place, call(`sleep ${mark}`), { text: 'never' });
    await place.worker();
    const runId = (await submit(place, '--yes', 'the task')).stdout.trim();
    for (let tries = 0; !isAlive(`sleep ${mark}`); tries += 1) {
      if (tries > 200) throw new Error('the command has not begun');
      await sleep(50);
    }
    const { code } = await place.pawl(['cancel', runId]);
    expect(code).toBe(0);
    await place.ended(runId, 15_000);
    expect(isAlive(`sleep ${mark}`)).toBe(false);
    expect((await place.engineRecords(runId)).at(-1)).toMatchObject({
      status: 'cancelled',
      signal: 'SIGINT',
    });
    expect((await place.pawl(['cancel', runId])).stderr).toContain('has ended already');
  });

  it('goes on behind a worker that was told to stop, whose command came to its end', async () => {
    const place = await EnginePlace.open();
    script(place, call('echo begun >> log.txt; sleep 2; echo ended >> log.txt'), { text: 'done' });
    const worker = await place.worker();
    const runId = (await submit(place, '--yes', '-C', place.folder, 'the task')).stdout.trim();
    for (let tries = 0; !place.has('log.txt') && tries < 200; tries += 1) await sleep(50);
    worker.child.kill('SIGTERM');
    expect((await worker.finished).code).toBe(0);
    expect(place.read('log.txt')).toBe('begun\nended\n');
    await place.worker([], worker.port);
    await place.ended(runId);
    const records = await place.engineRecords(runId);
    expect(JSON.stringify(records)).not.toContain('outcome is unknown');
    expect(records.at(-1)).toMatchObject({ status: 'answered' });
  });

  it('is waited for while the engine is away for a moment', async () => {
    const place = await EnginePlace.open();
    script(place, call('echo begun >> log.txt; sleep 1'), { text: 'done' });
    await place.worker();
    const words = ['submit', '--wait', '--yes', '--sandbox', 'off', '--script', 's.json', '-C', place.folder];
    const { finished } = place.start([...words, 'the task']);
    for (let tries = 0; !place.has('log.txt') && tries < 200; tries += 1) await sleep(50);
    await place.engine.kill();
    await sleep(1_500);
    await place.engine.up();
    expect(await finished).toMatchObject({ code: 0, stdout: 'done\n' });
  });

  it('was answered call by call, by workers that were killed in between: each word counts once, and nothing before it is done again', async () => {
    const place = await EnginePlace.open();
    place.write('a.txt', 'seen');
    const look = { name: 'read_file', input: { path: 'a.txt' } };
    const bash = (command: string) => ({ name: 'bash', input: { command } });
    script(
      place,
      { calls: [look, bash('echo yes >> log.txt'), bash('echo no >> log.txt')] },
      { text: 'done' },
    );
    const worker = await place.worker();
    const runId = (await submit(place, '-C', place.folder, 'the task')).stdout.trim();
    await waiting(place, runId);
    await worker.kill();
    const next = await place.worker([], worker.port);
    await place.pawl(['approve', runId, 'call_2', ...at(place)]);
    await sleep(1_000);
    await next.kill();
    await place.pawl(['deny', runId, 'call_3', ...at(place)]);
    await place.worker([], worker.port);
    await place.ended(runId);
    const records = await place.engineRecords(runId);
    expect(place.read('log.txt')).toBe('yes\n');
    const decided = records.flatMap((record) =>
      'callId' in record ? [`${record.type} ${record.callId}`] : [],
    );
    expect(decided).toEqual([
      'approval.granted call_2',
      'approval.denied call_3',
      'tool.started call_1',
      'tool.finished call_1',
      'tool.started call_2',
      'tool.finished call_2',
    ]);
  });

  it('that is not over is not gone on with here: a copy of it is none of its own', async () => {
    const place = await EnginePlace.open();
    script(place, call('echo hi'), { text: 'done' });
    await place.worker();
    const runId = (await submit(place, 'the task')).stdout.trim();
    await waiting(place, runId);
    await place.pawl(['pull', runId]);
    const refused = await place.pawl(['resume', runId, '--yes']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is a copy of one that workers go on with');
    const fork = (await place.pawl(['fork', runId])).stdout.trim();
    expect((await place.pawl(['resume', fork, '--yes'])).stderr).toContain('✓ answered');
    await place.pawl(['approve', runId, 'call_1', ...at(place)]);
    await place.ended(runId);
    expect((await place.pawl(['pull', runId])).code).toBe(0);
    expect((await place.pawl(['show', runId])).stdout).toMatch(/state +answered/);
  });

  it('is done for the engine whose key the worker knows, and for nobody else', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const file = path.join(scratchFolder(), 'key.pem');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const place = await EnginePlace.open({ RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: file });
    const known = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const worker = await place.worker(['--identity', `publickeyv1_${base58(known)}`]);
    script(place, { text: 'done' });
    expect((await submit(place, '--wait', 'the task')).stdout).toBe('done\n');
    const stranger = http2.connect(`http://127.0.0.1:${worker.port}`);
    const request = stranger.request({
      ':path': '/discover',
      accept: 'application/vnd.restate.endpointmanifest.v3+json',
    });
    const [headers] = (await once(request, 'response')) as [
      http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader,
    ];
    expect(headers[':status']).toBe(401);
    stranger.destroy();
  });

  it('is followed live on the page', async () => {
    const place = await EnginePlace.open();
    script(place, call('echo hi'), { text: 'done' });
    await place.worker();
    const runId = (await submit(place, 'the task')).stdout.trim();
    await waiting(place, runId);
    const { child, finished } = place.start(['inspect', runId, '--no-open', ...at(place)], {}, 'pipe');
    const address = await new Promise<string>((resolve) =>
      child.stdout?.once('data', (data) => resolve(`${data}`.trim())),
    );
    const first = await fetch(address, { redirect: 'manual' });
    const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { origin } = new URL(address);
    const runs = await (await fetch(`${origin}/api/runs`, { headers: { cookie } })).json();
    expect(runs).toMatchObject([{ runId, status: 'suspended' }]);
    const feed = await fetch(`${origin}/api/runs/${runId}/records`, { headers: { cookie } });
    const seen: string[] = [];
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of feed.body ?? []) {
        seen.push(decoder.decode(chunk as Uint8Array, { stream: true }));
        if (seen.join('').includes('run.ended')) return;
      }
    })();
    for (let tries = 0; !seen.join('').includes('event: live') && tries < 100; tries += 1) await sleep(50);
    expect(seen.join('')).toContain('"type":"calls.reviewed"');
    expect(seen.join('')).not.toContain('approval.granted');
    await place.pawl(['approve', runId, 'call_1', ...at(place)]);
    await reading;
    expect(seen.join('')).toContain('"type":"approval.granted"');
    child.kill('SIGTERM');
    expect((await finished).code).toBe(0);
  });
});
