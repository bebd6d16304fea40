import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepResult } from '../../src/tools/kept-results.ts';
import { scratchFolder } from '../helpers/scratch.ts';

describe('a result that is kept whole', () => {
  it('is a file in the workspace, which its repository does not see', () => {
    const workspace = realpathSync(scratchFolder());
    const kept = keepResult(workspace, 'call_1', 'the whole');
    expect(readFileSync(path.join(workspace, kept), 'utf8')).toBe('the whole');
    expect(readFileSync(path.join(workspace, '.pawl/results/.gitignore'), 'utf8')).toBe('*\n');
    expect(keepResult(workspace, 'call_1', 'the whole')).toBe(kept);
    expect(keepResult(workspace, 'call_2', 'the whole')).not.toBe(kept);
  });

  it.each(['../../escape', '/etc/passwd', 'a\0b', 'x'.repeat(5_000)])(
    'has no name that the model made: %j',
    (id) => {
      const workspace = realpathSync(scratchFolder());
      expect(keepResult(workspace, id, 'text')).toMatch(/^\.pawl\/results\/[0-9a-f]{12}\.txt$/);
    },
  );

  it('goes nowhere where a link leads out of the workspace', () => {
    const workspace = realpathSync(scratchFolder());
    const outside = realpathSync(scratchFolder());
    mkdirSync(path.join(outside, 'results'));
    symlinkSync(outside, path.join(workspace, '.pawl'));
    expect(() => keepResult(workspace, 'call_1', 'secret')).toThrow();
    expect(readdirSync(path.join(outside, 'results'))).toEqual([]);
    expect(existsSync(path.join(outside, 'results', '.gitignore'))).toBe(false);
  });
});
