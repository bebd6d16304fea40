/** Replies as a model sends them: the good ones fit the conversation, and each kind of bad one is bad in its own way. */
import type { AssistantMessage, ContentBlock, ReplyKind, Usage } from '../../machines/protocol.ts';
import {
  type Block,
  type Fields,
  headOf,
  signatureOf,
  stepKey,
  stepsOf,
  turnsOf,
} from '../helpers/strict-form.ts';
import { AGAIN, TOOL_NAMES, type ToolName } from './tools.ts';
import type { MeantCall, MeantReply, World } from './world.ts';

/** What the model says when it is not to use tools; it does not always heed that. */
const SUMMARY_KINDS: Readonly<Record<ReplyKind, number>> = {
  answer: 12,
  calls: 6,
  paused: 1,
  truncated: 1,
  refused: 1,
  exhausted: 1,
  empty: 1,
  contradiction: 1,
  unknown: 1,
};

interface Said {
  readonly content: readonly ContentBlock[];
  readonly stop: string | null;
  readonly calls?: readonly MeantCall[];
}

/** The reply to a request, known to the world from here on. */
export function replyTo(world: World, body: Fields): MeantReply {
  const { random, profile } = world;
  const isSummary = body.tool_choice !== undefined;
  const kind = random.weighted(isSummary ? SUMMARY_KINDS : profile.replies);
  const { content, stop, calls = [] } = sayings[kind](world, kind === 'calls' && !isSummary);
  const before = kind === 'empty' ? [] : [...thoughts(world, body), ...serverResults(body)];
  const id = world.newName('msg');
  const { raw, usage } = usageOf(world, body, [...before, ...content]);
  const message: AssistantMessage = {
    id,
    role: 'assistant',
    content: [...before, ...content],
    stop_reason: stop,
    usage: raw,
  };
  const reply: MeantReply = { message, kind, usage, isSummary, calls, model: String(body.model) };
  world.replies.set(id, reply);
  for (const call of calls) world.calls.set(call.id, call);
  world.sent.push({ content: message.content as Block[], stop_reason: stop });
  return reply;
}

type Say = (world: World, mayRun: boolean) => Said;
const sayings: Readonly<Record<ReplyKind, Say>> = {
  answer: (world) => ({
    content: [...words(world).content, ...(world.random.chance(0.2) ? [text('')] : [])],
    stop: world.random.pick(['end_turn', 'stop_sequence']),
  }),
  calls: (world, mayRun) => ({ ...round(world, mayRun), stop: 'tool_use' }),
  paused: (world) =>
    world.random.chance(0.5)
      ? { ...words(world), stop: 'pause_turn' }
      : { content: [serverCall(world)], stop: world.random.pick(['pause_turn', 'tool_use']) },
  truncated: (world) => ({
    ...(world.random.chance(0.5) ? round(world, false) : words(world)),
    stop: 'max_tokens',
  }),
  refused: (world) => ({
    ...(world.random.chance(0.5) ? round(world, false) : words(world)),
    stop: 'refusal',
  }),
  exhausted: (world) => ({ ...words(world), stop: 'model_context_window_exceeded' }),
  empty: ({ random }) => ({
    content: random.pick<ContentBlock[]>([[], [text('  ')]]),
    stop: random.pick(['end_turn', 'pause_turn']),
  }),
  contradiction: contradiction,
  unknown: (world) => ({
    ...(world.random.chance(0.5) ? round(world, false) : words(world)),
    stop: 'compaction',
  }),
};

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const serverCall = (world: World): ContentBlock => ({
  type: 'server_tool_use',
  id: world.newName('srvtoolu'),
  name: 'web_search',
  input: {},
});
/** No two replies say the same, so that the strict rules can tell whose words come back to them. */
const words = (world: World) => ({ content: [text(world.newName('word'))] });

/** One to five calls, most of them as they should be. */
function round(world: World, mayRun: boolean): { content: ContentBlock[]; calls: MeantCall[] } {
  const { random, profile } = world;
  const content: ContentBlock[] = random.chance(0.3) ? [text('I call.')] : [];
  const calls: MeantCall[] = [];
  const isRepeated = random.chance(profile.repetition);
  for (let left = isRepeated ? 1 : random.int(1, random.pick([1, 2, 5])); left > 0; left -= 1) {
    const id = world.newName('toolu');
    const tool = isRepeated ? random.pick<ToolName>(['look', 'set']) : random.pick(TOOL_NAMES);
    // What is repeated is the same to the letter; every other call can be told from all others.
    const key = isRepeated ? AGAIN : world.newName('key');
    const flaw = isRepeated ? 'none' : random.weighted({ none: 12, name: 1, keys: 1, type: 1, empty: 1 });
    const input = { none: { key }, name: { key }, keys: { key, more: 1 }, type: [key], empty: {} }[flaw];
    const name = flaw === 'name' ? `${tool}s` : tool;
    content.push({ type: 'tool_use', id, name, input });
    calls.push({ key, id, tool, mayRun: mayRun && flaw === 'none' && tool !== 'secret' });
  }
  return { content, calls };
}

function contradiction(world: World): Said {
  const { random, books } = world;
  const said = round(world, false);
  const [first] = said.content.filter(({ type }) => type === 'tool_use');
  const withCall = (changes: Fields): Said => ({
    content: [...said.content, { ...first, type: 'tool_use', ...changes }],
    calls: said.calls,
    stop: 'tool_use',
  });
  const [usedId] = books.usedIds;
  switch (random.int(1, 6)) {
    case 1:
      return withCall({});
    case 2:
      return usedId === undefined ? withCall({ id: '' }) : withCall({ id: usedId });
    case 3:
      return { ...said, stop: random.pick(['end_turn', 'pause_turn', 'stop_sequence']) };
    case 4:
      return { ...words(world), stop: 'tool_use' };
    case 5:
      return { ...said, stop: null };
    default:
      return withCall({ id: world.newName('toolu'), name: '' });
  }
}

/** Signed over everything before it, as the service does. */
function thoughts({ random }: World, body: Fields): ContentBlock[] {
  if (!random.chance(0.15)) return [];
  const thinking = `hm ${random.int(1, 1_000)}`;
  const signature = signatureOf(headOf(body), stepsOf(body).map(stepKey), thinking);
  return [{ type: 'thinking', thinking, signature }];
}

/** The service's own tools end before anything else is said. */
function serverResults(body: Fields): ContentBlock[] {
  const last = turnsOf(body).at(-1);
  if (last?.role !== 'assistant') return [];
  const answered = new Set(last.blocks.map(({ tool_use_id }) => tool_use_id));
  return last.blocks
    .filter(({ type, id }) => type === 'server_tool_use' && !answered.has(id))
    .map(({ id }) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] }));
}

const NO_USAGE: Usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };

/** A token of this service has so many bytes, whichever they are, so that a prompt that extends another is no smaller. */
const BYTES_A_TOKEN = 8;

const tokensOf = (value: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_A_TOKEN);

export const promptTokensOf = ({ system, tools, messages }: Fields): number =>
  tokensOf({ system, tools, messages });

/** Of a reply that broke off: no more than was read, and no more than might be said. */
export const brokenUsage = ({ random }: World, body: Fields): Usage => ({
  ...NO_USAGE,
  input: promptTokensOf(body),
  output: random.int(0, Number(body.max_tokens)),
});

/** As a service counts: all that is read, as input or from the cache, and no less output than is said. */
function usageOf(
  { random }: World,
  body: Fields,
  content: readonly ContentBlock[],
): { raw: Fields | null; usage: Usage } {
  if (random.chance(0.05)) return { raw: random.pick<Fields | null>([null, {}]), usage: NO_USAGE };
  const most = body.max_tokens;
  const prompt = promptTokensOf(body);
  const cacheRead = random.int(0, prompt - 1);
  const input = prompt - cacheRead;
  const thought = random.int(1, random.pick([20, 2_000, 16_384]));
  const output = Math.min(Number(most), Math.max(thought, tokensOf({ role: 'assistant', content })));
  const raw = { input_tokens: input, cache_read_input_tokens: cacheRead, output_tokens: output };
  return { raw, usage: { ...NO_USAGE, input, cacheRead, output } };
}
