import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RulesPolicyOptions } from '../../src/index.ts';
import { folderWith, judge } from './support.ts';

const place = () => {
  const folder = folderWith({
    'src/a.ts': '',
    'src/deep/b.ts': '',
    'secrets/key': '',
    'docs/x.md': '',
    'x.pem': '',
    'in/y.pem': '',
  });
  symlinkSync('src', path.join(folder, 'alias'));
  symlinkSync('secrets', path.join(folder, 'harmless'));
  symlinkSync('..', path.join(folder, 'out'));
  symlinkSync('secrets/new', path.join(folder, 'dangling'));
  return folder;
};

describe('a rule about files', () => {
  const cases: readonly [string, string, string][] = [
    ['allow write_file(src/**)', 'write_file src/a.ts', 'allow'],
    ['allow write_file(src/**)', 'write_file src/new/c.ts', 'allow'],
    ['allow write_file(src/**)', 'write_file ./src//deep/../a.ts', 'allow'],
    ['allow write_file(src/**)', 'edit_file src/a.ts', 'allow'],
    ['allow write_file(./src/**)', 'write_file src/a.ts', 'allow'],
    ['allow write_file(src)', 'write_file src/deep/b.ts', 'allow'],
    ['allow write_file(src/*)', 'write_file src/a.ts', 'allow'],
    ['allow write_file(src/*)', 'write_file src/deep/b.ts', 'ask'],
    ['allow write_file(*.md)', 'write_file docs/x.md', 'allow'],
    ['allow write_file(./*.md)', 'write_file docs/x.md', 'ask'],
    ['allow write_file(src/?.ts)', 'write_file src/a.ts', 'allow'],
    ['allow write_file(src/**)', 'write_file src/../docs/x.md', 'ask'],
    ['allow write_file(src/**)', 'write_file SRC/a.ts', 'ask'],
    ['allow write_file(src/**)', 'write_file srcx/a.ts', 'ask'],
    ['allow edit_file(src/**)', 'write_file src/a.ts', 'ask'],
    // A link counts as what it leads to.
    ['allow write_file(src/**)', 'write_file alias/a.ts', 'allow'],
    ['allow write_file(alias/**)', 'write_file alias/a.ts', 'ask'],
    ['allow write_file(harmless/**)', 'write_file harmless/key', 'ask'],
    ['deny read_file(secrets/**)', 'read_file harmless/key', 'deny'],
    ['deny write_file(secrets/**)', 'write_file dangling', 'deny'],
    ['deny read_file(harmless)', 'read_file harmless/key', 'deny'],
    ['allow write_file(**)', 'write_file out/x', 'deny'],
    ['allow write_file(**)', 'write_file ../x', 'deny'],
    ['allow read_file(**)', 'read_file /etc/passwd', 'deny'],
    // What forbids takes names for one that some file system takes for one.
    ['deny read_file(secrets/**)', 'read_file secrets/key', 'deny'],
    ['deny read_file(secrets/**)', 'read_file Secrets/KEY', 'deny'],
    ['deny read_file(caf\u00e9)', 'read_file cafe\u0301', 'deny'],
    ['deny read_file(secrets)', 'read_file src/../secrets/key', 'deny'],
    ['deny read_file(secrets/**)', 'list_files secrets', 'deny'],
    ['deny read_file(*.pem)', 'read_file in/y.pem', 'deny'],
    ['deny read_file(secrets)', 'read_file src/a.ts', 'allow'],
    ['ask read_file(secrets)', 'read_file secrets/key', 'ask'],
    ['deny read_file', 'read_file src/a.ts', 'deny'],
    ['deny read_file', 'list_files src', 'allow'],
    ['deny write_file', 'edit_file src/a.ts', 'ask'],
    // A search reads all below its folder.
    ['deny read_file(secrets/**)', 'search_files secrets', 'deny'],
    ['deny read_file(secrets/**)', 'search_files .', 'ask'],
    ['deny read_file(secrets/**)', 'search_files src', 'allow'],
    ['deny read_file(*.pem)', 'search_files src', 'ask'],
    ['deny read_file(*.pem)', 'search_files src/a.ts', 'allow'],
    ['deny read_file(secrets/**)', 'list_files .', 'allow'],
  ];
  it.each(cases)('%s; %s: %s', async (rule, call, expected) => {
    const [list = '', text = ''] = rule.split(' ');
    const [tool = '', file = ''] = call.split(' ');
    const judged = await judge({ [list]: [text] }, tool, { path: file }, place());
    expect(judged.decision).toBe(expected);
  });

  it('is about redirections as well', async () => {
    const folder = place();
    const decide = async (rules: RulesPolicyOptions, command: string) =>
      (
        await judge(
          { ...rules, allow: ['bash(echo *)', 'bash(cd *)', ...(rules.allow ?? [])] },
          'bash',
          { command },
          folder,
        )
      ).decision;
    const docs = { allow: ['write_file(docs/**)'] };
    expect(await decide(docs, 'echo a > docs/new')).toBe('allow');
    expect(await decide(docs, 'echo a > "docs/new"')).toBe('allow');
    expect(await decide(docs, `echo a > ${folder}/docs/new`)).toBe('allow');
    expect(await decide(docs, 'echo a > src/new')).toBe('ask');
    expect(await decide(docs, 'echo a > docs/../src/a.ts')).toBe('ask');
    expect(await decide(docs, 'cd src; echo a > docs/new')).toBe('ask');
    expect(await decide(docs, 'echo a > $X')).toBe('ask');
    expect(await decide({ allow: ['write_file(**)'] }, 'echo a > out/x')).toBe('ask');
    const secrets = { deny: ['write_file(secrets)', 'read_file(secrets)'], mode: 'bypass' } as const;
    expect(await decide(secrets, 'echo a > secrets/key')).toBe('deny');
    expect(await decide(secrets, 'echo a > harmless/key')).toBe('deny');
    expect(await decide(secrets, 'cat < secrets/key')).toBe('deny');
    expect(await decide(secrets, 'cd secrets; echo a > key')).toBe('ask');
    expect(await decide(secrets, "env -C secrets sh -c 'echo a > key'")).toBe('ask');
    expect(await decide(secrets, "sudo --chdir=secrets sh -c 'echo a > key'")).toBe('ask');
    expect(await decide(secrets, 'echo a > /tmp/elsewhere')).toBe('allow');
  });
});

describe('writing where pawl and git look for what to do', () => {
  it.each([
    ['write_file', { path: '.pawl/settings.json' }],
    ['edit_file', { path: '.pawl/settings.local.json' }],
    ['write_file', { path: '.PAWL/settings.json' }],
    ['write_file', { path: './src/../.pawl/x' }],
    ['write_file', { path: '.git/hooks/pre-commit' }],
    ['write_file', { path: 'sub/.git/config' }],
    ['bash', { command: 'echo {} > .pawl/settings.json' }],
    ['bash', { command: 'ls && echo x >> .git/config' }],
  ])('always asks: %s %j', async (tool, input) => {
    const folder = place();
    for (const mode of ['ask', 'accept-edits', 'bypass'] as const)
      expect((await judge({ mode, allow: [tool, 'write_file(**)'] }, tool, input, folder)).decision).toBe(
        'ask',
      );
    expect((await judge({ mode: 'deny' }, tool, input, folder)).decision).toBe('deny');
  });

  it('asks through a link, too; reading does not', async () => {
    const folder = folderWith({ '.pawl/results/x.txt': '' });
    symlinkSync('.pawl', path.join(folder, 'p'));
    const rules = { mode: 'bypass' } as const;
    expect((await judge(rules, 'write_file', { path: 'p/settings.json' }, folder)).decision).toBe('ask');
    expect((await judge({}, 'read_file', { path: '.pawl/results/x.txt' }, folder)).decision).toBe('allow');
  });
});
