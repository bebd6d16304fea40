import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { RunEvent } from '../../src/outcome.ts';
import { tellingRecords, USAGE_NOTICE } from '../../src/usage-notice.ts';

function told(...usages: readonly unknown[]): readonly string[] {
  const events: RunEvent[] = [];
  const tell = tellingRecords((event) => events.push(event));
  for (const usage of usages)
    tell({
      type: 'reply.received',
      message: { role: 'assistant', content: [], stop_reason: 'end_turn', usage },
    } as unknown as JournalRecord);
  tell({ type: 'run.ended' } as JournalRecord);
  return events.map((event) => (event.type === 'notice' ? event.text : event.type));
}

describe('what replies took', () => {
  const good = { input_tokens: 0, output_tokens: 7, cache_read_input_tokens: 900 };

  it.each<[string, unknown]>([
    ['there are no figures', undefined],
    ['there are none in the usage', {}],
    ['one is missing', { input_tokens: 3 }],
    ['one is negative', { ...good, output_tokens: -7 }],
    ['one is a text', { ...good, input_tokens: '12' }],
    ['one is no whole number', { ...good, input_tokens: 0.5 }],
    ['one is past all count', { ...good, input_tokens: 1e300 }],
    ['one of a cache is a text', { ...good, cache_read_input_tokens: '900' }],
    ['all are nothing', { input_tokens: 0, output_tokens: 0 }],
  ])('is told to be unknown, once and behind the reply, where %s', (_, usage) => {
    expect(told(good, usage, usage)).toEqual(['record', 'record', USAGE_NOTICE, 'record', 'record']);
  });

  it('is not spoken of where the service says it, with the figures of caches or without', () => {
    const without = { input_tokens: 3, output_tokens: 1, cache_creation_input_tokens: null };
    expect(told(good, without)).toEqual(['record', 'record', 'record']);
  });
});
