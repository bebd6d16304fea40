/** Confinement on macOS, tried where it runs. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { confine } from '../../src/sandbox/confine.ts';

const isMac = process.platform === 'darwin';
// People's files are hidden by where they are, so this has to be at home.
const base = realpathSync(mkdtempSync(path.join(isMac ? homedir() : '/tmp', '.pawl-test-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const workspace = path.join(base, 'work');
mkdirSync(workspace);
writeFileSync(path.join(base, 'outside'), 'OUTSIDE');

const view = { workspace, network: false, hidden: [], environment: process.env };
const found = await confine(view, 'darwin');
if (found.by === null) console.log(`not tried here: ${found.reason}`);

describe.runIf(isMac && found.by !== null)('a program that is confined on macOS', () => {
  const bash = (command: string) => {
    if (found.by === null) throw new Error(found.reason);
    const request = { command: 'bash', args: ['-c', command], cwd: workspace };
    const limits = { timeoutMs: 10_000, maxCharacters: 1_000, signal: new AbortController().signal };
    return found.sandbox.run({ ...request, ...limits });
  };

  it('works in its workspace, with its arguments as they are', async () => {
    const { end, stdout } = await bash(`echo 'it'"'"'s "$HOME"' > a && wc -l < a; exit 3`);
    expect({ end, text: stdout.text.trim() }).toEqual({ end: { kind: 'exited', exitCode: 3 }, text: '1' });
  });

  it('reads and writes nothing of the person elsewhere', async () => {
    const { stdout } = await bash('cat ../outside; echo x > ../planted; true');
    expect(stdout.text).toBe('');
    expect(existsSync(path.join(base, 'planted'))).toBe(false);
  });
});

it.runIf(!isMac)('without the package, which is optional, the reason and the remedy name it', () => {
  expect(found).toEqual({
    by: null,
    reason: expect.stringContaining('@anthropic-ai/sandbox-runtime'),
    remedy: expect.stringContaining('npm install --global @anthropic-ai/sandbox-runtime'),
  });
});
