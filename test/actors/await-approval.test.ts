import { describe, expect, it } from 'vitest';
import { awaitApproval } from '../../src/actors/await-approval.ts';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../src/permissions/approver.ts';
import type { Policy } from '../../src/permissions/policy.ts';
import { Session } from '../../src/permissions/session.ts';
import { callOf, scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { header, message, reply, toolUse } from '../helpers/records.ts';

const NO = { granted: false, reason: 'not today' } as const;
const YES = { granted: true } as const;
const CALLS = [
  callOf('a', 'mail', 'effectful', 'waiting'),
  callOf('b', 'look', 'read', 'approved'),
  callOf('c', 'mail', 'effectful', 'waiting'),
  callOf('d', 'save', 'idempotent', 'waiting'),
];

const ASKS: Policy = { decide: () => ({ decision: 'ask', rule: 'effects ask' }) };

function jobWith(
  approver: Approver,
  { gate = openGate, policy = ASKS }: { gate?: Gate; policy?: Policy } = {},
) {
  const session = new Session();
  const { log, written } = logOf(
    header(),
    reply(
      1,
      message(
        'tool_use',
        toolUse('a', 'mail', { to: 'A' }),
        toolUse('b'),
        toolUse('c', 'mail', { to: 'C' }),
        toolUse('d', 'save', { as: 'D' }),
      ),
    ),
  );
  const { scope, events, abort } = scopeFor<'awaitApproval'>({ turn: 1, calls: CALLS });
  const run = { runId: 'a-run', workspace: '/somewhere' };
  const redact = (text: string) => text;
  const job = awaitApproval({ approver, policy: session.over(policy), session, run, redact, log, gate });
  return { run: () => job(scope), events, written, abort };
}

const answering = (
  answers: Readonly<Record<string, ApprovalAnswer>>,
  asked: ApprovalRequest[] = [],
): Approver => ({
  ask: async (request) => {
    asked.push(request);
    return answers[request.callId] ?? NO;
  },
});

describe('asking a person', () => {
  it('is about one call at a time, whole, in call order, and only about those that wait', async () => {
    const asked: ApprovalRequest[] = [];
    await jobWith(answering({}, asked)).run();
    const seen = (callId: string, tool: string, input: unknown, behind: number, effect = 'effectful') => {
      const fingerprint = `${callId} asked`;
      const why = { rule: 'effects ask', inEveryMode: false };
      return {
        ...why,
        callId,
        tool,
        input,
        effect,
        fingerprint,
        behind,
        runId: 'a-run',
        workspace: '/somewhere',
      };
    };
    expect(asked).toEqual([
      seen('a', 'mail', { to: 'A' }, 2),
      seen('c', 'mail', { to: 'C' }, 1),
      seen('d', 'save', { as: 'D' }, 0, 'idempotent'),
    ]);
  });

  it('waits for one answer before it asks the next question', async () => {
    let open = 0;
    let most = 0;
    const job = jobWith({
      ask: async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return YES;
      },
    });
    await job.run();
    expect(most).toBe(1);
  });

  it.each([[{ a: NO, c: YES, d: NO }], [{ a: YES, c: NO, d: YES }]])(
    'binds each answer to its call: %j',
    async (answers: Record<string, typeof YES | typeof NO>) => {
      const job = jobWith(answering(answers));
      await job.run();
      const facts = Object.entries(answers).map(([callId, { granted }]) => ({
        type: granted ? 'approval.granted' : 'approval.denied',
        turn: 1,
        callId,
        fingerprint: `${callId} asked`,
      }));
      expect(job.events).toEqual(facts);
      expect(job.written()).toEqual(
        facts.map((fact) => (fact.type === 'approval.denied' ? { ...fact, content: 'not today' } : fact)),
      );
    },
  );

  it('ends with an answer that comes after the run was cancelled: it counts for nothing', async () => {
    const job = jobWith({
      ask: async () => {
        job.abort();
        return YES;
      },
    });
    await job.run();
    expect([job.events, job.written()]).toEqual([[], []]);
  });

  it('does not begin where the run is cancelled at the gate', async () => {
    const asked: ApprovalRequest[] = [];
    const job = jobWith(answering({}, asked), { gate: { cross: async () => job.abort() } });
    await job.run();
    expect([asked, job.written()]).toEqual([[], []]);
  });

  it('goes on with the next call where one is decided later, and ends with the word that some are', async () => {
    const job = jobWith(answering({ a: YES, c: 'later', d: NO }));
    await job.run();
    expect(job.events.map((event) => [event.type, 'callId' in event && event.callId])).toEqual([
      ['approval.granted', 'a'],
      ['approval.denied', 'd'],
      ['approvals.postponed', false],
    ]);
    expect(job.written().map(({ type }) => type)).toEqual(['approval.granted', 'approval.denied']);
  });

  it('ends where the person stops the run: no further question, and the answer decides about no call', async () => {
    const asked: ApprovalRequest[] = [];
    const job = jobWith(answering({ a: YES, c: 'stop' }, asked));
    await job.run();
    expect(asked.map(({ callId }) => callId)).toEqual(['a', 'c']);
    expect(job.events.at(-1)).toEqual({ type: 'run.cancelled', signal: 'SIGINT', atQuestion: true });
    expect(job.written()).toHaveLength(1);
  });

  it.each([
    ['allowed', { decision: 'allow', rule: '--yes' }, { type: 'approval.granted', rule: '--yes' }],
    [
      'denied',
      { decision: 'deny', rule: 'no mail', reason: 'mail is off' },
      { type: 'approval.denied', rule: 'no mail', content: 'mail is off' },
    ],
  ] as const)('is spared where the rules of this process have %s the call', async (_, decision, record) => {
    const asked: ApprovalRequest[] = [];
    const policy: Policy = { decide: ({ tool }) => (tool === 'mail' ? decision : ASKS.decide({} as never)) };
    const job = jobWith(answering({}, asked), { policy });
    await job.run();
    expect(asked.map(({ callId }) => callId)).toEqual(['d']);
    expect(job.written()).toMatchObject([{ ...record, callId: 'a' }, { ...record, callId: 'c' }, {}]);
  });
});
