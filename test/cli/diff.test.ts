import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { header, message, reply, text } from '../helpers/records.ts';
import { ANSWERED, ID, Journals } from './journals.ts';
import { Place } from './support.ts';

let place: Place;
let journals: Journals;
beforeEach(() => {
  place = new Place();
  journals = new Journals(place);
  journals.put();
});
afterEach(() => place.remove());

const OTHER = 'other';
const diff = (...more: readonly string[]) => place.pawl(['diff', ID, OTHER, ...more]);

describe('two runs', () => {
  it('that are the same are told so', async () => {
    journals.put([header({ runId: OTHER, task: 'count\nthem' }), ...ANSWERED.slice(1)], OTHER);
    expect(await diff()).toEqual({ code: 0, stdout: 'The runs are the same: 8 records.\n', stderr: '' });
    expect(JSON.parse((await diff('--json')).stdout)).toMatchObject({ outcome: 'same', equal_records: 8 });
  });

  it('of which one is the beginning of the other are told so, with the record that comes next', async () => {
    journals.put(ANSWERED.slice(0, 6), OTHER);
    const { code, stdout } = await diff();
    expect(code).toBe(0);
    expect(stdout).toBe(
      `other is the beginning of ${ID}: equal up to record 5; then:\n` +
        '    6     0.0 s  reply.received    turn 2 · end_turn · 5 tokens · three\n',
    );
    expect(JSON.parse((await diff('--json')).stdout)).toMatchObject({ outcome: 'prefix', shorter: 'right' });
  });

  it('that part are shown at that record, with only the fields that differ, where they do', async () => {
    const words = 'the same words again and again '.repeat(4);
    const ending = (last: string) => reply(2, message('end_turn', text(`${words}${last}`)));
    journals.put([...ANSWERED.slice(0, 6), ending('left')]);
    journals.put([...ANSWERED.slice(0, 6), ending('right \u001b[2J')], OTHER);
    const { code, stdout } = await diff();
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('equal up to record 5; then:');
    expect(lines[1]).toMatch(/^- {3}6 .*reply\.received/);
    expect(lines[2]).toMatch(/^\+ {3}6 .*reply\.received/);
    expect(lines.slice(3)).toEqual([
      '  message.content[0].text',
      '  - …"rds again and again left"',
      '  + …"rds again and again right \\u001b[2J"',
      '',
    ]);
    expect(JSON.parse((await diff('--json')).stdout)).toMatchObject({
      outcome: 'differ',
      equal_records: 6,
      differences: [
        { path: 'message.content[0].text', left: `${words}left`, right: `${words}right \u001b[2J` },
      ],
    });
  });

  it('that differ from the first record on are told so', async () => {
    journals.put([header({ task: 'another' })], OTHER);
    expect((await diff()).stdout).toMatch(/^The runs differ from the first record on:\n/);
  });

  it('are compared as far as they are sound', async () => {
    journals.put(ANSWERED, OTHER);
    journals.damage(4, OTHER);
    const { code, stdout, stderr } = await diff();
    expect(code).toBe(50);
    expect(stdout).toContain('equal up to record 2');
    expect(stderr).toMatch(/^error: .*other\.jsonl, line 4: /);
  });
});
