import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  controlPath,
  readControlFile,
  removeControlFile,
  writeControlFile,
} from '../../src/inspector/control-file.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const CONTENT = { runId: 'a-run', address: 'http://127.0.0.1:8123', token: 'secret', pid: 7 };
const journal = () => path.join(scratchFolder(), 'a-run.jsonl');

describe('the file from which a run is steered', () => {
  it('lies beside the journal, says where, and takes the place of one that a killed process left', () => {
    const file = journal();
    writeControlFile(file, { ...CONTENT, token: 'older' });
    writeControlFile(file, CONTENT);
    expect(controlPath(file)).toBe(file.replace('.jsonl', '.inspect'));
    expect(readControlFile(file)).toEqual(CONTENT);
    removeControlFile(file, { ...CONTENT, token: 'older' });
    expect(existsSync(controlPath(file))).toBe(true);
    removeControlFile(file, CONTENT);
    expect(readControlFile(file)).toBeUndefined();
  });

  it.each([
    ['of another machine', JSON.stringify({ ...CONTENT, address: 'http://evil.example:80' })],
    [
      'with more than an address',
      JSON.stringify({ ...CONTENT, address: 'http://127.0.0.1:80@evil.example' }),
    ],
    ['without a token', JSON.stringify({ ...CONTENT, token: undefined })],
    ['that is no JSON', 'nonsense'],
    ['that is too large', JSON.stringify({ ...CONTENT, more: 'x'.repeat(5_000) })],
  ])('%s is not believed', (_, content) => {
    const file = journal();
    writeFileSync(controlPath(file), content);
    expect(readControlFile(file)).toBeUndefined();
  });

  it('that is a link or a folder is not read', () => {
    const [linked, folder] = [journal(), journal()];
    const elsewhere = path.join(scratchFolder(), 'other');
    writeFileSync(elsewhere, JSON.stringify(CONTENT));
    symlinkSync(elsewhere, controlPath(linked));
    mkdirSync(controlPath(folder));
    expect([readControlFile(linked), readControlFile(folder)]).toEqual([undefined, undefined]);
    expect(readFileSync(elsewhere, 'utf8')).toContain('secret');
  });
});
