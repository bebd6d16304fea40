/** A run that was suspended twice, decided about in between and ended: cut off behind every record of it. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/decide.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { type Approver, later } from '../../src/permissions/approver.ts';
import { run } from '../../src/run.ts';
import { waitingCalls } from '../../src/waiting.ts';
import { unanswered } from '../helpers/history.ts';
import { policy, tools } from '../helpers/props.ts';
import { answeredIn, recover } from './recovery.ts';

const write = (id: string) => ({ id, name: 'write', input: { word: id } });
const REPLIES = [
  { calls: [write('a'), { id: 'l', name: 'look', input: {} }, write('b'), write('c')] },
  { calls: [write('d')] },
  { text: 'done' },
];
const granting: Approver = { ask: async () => ({ granted: true }) };

/** Who decides what: a no about b, a yes about all others, one process each. */
async function trace() {
  const requests: ModelRequest[] = [];
  const script = scriptedModel(REPLIES, 'the script');
  const client = {
    ...script,
    ask: (request: ModelRequest, how: Parameters<typeof script.ask>[1]) => {
      requests.push(request);
      return script.ask(request, how);
    },
  };
  const journal = memoryJournal(() => 0);
  await run({
    task: 't',
    model: 'm',
    workspace: '/',
    client,
    tools,
    policy,
    approver: later,
    journal,
    runId: 'r',
    now: () => 0,
    random: () => 0.5,
  });
  let { records } = journal;
  const decided = async (callId: string, granted: boolean) => {
    const next = memoryJournal(() => 0, records);
    await decide({ journal: next, records, tornBytes: 0 }, [{ callId, granted }]);
    records = next.records;
  };
  const goOn = async () => {
    const n = answeredIn(records);
    const next = await recover(records, REPLIES.slice(n), requests.slice(0, n), { approver: later });
    requests.push(...next.requests);
    records = next.records;
    return next.outcome.status;
  };
  await decided('b', false);
  await decided('a', true);
  const statuses = [await goOn()];
  await decided('c', true);
  statuses.push(await goOn());
  await decided('d', true);
  statuses.push(await goOn());
  return { records, requests, statuses };
}

const ids = (records: readonly JournalRecord[], ...types: readonly string[]): string[] =>
  records.flatMap((record) => ('callId' in record && types.includes(record.type) ? [record.callId] : []));

describe('a crash between any two records of a run that was suspended', async () => {
  const { records, requests, statuses } = await trace();

  it('(it was suspended, suspended once more in each turn, and ended)', () => {
    expect(statuses).toEqual(['suspended', 'suspended', 'answered']);
    expect(ids(records, 'tool.finished')).toEqual(['a', 'l', 'c', 'd']);
  });

  it('is recovered from: nothing is asked or run twice, and what was decided stays decided', async () => {
    // Behind the last reply it has ended.
    for (let upTo = 1; upTo <= records.length - 2; upTo += 1) {
      const prefix = records.slice(0, upTo);
      const n = answeredIn(prefix);
      const goOn = () => recover(prefix, REPLIES.slice(n), requests.slice(0, n), { approver: granting });
      const [first, second] = [await goOn(), await goOn()];
      expect({ upTo, status: first.outcome.status }).toEqual({ upTo, status: 'answered' });
      expect({ upTo, found: first.violations, open: unanswered(first.outcome.messages) }).toEqual({
        upTo,
        found: [],
        open: [],
      });
      expect(second.records).toEqual(first.records);
      const decisions = ids(first.records, 'approval.granted', 'approval.denied');
      expect({ upTo, decisions }).toEqual({ upTo, decisions: [...new Set(decisions)] });
      const finished = ids(first.records, 'tool.finished');
      expect({ upTo, finished }).toEqual({ upTo, finished: [...new Set(finished)] });
      expect(finished.includes('b')).toBe(!ids(prefix, 'approval.denied').includes('b'));
    }
  });

  it('leaves a run that is suspended again where nobody answers, with what was not decided', async () => {
    for (let upTo = 1; upTo <= records.length - 2; upTo += 1) {
      const prefix = records.slice(0, upTo);
      const n = answeredIn(prefix);
      const { outcome, records: after } = await recover(prefix, REPLIES.slice(n), requests.slice(0, n), {
        approver: later,
      });
      const decided = ids(prefix, 'approval.granted', 'approval.denied');
      const isOver = decided.includes('d');
      expect({ upTo, status: outcome.status }).toEqual({ upTo, status: isOver ? 'answered' : 'suspended' });
      const asked = n < 2 && !['a', 'b', 'c'].every((id) => decided.includes(id)) ? ['a', 'b', 'c'] : ['d'];
      const expected = isOver ? [] : asked.filter((id) => !decided.includes(id));
      expect({ upTo, waiting: outcome.waiting.map(({ callId }) => callId) }).toEqual({
        upTo,
        waiting: expected,
      });
      expect(waitingCalls(foldRecords(after))).toEqual(outcome.waiting);
    }
  });
});
