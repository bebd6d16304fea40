import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JournalCorrupt } from '../../src/journal/journal.ts';
import { GENESIS } from '../../src/journal/line.ts';
import { readJournal } from '../../src/journal/read.ts';
import { RECORD_VERSION, type RecordBody } from '../../src/journal/record.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';
import { journalFile, linesOf } from './lines.ts';

const BODIES: readonly RecordBody[] = [
  header(),
  reply(1, message('tool_use', toolUse('a'))),
  finished(1, 'a', 'seen: é 𝄞'),
  recorded(1, 'a'),
  reply(2, message('end_turn', text('done'))),
];
const LINES = linesOf(BODIES);
const [first = '', second = '', third = '', fourth = '', fifth = ''] = LINES;

const damageOf = (content: string | Uint8Array): Promise<JournalCorrupt> =>
  readJournal(journalFile(content)).then(
    () => expect.fail('the damage was not noticed'),
    (error) => (error instanceof JournalCorrupt ? error : Promise.reject(error)),
  );

describe('reading a journal', () => {
  it('gives every record, without the checksums', async () => {
    const { records, tornBytes } = await readJournal(journalFile(LINES.join('')));
    expect(tornBytes).toBe(0);
    expect(records).toEqual(BODIES.map((body, seq) => ({ seq, at: '2026-11-30T09:45:12.000Z', ...body })));
  });

  it.each([
    ['a changed byte', [first, second.replace('"look"', '"lock"'), third, fourth, fifth], 2, 'bad-checksum'],
    ['a changed checksum', [first, second.replace(/"sum":"./, '"sum":"x'), third, fourth], 2, 'bad-checksum'],
    ['a changed header', [first.replace('the task', 'the tusk'), second, third], 1, 'bad-checksum'],
    ['a lost line', [first, third, fourth, fifth], 2, 'bad-checksum'],
    ['a lost header', [second, third, fourth, fifth], 1, 'bad-checksum'],
    ['a doubled line', [first, second, second, third, fourth, fifth], 3, 'bad-checksum'],
    ['swapped lines', [first, third, second, fourth, fifth], 2, 'bad-checksum'],
    [
      'a line of another journal',
      [first, ...linesOf([header({ task: 'another' }), ...BODIES.slice(1)]).slice(1)],
      2,
      'bad-checksum',
    ],
    ['a line that is no record', [first, 'what is this?\n', third, fourth], 2, 'bad-json'],
    ['an empty line', [first, '\n', second, third, fourth], 2, 'bad-json'],
    [
      'a line filled with zeros',
      [first, `${'\0'.repeat(second.length - 1)}\n`, third, fourth],
      2,
      'bad-json',
    ],
    ['two lines run together', [first, second.trimEnd(), third, fourth, fifth], 2, 'bad-checksum'],
    ['a wrong number', linesOf(BODIES, (place) => (place === 2 ? 7 : place)), 3, 'bad-sequence'],
  ] as const)('%s is found at its line, with the good part before it', async (_, lines, line, reason) => {
    const damage = await damageOf(lines.join(''));
    expect(damage).toMatchObject({ line, reason });
    expect(damage.message).toContain(`line ${line}:`);
    expect(damage.records.map(({ seq }) => seq)).toEqual(Array.from({ length: line - 1 }, (_, seq) => seq));
  });

  describe('a decision of a person', () => {
    const asked: RecordBody = {
      type: 'calls.reviewed',
      turn: 1,
      verdicts: [{ callId: 'a', verdict: 'ask', effect: 'effectful', fingerprint: 'as seen' }],
    };
    const decision = (callId: string, fingerprint?: string): RecordBody => ({
      type: 'approval.granted',
      turn: 1,
      callId,
      ...(fingerprint !== undefined && { fingerprint }),
    });
    const journalWith = (record: RecordBody) =>
      linesOf([...BODIES.slice(0, 2), asked, record, ...BODIES.slice(2)]).join('');

    it('that fits the call is read, and so is one of before, which says nothing of it', async () => {
      for (const record of [decision('a', 'as seen'), decision('a')])
        expect((await readJournal(journalFile(journalWith(record)))).records).toHaveLength(7);
    });

    it.each([
      ['of another input', decision('a', 'another')],
      ['of a call that was not judged', decision('b', 'as seen')],
      ['that is a no', { ...decision('a', 'another'), type: 'approval.denied', content: 'no' } as RecordBody],
    ])('%s is damage', async (_, record) => {
      const damage = await damageOf(journalWith(record));
      expect(damage).toMatchObject({ line: 4, reason: 'foreign-decision' });
      expect(damage.records).toHaveLength(3);
    });
  });

  it('nonsense under a checksum that fits is named, too', async () => {
    const sum = createHash('sha256').update(`${GENESIS}{`).digest('hex').slice(0, 16);
    const nonsense = `{"sum":"${sum}",\n`;
    expect(await damageOf(nonsense + second)).toMatchObject({ line: 1, reason: 'bad-json' });
  });

  it('bytes that are no text are damage even where the text stays the same', async () => {
    const bytes = Buffer.from(linesOf([header({ task: '\ufffd' }), ...BODIES.slice(1)]).join(''));
    const at = bytes.indexOf('\ufffd');
    bytes[at] = 0xf0;
    expect(bytes.toString('utf8', at, at + 3)).toBe('\ufffd');
    expect(await damageOf(bytes)).toMatchObject({ line: 1, reason: 'bad-checksum' });
  });

  it('any changed byte in front of the last line is noticed', async () => {
    const someText = fc.string({ unit: 'grapheme', maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(someText, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (words, place, difference) => {
          const lines = linesOf([
            header(),
            ...words.map((word, at) => finished(1, `${at}`, word)),
            recorded(1),
          ]);
          const bytes = Buffer.from(lines.join(''));
          const at = place % (bytes.length - Buffer.byteLength(lines.at(-1) ?? ''));
          bytes[at] = (bytes[at] ?? 0) ^ difference;
          const read = await readJournal(journalFile(bytes)).catch((error: unknown) => error);
          if (read instanceof JournalCorrupt) return;
          // The end of the line before the last: both are left out as what a crash left, and that is said.
          expect(at).toBe(Buffer.byteLength(lines.slice(0, -1).join('')) - 1);
          expect(read).toMatchObject({ tornBytes: Buffer.byteLength(lines.slice(-2).join('')) });
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a torn end', () => {
  it.each([1, 10, 100])('of %i missing bytes is left out, and its rest is counted', async (missing) => {
    const bytes = Buffer.from(LINES.join(''));
    const { records, tornBytes } = await readJournal(journalFile(bytes.subarray(0, bytes.length - missing)));
    expect(records).toHaveLength(4);
    expect(tornBytes).toBe(Buffer.byteLength(fifth) - missing);
  });

  it('may be a whole line whose content did not reach the disk', async () => {
    const zeros = `${'\0'.repeat(50)}\n`;
    const { records, tornBytes } = await readJournal(journalFile([first, second, zeros].join('')));
    expect(records).toHaveLength(2);
    expect(tornBytes).toBe(51);
  });

  it.each([
    ['zeros at its end', `${second.slice(0, 60)}${'\0'.repeat(second.length - 61)}\n`],
    ['zeros in its middle', `${second.slice(0, 60)}${'\0'.repeat(20)}${second.slice(80)}`],
    ['what stood on the disk before', 'export const a = 1;\n'],
    ['nothing', '\n'],
  ])('may be a line that is no record any more: %s', async (_, torn) => {
    const { records, tornBytes } = await readJournal(journalFile(first + torn));
    expect(records).toHaveLength(1);
    expect(tornBytes).toBe(torn.length);
  });

  it.each([
    ['another checksum', [first, second.replace(/"sum":"./, '"sum":"x')], 'bad-checksum'],
    ['a changed text', [first, second.replace('"look"', '"lock"')], 'bad-checksum'],
    ['a doubled line', [first, second, second], 'bad-checksum'],
    ['a lost line before it', [first, third], 'bad-checksum'],
    ['another number', linesOf(BODIES.slice(0, 2), (place) => place * 7), 'bad-sequence'],
    ['JSON from elsewhere', [first, '{"level":"info"}\n'], 'bad-json'],
  ] as const)('is no whole line that does not follow, which is damage: %s', async (_, lines, reason) => {
    const damage = await damageOf(lines.join(''));
    expect(damage).toMatchObject({ reason, line: lines.length });
    expect(damage.records).toHaveLength(lines.length - 1);
  });

  it('is no excuse for damage before it', async () => {
    const content = [first, second.replace('look', 'lock'), third.slice(0, 20)].join('');
    expect(await damageOf(content)).toMatchObject({ line: 2, reason: 'bad-checksum' });
  });
});

describe('a journal that cannot be used', () => {
  it.each([
    ['an empty file', '', 'empty'],
    ['a file full of zeros', '\0'.repeat(4_096), 'empty'],
    ['a line full of zeros', `${'\0'.repeat(400)}\n`, 'empty'],
    ['a torn header', first.slice(0, 40), 'empty'],
    ['a header of a few bytes', first.slice(0, 3), 'empty'],
    ['a text that somebody wrote', 'of value', 'bad-json'],
    ['a line that somebody wrote', 'of value\n', 'bad-json'],
    ['a first record that is no header', linesOf([recorded(1), recorded(2)]).join(''), 'no-header'],
    ['a damaged header that is all there is', first.replace('task', 'tusk'), 'bad-checksum'],
  ])('%s is named', async (_, content, reason) => {
    expect(await damageOf(content)).toMatchObject({ line: 1, reason, records: [] });
  });

  it('says of a run that never began that its file can be deleted, and of nothing else', async () => {
    for (const content of ['', '\0\0\0', first.slice(0, 40)])
      expect((await damageOf(content)).message).toMatch(/never began, and the file can be deleted$/);
    for (const content of ['of value', 'of value\n', first.replace('task', 'tusk'), first.trimEnd() + second])
      expect((await damageOf(content)).message).not.toContain('deleted');
  });

  it('a newer version is named together with the pawl that wrote it', async () => {
    const damage = await damageOf(linesOf([header({ version: RECORD_VERSION + 1, pawl: '9.1.0' })]).join(''));
    expect(damage.reason).toBe('newer-version');
    expect(damage.message).toMatch(/newer pawl \(9\.1\.0\)/);
  });

  it('a newer version that went on with the run is named, with the good part before it', async () => {
    const { limits, workspace } = header();
    const resumed: RecordBody = {
      type: 'run.resumed',
      version: RECORD_VERSION + 1,
      pawl: '9.1.0',
      workspace,
      limits,
      instruction: null,
    };
    const damage = await damageOf(linesOf([header(), resumed]).join(''));
    expect(damage).toMatchObject({ reason: 'newer-version', line: 2 });
    expect(damage.records).toHaveLength(1);
  });

  it('version 1 is read as if what it did not know yet had been there without effect', async () => {
    const { fallbackModel: _, limits, ...old } = header({ version: 1 });
    const { timeoutMs: __, maxFallbacks: ___, ...oldLimits } = limits;
    const results = { type: 'results.recorded', turn: 1, callIds: [] };
    const later = { ...results, turn: 2, notice: 'by a later pawl' };
    const file = journalFile(
      linesOf([{ ...old, limits: oldLimits }, results, later] as unknown as RecordBody[]).join(''),
    );
    expect((await readJournal(file)).records).toMatchObject([
      { fallbackModel: null, limits: { timeoutMs: null, maxFallbacks: 0 } },
      { notice: null },
      { notice: 'by a later pawl' },
    ]);
  });

  it('a missing file is the error of the system', async () => {
    await expect(readJournal('/nowhere/a-run.jsonl')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
