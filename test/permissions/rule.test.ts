import { describe, expect, it } from 'vitest';
import { RuleError } from '../../src/index.ts';
import { parseRule, type RuleList, tellRule } from '../../src/permissions/rule.ts';
import { decisionOn } from './support.ts';

describe('a rule that cannot be read', () => {
  it.each([
    ['', 'must be the name of a tool'],
    ['ba sh', 'must be the name of a tool'],
    ['(ls)', 'must be the name of a tool'],
    ['bash(ls', 'no closing ")"'],
    ['bash(ls) x', 'no closing ")"'],
    ['bash()', 'nothing between its parentheses; for all calls, write "bash"'],
    ['bash( )', 'nothing between its parentheses'],
    ['bash(* rm)', 'begins with a program'],
    ['bash(ls && rm)', 'write a rule for each'],
    ['bash(ls; rm)', 'write a rule for each'],
    ['bash(echo $HOME)', 'without quotes or operators'],
    ['bash(echo "a")', 'without quotes or operators'],
    ['bash(cat > x)', 'without quotes or operators'],
    ['bash(ls\nrm)', 'a character that cannot be seen'],
    ['bash(l\u200bs)', 'a character that cannot be seen'],
    ['run_python(x)', 'only these tools take a pattern: bash, read_file'],
    ['mcp__server__tool(x)', 'only these tools take a pattern'],
    ['read_file(/etc/**)', 'must begin in the workspace'],
    ['read_file(~/x)', 'must begin in the workspace'],
    ['read_file(!x)', 'must begin in the workspace'],
    ['read_file(a/../b)', 'must not contain ".."'],
    ['read_file({a,b})', 'write "?"'],
    ['read_file([ab])', 'write "?"'],
    [`bash(${'x'.repeat(1_001)})`, 'longer than 1000 characters'],
  ])('%j says what is wrong', (text, problem) => {
    expect(() => parseRule('allow', text, 'here')).toThrow(problem);
    expect(() => parseRule('allow', text, 'here')).toThrow(RuleError);
  });
});

describe('a rule', () => {
  it.each([
    'bash',
    'bash(*)',
    'bash(git status)',
    'bash(npm run *)',
    'read_file(src/**)',
    'write_file(./docs/**)',
    'mcp__server__tool',
    'mcp__server',
    'mcp__server__*',
    'run_python',
  ])('%j is told as it was written, with its place', (text) => {
    expect(tellRule(parseRule('deny', ` ${text} `, '.pawl/settings.json'))).toBe(
      `deny ${text} from .pawl/settings.json`,
    );
  });

  const cases: readonly [RuleList, string, string, boolean][] = [
    // What allows means exactly what it says.
    ['allow', 'bash(git status)', 'git status', true],
    ['allow', 'bash(git status)', 'git status -s', false],
    ['allow', 'bash(git status)', 'git statusfoo', false],
    ['allow', 'bash(git status)', 'git', false],
    ['allow', 'bash(git status)', '/usr/bin/git status', false],
    ['allow', 'bash(git status)', 'GIT status', false],
    ['allow', 'bash(npm run *)', 'npm run', true],
    ['allow', 'bash(npm run *)', 'npm run build -- --watch', true],
    ['allow', 'bash(npm run *)', 'npm runx', false],
    ['allow', 'bash(npm run:*)', 'npm run build', true],
    ['allow', 'bash(npm run:*)', 'npm runx', false],
    ['allow', 'bash(npm run test:*)', 'npm run test a', true],
    ['allow', 'bash(git * main)', 'git log main', true],
    ['allow', 'bash(git * main)', 'git main', true],
    ['allow', 'bash(git * main)', 'git log -n 1 main', true],
    ['allow', 'bash(git * main)', 'git log main x', false],
    ['allow', 'bash(cat src/*)', 'cat src/a.ts', true],
    ['allow', 'bash(cat src/*)', 'cat src/a.ts src/b.ts', false],
    ['allow', 'bash(cat src/*)', 'cat src', false],
    ['allow', 'bash(ls)', 'ls', true],
    ['allow', 'bash(ls)', 'lsof -i', false],
    ['allow', 'bash(CI=*)', 'CI=1', true],
    // What forbids means that and all that begins with it, wherever the program lies.
    ['deny', 'bash(rm)', 'rm', true],
    ['deny', 'bash(rm)', 'rm -rf keep', true],
    ['deny', 'bash(rm *)', 'rm', true],
    ['deny', 'bash(rm)', 'rmdir x', false],
    ['deny', 'bash(rm)', '/bin/rm x', true],
    ['deny', 'bash(rm)', './rm x', true],
    ['deny', 'bash(rm)', 'RM x', true],
    ['deny', 'bash(/bin/rm)', '/bin/rm x', true],
    ['deny', 'bash(/bin/rm)', 'rm x', false],
    ['deny', 'bash(git push)', 'git push --force', true],
    ['deny', 'bash(git push)', 'git pull', false],
    ['deny', 'bash(git * push)', 'git -C . push', true],
    ['deny', 'bash(*)', 'anything', true],
  ];
  it.each(cases)('%s %s is about "%s": %s', async (list, rule, command, isAbout) => {
    const otherwise = list === 'allow' ? 'ask' : 'allow';
    const mode = list === 'allow' ? 'ask' : 'bypass';
    expect(await decisionOn({ [list]: [rule], mode }, command)).toBe(isAbout ? list : otherwise);
  });
});
