import { describe, expect, it } from 'vitest';
import { appliedEdits } from '../../src/cli/applied-edits.ts';

const said = (context_management: unknown, ...content: { type: string; [field: string]: unknown }[]) =>
  appliedEdits({ content, stop_reason: 'end_turn', context_management });
const applied = (...edits: unknown[]) => said({ applied_edits: edits });

describe('what the service has done to the history', () => {
  it.each<[string, string[], string[]]>([
    [
      'results that were cleared',
      applied({ type: 'clear_tool_uses_20250919', cleared_tool_uses: 1, cleared_input_tokens: 9_000 }),
      ['cleared 1 old result (9,000 tokens)'],
    ],
    [
      'an edit that pawl does not know',
      applied({ type: 'clear_\u001b[31m', cleared_input_tokens: 1 }),
      ['made an edit, clear_\\x1b[31m (1 token)'],
    ],
    [
      'an edit without a name',
      applied({ type: { toString: 1 } }),
      ['made an edit, of a kind without a name'],
    ],
    [
      'a summary',
      said(null, { type: 'compaction', content: 'so far' }, { type: 'text', text: 'x' }),
      ['summarised the history'],
    ],
    [
      'a summary that failed',
      said(undefined, { type: 'compaction', content: null }),
      ['failed to summarise the history'],
    ],
  ])('%s', (_, words, expected) => {
    expect(words).toEqual(expected);
  });

  it.each([undefined, null, 'x', 7, [], {}, { applied_edits: null }, { applied_edits: [null, 'x'] }])(
    'is nothing where it says nothing: %j',
    (management) => {
      expect(said(management)).toEqual([]);
    },
  );
});
