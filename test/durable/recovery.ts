/** A run that goes on behind a prefix of its records, in memory, under the eyes of the strict rules. */
import { memoryJournal } from '../../src/journal/memory.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { ModelClient, ModelRequest } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { requestBytes } from '../../src/model/wire.ts';
import type { ResumeOptions } from '../../src/options.ts';
import { resume } from '../../src/resume.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { approver, policy, tools } from '../helpers/props.ts';
import type { Fields } from '../helpers/strict-form.ts';
import { type History, type SentReply, violations } from '../helpers/strict-rules.ts';

/** A request as it goes over the wire. */
export const wire = (request: ModelRequest): Fields => JSON.parse(requestBytes(request).toString('utf8'));

/** Judges each request by what went before it, as the service would; what is wrong with any of them is kept. */
export function judged(client: ModelClient, { requests, sent }: History, found: string[]): ModelClient {
  const history = { requests: [...requests], sent: [...sent] };
  return {
    ...client,
    async ask(request, options) {
      const body = wire(request);
      found.push(...violations(body, history));
      history.requests.push(body);
      const message = await client.ask(request, options);
      history.sent.push({ content: message.content, stop_reason: message.stop_reason } as SentReply);
      return message;
    },
  };
}

/** Requests that were answered, or failed, in these records. */
export const answeredIn = (records: readonly JournalRecord[]): number =>
  records.filter(({ type }) => ['reply.received', 'summary.received', 'attempt.failed'].includes(type))
    .length;

export const sentIn = (records: readonly JournalRecord[]): SentReply[] =>
  records.flatMap((record) =>
    record.type === 'reply.received' || record.type === 'summary.received'
      ? [{ content: record.message.content, stop_reason: record.message.stop_reason } as SentReply]
      : [],
  );

/** Names of the calls with effects that are run, each time they are. */
export const counted = (ran: string[]): readonly Tool[] =>
  tools.map((tool) => ({
    ...tool,
    run: (input, context) => {
      ran.push(tool.name);
      return tool.run(input, context);
    },
  }));

export async function recover(
  records: readonly JournalRecord[],
  replies: readonly ScriptReply[],
  before: readonly ModelRequest[],
  options: Partial<ResumeOptions> = {},
) {
  const journal = memoryJournal(() => 0, records);
  const requests: ModelRequest[] = [];
  const found: string[] = [];
  const notices: string[] = [];
  const ran: string[] = [];
  const client = scriptedModel(replies, 'the rest of the script');
  const seen: ModelClient = {
    ...client,
    ask: (request, how) => {
      requests.push(request);
      return client.ask(request, how);
    },
  };
  const outcome = await resume(
    { journal, records: [...journal.records], tornBytes: 0 },
    {
      client: judged(seen, { requests: before.map(wire), sent: sentIn(records) }, found),
      tools: counted(ran),
      policy,
      approver,
      now: () => 0,
      random: () => 0.5,
      onEvent: (event) => {
        if (event.type === 'notice') notices.push(event.text);
      },
      ...options,
    },
  );
  return { outcome, records: journal.records, requests, violations: found, notices, ran };
}
