/** What the engine keeps of runs: how it grows, what is too large for it, and which version of the machines goes on with it. */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyRecords } from '../../src/journal/verify.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { RunOptions } from '../../src/options.ts';
import { later } from '../../src/permissions/approver.ts';
import { allowAll, askForEffects } from '../../src/permissions/policy.ts';
import type { RunPlace } from '../../src/restate/ingress.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { tools } from '../helpers/props.ts';
import { RestateRunner } from '../helpers/restate-runner.ts';

const [look, write] = tools as [Tool, Tool];

const optionsFor = (replies: readonly ScriptReply[], more: Partial<RunOptions> = {}): RunOptions => ({
  task: 'the task',
  model: 'a-model',
  workspace: '/',
  client: scriptedModel(replies, 'the script'),
  tools,
  policy: allowAll,
  limits: { maxTurns: 1_000, maxRepeats: null },
  ...more,
});

let runner: RestateRunner;
beforeAll(async () => {
  runner = await RestateRunner.start();
});
afterAll(() => runner?.close());

async function asked<Row>(query: string): Promise<Row[]> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(`${runner.server.admin}/query`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return (JSON.parse(text) as { rows: Row[] }).rows;
}

async function waits(place: RunPlace): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const [run] = await runner.admin.runs(1, place.runId);
    if (run?.glance?.isWaiting) return;
    if (tries > 300) throw new Error('the run does not wait');
    await sleep(50);
  }
}

const LAST_CALL = { calls: [{ name: 'write', id: 'the_write' }] };

/** Allows the last call, as it was reviewed. */
async function allow(place: RunPlace): Promise<void> {
  const reviewed = (await runner.records(place)).findLast((record) => record.type === 'calls.reviewed');
  const [verdict] = reviewed?.type === 'calls.reviewed' ? reviewed.verdicts : [];
  const { callId = '', fingerprint = '' } = verdict ?? {};
  await runner.ingress.decide(place, { callId, fingerprint, granted: true, reason: '' });
}

const asking = { policy: askForEffects, approver: later };
const round: ScriptReply = {
  text: 'x'.repeat(5_000),
  calls: [{ name: 'look', input: { word: 'y'.repeat(1_000) } }],
};

describe('what the engine keeps of a run', () => {
  it('grows with the number of its turns, and not with the square of it', async () => {
    const sizeAfter = async (turns: number) => {
      const replies = [...Array.from({ length: turns }, () => round), LAST_CALL, { text: 'done' }];
      const place = await runner.submit(optionsFor(replies, asking));
      await waits(place);
      const [state] = await asked<{ n: number }>(
        `SELECT sum(length(value)) AS n FROM state WHERE service_key = '${place.runId}'`,
      );
      const [journal] = await asked<{ n: number }>(
        `SELECT sum(sys_journal.raw_length) AS n FROM sys_journal JOIN sys_invocation ON sys_journal.id = sys_invocation.id
         WHERE sys_invocation.target_service_key = '${place.runId}'`,
      );
      return { state: state?.n ?? 0, journal: journal?.n ?? 0 };
    };
    const [less, more] = [await sizeAfter(20), await sizeAfter(40)];
    expect(less.state).toBeGreaterThan(20 * 6_000);
    expect(more.state / less.state).toBeLessThan(2.1);
    expect(less.journal).toBeGreaterThan(20 * 6_000);
    expect(more.journal / less.journal).toBeLessThan(2.1);
  });

  it('is none of what is larger than a megabyte: replies and pictures become files', async () => {
    const picture = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(3_000_000) },
    };
    const show: Tool = { ...look, name: 'show', run: async () => ({ content: [picture], isError: false }) };
    const turns = 6;
    const reply = { text: 'z'.repeat(1_500_000), calls: [{ name: 'show' }] };
    const replies = [...Array.from({ length: turns }, () => reply), { text: 'done' }];
    const place = await runner.submit(optionsFor(replies, { tools: [show] }));
    const outcome = await runner.ingress.outcome(place, AbortSignal.timeout(120_000));
    expect(outcome).toMatchObject({ status: 'answered', result: 'done' });
    const [largest] = await asked<{ n: number }>(
      `SELECT max(length(value)) AS n FROM state WHERE service_key = '${place.runId}'`,
    );
    expect(largest?.n).toBeLessThan(100_000);
    const records = await runner.records(place);
    expect(verifyRecords(records)).toBeUndefined();
    const results = records.filter(({ type }) => type === 'tool.finished');
    expect(results).toHaveLength(turns);
    expect(results[0]).toMatchObject({ content: [picture] });
    expect(readdirSync(path.join(runner.folder, 'blobs')).length).toBeGreaterThan(2);
  });

  it('may be more than a message of the engine can hold, also when another attempt has to go through all of it', async () => {
    const large = { text: 'w'.repeat(900_000), calls: [{ name: 'look' }] };
    const turns = 45;
    const replies = [...Array.from({ length: turns }, () => large), LAST_CALL, { text: 'done' }];
    const place = await runner.submit(optionsFor(replies, asking));
    await waits(place);
    await runner.leave();
    await runner.serveAgain();
    await allow(place);
    const outcome = await runner.ingress.outcome(place, AbortSignal.timeout(120_000));
    expect(outcome).toMatchObject({ status: 'answered', counters: { turns: turns + 2 } });
  });
});

describe('two versions of the machines', () => {
  it('run side by side: an old run ends on the old one, a new one on the new one', async () => {
    const next = new RestateRunner(runner.server, 'next');
    mkdirSync(next.folder, { recursive: true });
    try {
      const replies = [LAST_CALL, { text: 'done' }];
      const old = await runner.submit(optionsFor(replies, { ...asking, tools: [write] }));
      await waits(old);
      await next.serve();
      const recent = await next.submit(optionsFor([{ text: 'done' }]));
      await next.ingress.outcome(recent, AbortSignal.timeout(30_000));
      await allow(old);
      await runner.ingress.outcome(old, AbortSignal.timeout(30_000));
      expect(next.logs.join('\n')).toContain(`run ${recent.runId}: answered`);
      expect(next.logs.join('\n')).not.toContain(old.runId);
      expect(runner.logs.join('\n')).toContain(`run ${old.runId}: answered`);
      expect(runner.logs.join('\n')).not.toContain(recent.runId);
    } finally {
      await next.leave();
    }
  });

  it('do not take an address from each other while runs are bound to it', async () => {
    const old = await runner.submit(optionsFor([LAST_CALL, { text: 'done' }], asking));
    await waits(old);
    const uri = `http://127.0.0.1:${runner.port}`;
    await expect(runner.admin.register(uri, 'pawl-run-another')).rejects.toThrow(
      /of another version of pawl/,
    );
  });
});
