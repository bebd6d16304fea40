import { describe, expect, it } from 'vitest';
import { type ContextEdit, contextManagement, EDIT_BETAS } from '../../src/model/context-edits.ts';
import { countBytes, requestBytes } from '../../src/model/wire.ts';
import { modelRequest } from '../helpers/model-request.ts';
import { betaViolations } from '../helpers/strict-betas.ts';

const CLEAR = { type: 'clear_tool_uses_20250919' };
const COMPACT = { type: 'compact_20260112' };
const header = EDIT_BETAS.join(',');

describe('edits that the service makes', () => {
  it.each<[string, readonly ContextEdit[], readonly object[]]>([
    ['claude-sonnet-5-5', ['clear', 'compact'], [CLEAR, COMPACT]],
    ['a-model-of-tomorrow', ['compact'], [COMPACT]],
    ['claude-haiku-4-5-20251001', ['clear', 'compact'], [CLEAR]],
  ])('are asked for as far as the model has them: %s, %j', (model, edits, sent) => {
    expect(contextManagement(model, edits)).toEqual({ context_management: { edits: sent } });
  });

  it('are not asked for where the model has none of them, or nobody wants them', () => {
    expect(contextManagement('claude-opus-4-5', ['compact'])).toEqual({});
    expect(contextManagement('claude-opus-5', [])).toEqual({});
  });

  it('are counted as they are sent', () => {
    const options = { contextEdits: ['clear', 'compact'] } as const;
    for (const bytes of [requestBytes(modelRequest(), options), countBytes(modelRequest(), options)])
      expect(JSON.parse(bytes.toString('utf8')).context_management).toEqual({ edits: [CLEAR, COMPACT] });
  });
});

describe('the strict server takes edits and their summaries only as the service does', () => {
  const summary = (content: unknown) => ({
    messages: [{ role: 'assistant', content: [{ type: 'compaction', content }] }],
  });
  it.each<[string, object, string | undefined, string]>([
    ['without a beta', { context_management: { edits: [CLEAR] } }, undefined, 'Extra inputs'],
    ['of another beta', { context_management: { edits: [COMPACT] } }, EDIT_BETAS[0], "'compact_20260112'"],
    ['that it does not know', { context_management: { edits: [{ type: 'shrink' }] } }, header, "'shrink'"],
    ['twice', { context_management: { edits: [CLEAR, CLEAR] } }, header, 'named twice'],
    ['without a list', { context_management: {} }, header, 'Field required'],
    [
      'in another order',
      { context_management: { edits: [CLEAR, { type: 'clear_thinking_20251015' }] } },
      header,
      'must be the first',
    ],
    [
      'that the model lacks',
      { model: 'claude-haiku-4-5', context_management: { edits: [COMPACT] } },
      header,
      'not supported',
    ],
    ['in the history without a beta', summary('so far'), EDIT_BETAS[0], "'compaction'"],
    ['in the history, emptied', summary(''), header, 'non-empty'],
  ])('%s', (_, body, betas, words) => {
    expect(betaViolations(body, betas).join()).toContain(words);
  });

  it('and takes what is right', () => {
    const right = { ...summary(null), context_management: { edits: [CLEAR, COMPACT] } };
    expect(betaViolations(right, header)).toEqual([]);
  });
});
