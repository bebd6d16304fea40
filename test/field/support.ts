/** Plays what happens to people: a scripted service over real HTTP, the real SDK, real tools in a folder of their own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ContentBlock, Message } from '../../machines/protocol.ts';
import {
  type Approver,
  allowAll,
  anthropicModel,
  askForEffects,
  builtinTools,
  memoryJournal,
  type RunOptions,
  type Sandbox,
} from '../../src/index.ts';
import { run } from '../helpers/runner.ts';
import { type StrictOptions, type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

export const call = (id: string, name: string, input: unknown): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const usage = { input_tokens: 100, output_tokens: 20 };
export const calls = (...content: readonly ContentBlock[]) => ({ content, stop_reason: 'tool_use', usage });
export const says = (words: string) => ({ content: [text(words)], stop_reason: 'end_turn', usage });

/** Two reads of a.txt and b.txt among thinking, and a block with fields that nobody knows. */
export const MIXED: readonly ContentBlock[] = [
  { type: 'thinking', thinking: '', signature: '' },
  text('Reading.'),
  call('toolu_e1', 'read_file', { path: 'a.txt' }),
  { type: 'redacted_thinking', data: 'b3BhcXVl' },
  { type: 'thinking', thinking: 'second thought', signature: '' },
  { ...call('toolu_e2', 'read_file', { path: 'b.txt' }), caller: { type: 'direct' }, novelty: [1, null] },
];

export interface Place {
  readonly folder: string;
  write(name: string, content: string): void;
  read(name: string): string;
}

export function place(): Place {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-field-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    write: (name, content) => writeFileSync(path.join(folder, name), content),
    read: (name) => readFileSync(path.join(folder, name), 'utf8'),
  };
}

export interface Played {
  readonly at?: Place;
  readonly approvals?: readonly boolean[];
  readonly toolTimeoutMs?: number;
  /** For a workspace. Default: none. */
  readonly sandbox?: ((workspace: string) => Sandbox) | undefined;
  readonly options?: Partial<RunOptions>;
  readonly service?: StrictOptions;
}

/** Runs a task against the replies; what needs approval is allowed, unless answers are given. */
export async function play(
  replies: Parameters<typeof startStrictServer>[0],
  { at = place(), approvals, toolTimeoutMs, sandbox, options, service }: Played = {},
) {
  const server = await startStrictServer(replies, service);
  onTestFinished(() => server.close());
  const journal = memoryJournal();
  const outcome = await run({
    task: 'look after things',
    client: anthropicModel({ apiKey: 'test-key', baseUrl: server.url }),
    model: 'claude-test',
    workspace: at.folder,
    tools: builtinTools(toolTimeoutMs === undefined ? {} : { processTimeoutMs: toolTimeoutMs }),
    policy: approvals ? askForEffects : allowAll,
    ...(approvals ? { approver: answering(approvals) } : {}),
    ...(sandbox ? { sandbox: sandbox(at.folder) } : {}),
    journal,
    random: () => 0.5,
    ...options,
  });
  return { outcome, server, at, journal, records: journal.records };
}

function answering(answers: readonly boolean[]): Approver {
  const left = [...answers];
  return {
    ask: async () =>
      left.shift()
        ? { granted: true }
        : { granted: false, reason: 'The person said no. Ask what they want.' },
  };
}

export interface SentResult {
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}

/** The results in the last message of a request, counted from 1. */
export function resultsIn(server: StrictServer, request: number): SentResult[] {
  const messages = (server.requests[request - 1]?.body.messages ?? []) as Message[];
  const content = (messages.at(-1)?.content ?? []) as readonly ContentBlock[];
  return content.filter((block) => block.type === 'tool_result') as unknown as SentResult[];
}

export const messagesIn = (server: StrictServer, request: number): Message[] =>
  (server.requests[request - 1]?.body.messages ?? []) as Message[];

/** Asks one question more in the conversation that a run left behind, of a service that remembers it. */
export async function goOn(server: StrictServer, messages: readonly Message[], question: string) {
  const next = await startStrictServer([says('still here')], { history: server.history });
  onTestFinished(() => next.close());
  const more = { type: 'text', text: question };
  const last = messages.at(-1);
  const joined: Message[] =
    last?.role === 'user'
      ? [...messages.slice(0, -1), { role: 'user', content: [...(last.content as ContentBlock[]), more] }]
      : [...messages, { role: 'user', content: [more] }];
  const body = server.requests[0]?.body ?? {};
  const response = await fetch(`${next.url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer k',
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...body, stream: false, tool_choice: undefined, messages: joined }),
  });
  return { status: response.status, body: await response.text(), violations: next.requests[0]?.violations };
}

/** So many seconds, written as no other process of tests writes them: by this a `sleep` is told from all others. */
export const mark = (seconds: number): string => `${seconds}.0${process.pid}`;

/** Whether a process whose command line holds this text is alive. */
export function isAlive(mark: string): boolean {
  const { status } = spawnSync('pgrep', ['-f', mark]);
  return status === 0;
}
