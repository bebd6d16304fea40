import { describe, expect, it } from 'vitest';
import { comparable, partingOf } from '../../src/cli/trial-compare.ts';
import type { JournalRecord, RecordBody } from '../../src/journal/record.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';

const numbered = (bodies: readonly RecordBody[]): JournalRecord[] =>
  bodies.map((body, seq) => ({ seq, at: '2026-11-30T09:45:12.000Z', ...body }));

/** A run as a live service would make it: its own ids, folder and figures. */
const live = (own: string, command = 'ls', result = 'a.txt'): JournalRecord[] =>
  comparable(
    numbered([
      header({ runId: own, workspace: `/tmp/${own}` }),
      reply(1, {
        ...message(
          'tool_use',
          { type: 'thinking', thinking: '', signature: own },
          toolUse(`toolu_${own}`, 'bash', { command }),
        ),
        id: `msg_${own}`,
        usage: { input_tokens: own.length },
      }),
      finished(1, `toolu_${own}`, `/tmp/${own}/${result}`),
      recorded(1, `toolu_${own}`),
      reply(2, message('end_turn', text('done'))),
    ]),
    `/tmp/${own}`,
  );

describe('two runs of a trial', () => {
  it('are the same whatever the service and the copy of the workspace are called', () => {
    expect(partingOf(live('one'), live('another'))).toBeNull();
  });

  it.each([
    ['what the model did', live('b', 'rm x'), 1, 'message.content[1].input.command'],
    ['what came of it', live('b', 'ls', 'b.txt'), 2, 'content'],
  ])('part in %s', (_, other, record, path) => {
    expect(partingOf(live('a'), other)).toMatchObject({ record, differences: [{ path }] });
  });

  it('part where one of them ends', () => {
    expect(partingOf(live('a'), live('b').slice(0, 3))).toEqual({ record: 3, differences: [] });
  });
});
