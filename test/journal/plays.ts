/** Runs of every kind, each with the status that it ends in. */
import type { RunStatus, StopStatus } from '../../machines/status.ts';
import type { CheckedPlay } from '../helpers/checked.ts';
import { approver, policy, tools } from '../helpers/props.ts';
import type { Play } from '../helpers/stage.ts';

const BUSY = { fault: { status: 529, retry_after: 0.001 } };
const look = (word: string) => ({ name: 'look', input: { word } });
const call = (name: string, word = 'x') => ({ name, input: { word } });
const ROUND = { text: 'I look.', calls: [look('a')] };
const DONE = { text: 'done' };
const usage = { input_tokens: 400, cache_read_input_tokens: 500, output_tokens: 300 };
const pause = {
  content: [{ type: 'server_tool_use', id: 's', name: 'web_search' }],
  stop_reason: 'pause_turn',
};
/** The service's own tool has its result by then. */
const CONTINUED = {
  content: [
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    { type: 'text', text: 'done' },
  ],
};
const cut = { text: 'half', calls: [look('a')], stop_reason: 'max_tokens' };

type Row = readonly [title: string, status: StopStatus, play: Pick<Play, 'replies' | 'limits'>];

const ROWS: readonly Row[] = [
  ['an answer', 'answered', { replies: [DONE] }],
  [
    'rounds of calls',
    'answered',
    {
      replies: [
        { calls: [look('a'), look('b'), call('set'), look('c'), call('fail'), call('guarded')] },
        ROUND,
        DONE,
      ],
    },
  ],
  [
    'refused calls',
    'answered',
    { replies: [{ calls: [call('nothing'), { name: 'look', input: { other: 1 } }] }, DONE] },
  ],
  ['denied calls', 'answered', { replies: [{ calls: [call('secret'), look('a')] }, DONE] }],
  [
    'approvals',
    'answered',
    {
      replies: [
        {
          calls: [look('a'), call('write', 'please'), call('write'), call('secret'), call('write', 'please')],
        },
        { calls: [call('write')] },
        DONE,
      ],
    },
  ],
  ['failures and another try', 'answered', { replies: [BUSY, BUSY, ROUND, BUSY, DONE] }],
  ['failures for good', 'model_error', { replies: [ROUND, BUSY, BUSY], limits: { maxRetries: 1 } }],
  ['a failure that no other try mends', 'model_error', { replies: [{ fault: { status: 400 } }] }],
  [
    'a prompt that is too long',
    'context_exhausted',
    { replies: [ROUND, { fault: { status: 400, message: 'prompt is too long' } }] },
  ],
  [
    'a reply cut by the context',
    'context_exhausted',
    { replies: [{ ...DONE, stop_reason: 'model_context_window_exceeded' }] },
  ],
  ['paused turns', 'answered', { replies: [ROUND, pause, pause, BUSY, CONTINUED] }],
  ['pauses without end', 'model_stopped', { replies: [pause, pause], limits: { maxPauses: 1 } }],
  ['a cut reply, then a whole one', 'answered', { replies: [cut, ROUND, cut, cut, DONE] }],
  ['a pause, a failure and a cut in one turn', 'answered', { replies: [pause, BUSY, cut, ROUND, DONE] }],
  ['replies cut for good', 'truncated', { replies: [cut, cut, cut] }],
  ['a refusal', 'refused', { replies: [{ content: [], stop_reason: 'refusal' }] }],
  ['a contradiction', 'protocol_error', { replies: [ROUND, { ...ROUND, stop_reason: 'end_turn' }] }],
  [
    'an id that was used before',
    'protocol_error',
    { replies: [1, 2].map(() => ({ calls: [{ ...look('a'), id: 'twice' }] })) },
  ],
  ['an empty reply', 'answered', { replies: [{ content: [] }, DONE] }],
  ['empty replies again and again', 'model_stopped', { replies: [ROUND, { content: [] }, { content: [] }] }],
  [
    'a refusal, and another model',
    'answered',
    { replies: [ROUND, { content: [], stop_reason: 'refusal' }, DONE], limits: { maxFallbacks: 1 } },
  ],
  [
    'a budget that is kept by asking for less',
    'token_budget',
    { replies: [{ ...ROUND, usage }, DONE], limits: { tokenBudget: 6_000 } },
  ],
  ['an unknown stop reason', 'model_stopped', { replies: [{ ...DONE, stop_reason: 'tired' }] }],
  ['the turn limit', 'max_turns', { replies: [ROUND, ROUND, DONE], limits: { maxTurns: 2 } }],
  [
    'the turn limit without a summary',
    'max_turns',
    { replies: [ROUND], limits: { maxTurns: 1, summary: false } },
  ],
  [
    'the token budget',
    'token_budget',
    { replies: [{ ...ROUND, usage }, DONE], limits: { tokenBudget: 1_000 } },
  ],
  [
    'the token budget while paused',
    'token_budget',
    { replies: [{ ...pause, usage }, CONTINUED], limits: { tokenBudget: 1_000 } },
  ],
  [
    'the limit on calls',
    'max_tool_calls',
    { replies: [ROUND, { calls: [look('b'), look('c')] }, DONE], limits: { maxToolCalls: 2 } },
  ],
  ['the same again and again', 'stuck', { replies: [ROUND, ROUND, ROUND, DONE], limits: { maxRepeats: 3 } }],
  ['a call in the summary', 'max_turns', { replies: [ROUND, ROUND], limits: { maxTurns: 1 } }],
  [
    'a summary at the second try',
    'max_turns',
    { replies: [ROUND, BUSY, BUSY, DONE], limits: { maxTurns: 1 } },
  ],
  [
    'a summary that fails',
    'max_turns',
    { replies: [ROUND, BUSY, { fault: { status: 400 } }], limits: { maxTurns: 1 } },
  ],
  ['a cut summary', 'max_turns', { replies: [ROUND, cut], limits: { maxTurns: 1 } }],
];

export const PLAYS = ROWS.map(([title, status, play]) => ({
  title,
  status,
  play: { ...play, tools, policy, approver } satisfies Play,
}));

/** Runs whose answers are checked, by a command that exits with these codes. */
export const CHECKED_PLAYS: readonly { title: string; status: RunStatus; play: CheckedPlay }[] = [
  { title: 'a check that passes', status: 'answered', play: { replies: [ROUND, DONE], codes: [0] } },
  {
    title: 'a check that passes at the second try',
    status: 'answered',
    play: { replies: [DONE, { calls: [call('set'), call('write', 'please')] }, DONE], codes: [1, 0] },
  },
  {
    title: 'a check that fails to the last',
    status: 'unverified',
    play: { replies: [DONE, ROUND, DONE, DONE], codes: [1, 2, 3] },
  },
  {
    title: 'a repair that the turn limit ends',
    status: 'max_turns',
    play: { replies: [ROUND, DONE, DONE], codes: [1], limits: { maxTurns: 2 } },
  },
  {
    title: 'a repair with failures, a pause and an empty reply',
    status: 'answered',
    play: { replies: [DONE, BUSY, pause, CONTINUED, { content: [] }, DONE], codes: [1, 1] },
  },
];
