import { describe, expect, it } from 'vitest';
import { awaitApproval } from '../../src/actors/await-approval.ts';
import { type Gate, openGate } from '../../src/actors/gate.ts';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../src/permissions/approver.ts';
import { callOf, scopeFor } from '../helpers/job-scope.ts';
import { logOf } from '../helpers/logs.ts';
import { header, message, reply, toolUse } from '../helpers/records.ts';

const NO: ApprovalAnswer = { granted: false, reason: 'not today' };
const YES: ApprovalAnswer = { granted: true };
const CALLS = [
  callOf('a', 'mail', 'effectful', 'waiting'),
  callOf('b', 'look', 'read', 'approved'),
  callOf('c', 'mail', 'effectful', 'waiting'),
  callOf('d', 'save', 'idempotent', 'waiting'),
];

function jobWith(approver: Approver, gate: Gate = openGate) {
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
  return { run: () => awaitApproval(approver, (text) => text, log, gate)(scope), events, written, abort };
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
    expect(asked).toEqual([
      { callId: 'a', tool: 'mail', input: { to: 'A' }, effect: 'effectful' },
      { callId: 'c', tool: 'mail', input: { to: 'C' }, effect: 'effectful' },
      { callId: 'd', tool: 'save', input: { as: 'D' }, effect: 'idempotent' },
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
    async (answers: Record<string, ApprovalAnswer>) => {
      const job = jobWith(answering(answers));
      await job.run();
      const facts = Object.entries(answers).map(([callId, { granted }]) => ({
        type: granted ? 'approval.granted' : 'approval.denied',
        turn: 1,
        callId,
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
    const job = jobWith(answering({}, asked), { cross: async () => job.abort() });
    await job.run();
    expect([asked, job.written()]).toEqual([[], []]);
  });
});
