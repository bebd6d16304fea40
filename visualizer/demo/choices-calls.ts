/** What can become of calls: verdicts, words of a person, results. */
import type { Call, Verdict } from '../../machines/turn.ts';
import type { Choice, Scene } from './choices.ts';

const READS: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files']);
const digest = ({ name, id }: Call, what: string): string => `${name} ${what} ${id.replace(/_\d+_/, '_')}`;

export function reviews({ context: { turn, calls } }: Scene): Choice[] {
  const reviewed = (id: string, text: string, verdictOf: (call: Call) => Verdict): Choice => {
    const record = { type: 'calls.reviewed', turn, verdicts: calls.map(verdictOf) } as const;
    return { id, text, by: 'world', event: record, record };
  };
  const base = (call: Call) => ({ callId: call.id, fingerprint: digest(call, 'asked') });
  const effect = ({ name }: Call) => (READS.has(name) ? 'read' : 'effectful') as 'read' | 'effectful';
  return [
    reviewed('allow', 'All calls may run', (call) => ({
      ...base(call),
      verdict: 'approve',
      effect: effect(call),
    })),
    reviewed('ask', 'A person is asked', (call) => ({
      ...base(call),
      verdict: READS.has(call.name) ? 'approve' : 'ask',
      effect: effect(call),
    })),
    reviewed('refuse', 'Calls refused', (call) => ({
      ...base(call),
      verdict: 'refuse',
      reason: `There is no tool ${call.name}. Tools: read_file, write_file.`,
    })),
  ];
}

export function approvals({ context: { turn, calls } }: Scene): Choice[] {
  const call = calls.find(({ progress }) => progress === 'waiting');
  if (!call) return [];
  const granted = { type: 'approval.granted', turn, callId: call.id } as const;
  const denied = {
    type: 'approval.denied',
    turn,
    callId: call.id,
    content: 'Denied by the person: not in this file.',
  } as const;
  return [
    { id: 'grant', text: `${call.name} allowed`, by: 'person', event: granted, record: granted },
    {
      id: 'deny',
      text: `${call.name} denied`,
      by: 'person',
      event: { type: 'approval.denied', turn, callId: call.id },
      record: denied,
    },
  ];
}

export function executions({ state, context: { turn, calls } }: Scene): Choice[] {
  const running = calls.find(({ progress }) => progress === 'started');
  const waiting = calls.find(({ progress }) => progress === 'approved');
  const finished = (
    call: Call,
    id: string,
    text: string,
    content: string,
    isError: boolean,
    durationMs: number,
  ): Choice => {
    const record = {
      type: 'tool.finished',
      turn,
      callId: call.id,
      content,
      isError,
      durationMs,
      fingerprint: digest(call, id),
    } as const;
    return { id, text, by: 'world', event: record, record };
  };
  if (running)
    return [
      finished(running, 'ok', `${running.name} succeeds`, 'ok, exit code 0', false, 84),
      finished(
        running,
        'error',
        `${running.name}: error reported`,
        'ZeroDivisionError: division by zero, exit code 1',
        true,
        91,
      ),
      finished(
        running,
        'timeout',
        `${running.name}: timed out`,
        'Stopped after 30 s. Its output until then: (none)',
        true,
        30_000,
      ),
    ];
  if (waiting && state === 'executing.running') {
    const record = { type: 'tool.started', turn, callId: waiting.id } as const;
    return [{ id: 'start', text: `${waiting.name} starts`, by: 'world', event: record, record }];
  }
  return [
    { id: 'done', text: 'All calls are through', by: 'world', event: { type: 'calls.finished', turn } },
  ];
}
