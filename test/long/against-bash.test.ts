// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands
/** The analysis against what bash really does: where a text is allowed, no program runs that is not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted, surrounded } from '../permissions/shells.ts';
import { decisionOn, folderWith } from '../permissions/support.ts';

const ALLOWED =
  'ls echo true cat test [ read printf export env bash sh eval xargs timeout nohup command exec trap set find declare local unset let f . sudo builtin setsid stdbuf nice'.split(
    ' ',
  );
const allow = [...ALLOWED.map((name) => `bash(${name} *)`), 'bash(A=*)', 'write_file', 'read_file'];

/** Texts in which the program is a word, a comment, a part of a text, or a command: not each of them runs it. */
const NEAR = fc.constantFrom(
  ...[
    'echo touch',
    '"touch"',
    "echo 'touch'",
    '# touch',
    'x=touch',
    'x=touch; $x',
    'ls # touch',
    'echo \\; touch',
  ],
  ...[
    "cat <<'E'\ntouch\nE\n",
    'cat <<E\ntouch\nE\n',
    'ls \\\ntouch',
    'echo a\\ntouch',
    '[[ a == touch ]]',
    'set -e',
  ],
  ...[
    'x=\'touch\'; eval "$x"',
    '{echo,touch}',
    'echo {a,touch}',
    '!(touch)',
    'echo "${x-touch}"',
    '${x-touch}',
    'f() { touch; }',
    'ls\rtouch',
  ],
  ...[
    "x='a[$(touch)]'; echo $((x))",
    'x=\'a[$(touch)]\'; test -v "$x"',
    "x='a[$(touch)]'; declare -n y=$x; echo $y",
    "x='$(touch)'; echo ${x@P}",
  ],
  ...[
    'bash <<< touch',
    'echo touch | bash',
    'time -v touch',
    'ls &>touch',
    'echo $"touch"',
    '[[ a && touch ]]',
    '((touch))',
    'sudo -- touch',
  ],
);
/** Letters that matter to the shell, anywhere. */
const TORN = fc
  .tuple(
    surrounded(NEAR, 3),
    fc.nat(),
    fc.constantFrom(...['"', "'", '\\', '$(', ')', '`', '\n', ';', '#', '}', '<<E\n', '(', '&']),
  )
  .map(([text, at, letter]) => text.slice(0, at % text.length) + letter + text.slice(at % text.length));

describe('a text that is allowed', () => {
  it('does not make bash run what is not', async () => {
    const folder = folderWith({
      'bin/touch': '#!/bin/sh\necho > "$MARK"\n',
      'bin/ls': '#!/bin/sh\n',
      'w/x': '',
    });
    for (const name of ['touch', 'ls']) chmodSync(path.join(folder, 'bin', name), 0o755);
    for (const name of [
      'bash',
      'sh',
      'env',
      'xargs',
      'timeout',
      'nohup',
      'cat',
      'find',
      'setsid',
      'stdbuf',
      'nice',
    ]) {
      const found = ['/bin', '/usr/bin']
        .map((place) => path.join(place, name))
        .find((file) => existsSync(file));
      if (found) symlinkSync(found, path.join(folder, 'bin', name));
    }
    const mark = path.join(folder, 'mark');
    const work = path.join(folder, 'w');
    let ran = 0;
    const runsTouch = async (command: string): Promise<boolean> => {
      mkdirSync(work, { recursive: true });
      const env = { PATH: path.join(folder, 'bin'), MARK: mark };
      // The pipe is closed when the last process of the command has ended, or was ended.
      const child = spawn('/bin/bash', ['-c', `{\n${command}\n} 2>&1`], {
        cwd: work,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      const deadline = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), 3_000);
      child.stdout.resume();
      await once(child, 'close');
      clearTimeout(deadline);
      ran += 1;
      return existsSync(mark);
    };
    expect(await runsTouch(`eval ${quoted('touch')}`)).toBe(true);
    rmSync(mark);
    await fc.assert(
      fc.asyncProperty(fc.oneof(surrounded(NEAR, 3), TORN), async (command) => {
        if ((await decisionOn({ allow }, command)) !== 'allow') return;
        expect(await runsTouch(command)).toBe(false);
      }),
      { numRuns: 200, interruptAfterTimeLimit: 40_000 },
    );
    expect(ran).toBeGreaterThan(3);
  });
});
