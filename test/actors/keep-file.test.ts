import { describe, expect, it } from 'vitest';
import { JournalError } from '../../src/journal/journal.ts';
import type { FileChange } from '../../src/tools/tool.ts';
import { toolOf, toolStage } from './tool-stage.ts';

const change: FileChange = {
  path: 'a.txt',
  before: { content: Buffer.from('one'), mode: 0o644 },
  after: 'digest of two',
  madeFolder: 'a',
};

/** A tool that changes a file, in a run whose journal stores what files were. */
function stage() {
  const changing = toolOf('write', async (_, { keepFile }) => {
    await keepFile(change);
    story.push('change');
    return 'changed';
  });
  const made = toolStage([changing], [{ name: 'write' }]);
  const { story, log } = made;
  log.journal.keepFile = (content) => {
    story.push(`store ${Buffer.from(content)}`);
    return 'digest of one';
  };
  return made;
}

describe('what a file was', () => {
  it('is stored, noted and on the disk before the file is changed', async () => {
    const { run, story, written } = stage();
    await run();
    expect(story).toEqual([
      ...['write tool.started', 'disk', 'store one', 'write file.kept', 'disk'],
      ...['change', 'write tool.finished', 'disk'],
    ]);
    expect(written()[1]).toEqual({
      type: 'file.kept',
      turn: 1,
      callId: '1',
      path: 'a.txt',
      before: { digest: 'digest of one', mode: 0o644 },
      after: 'digest of two',
      madeFolder: 'a',
    });
  });

  it('ends the run where it cannot be noted, and nothing is changed', async () => {
    const { run, story, log } = stage();
    const save = log.save.bind(log);
    log.save = (body) =>
      body.type === 'file.kept' ? Promise.reject(new JournalError('no space left')) : save(body);
    await expect(run()).rejects.toThrow('no space left');
    expect(story).not.toContain('change');
  });

  it('that cannot be stored lets nothing be changed, and the run goes on', async () => {
    const { run, story, outcomes, log } = stage();
    log.journal.keepFile = () => {
      throw new Error('no space left');
    };
    await run();
    expect(story).not.toContain('change');
    expect(outcomes()).toMatchObject([
      { isError: true, content: expect.stringContaining('could not be kept (no space left)') },
    ]);
  });
});
