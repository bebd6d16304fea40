/**
 * A rule as people write it: `bash(git status)`, `read_file(src/**)`, `mcp__server__tool`, or the bare name of a tool.
 * Rules that forbid are read generously, rules that allow strictly: a rule that was meant otherwise must not let more
 * through. So `bash(rm)` denies rm with whatever behind it, and allows rm alone.
 */
import { MANY, type Pattern } from './wildcard.ts';

export const LISTS = ['allow', 'ask', 'deny'] as const;
export type RuleList = (typeof LISTS)[number];

export interface Rule {
  readonly list: RuleList;
  /** As it was written. */
  readonly text: string;
  /** Where it was written: "--deny", ".pawl/settings.json". */
  readonly source: string;
  readonly tool: string;
  /** Absent: all calls of the tool. */
  readonly pattern?: Pattern;
}

/** The message is a clause for a person, without the rule: 'it has no closing ")"'. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

const FILE_TOOLS = ['read_file', 'list_files', 'search_files', 'write_file', 'edit_file'];
const LONGEST = 1_000;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MCP_ALL = /^mcp__[a-zA-Z0-9_-]+__\*$/;

/** @throws RuleError */
export function parseRule(list: RuleList, text: string, source: string): Rule {
  const written = text.trim();
  if (written.length > LONGEST) throw new RuleError(`it is longer than ${LONGEST} characters`);
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(written))
    throw new RuleError('it contains a character that cannot be seen');
  const open = written.indexOf('(');
  const tool = open < 0 ? written : written.slice(0, open);
  if (!TOOL_NAME.test(tool) && !(open < 0 && MCP_ALL.test(tool)))
    throw new RuleError(
      'it must be the name of a tool, with a pattern in parentheses or without, such as "bash(git status)"',
    );
  if (open < 0) return { list, text: written, source, tool };
  if (!written.endsWith(')')) throw new RuleError('it has no closing ")" at its end');
  const pattern = patternOf(list, tool, written.slice(open + 1, -1).trim());
  return { list, text: written, source, tool, ...(pattern !== undefined && { pattern }) };
}

/** @returns undefined where all is meant */
function patternOf(list: RuleList, tool: string, text: string): Pattern | undefined {
  if (text === '')
    throw new RuleError(`there is nothing between its parentheses; for all calls, write "${tool}"`);
  if (tool === 'bash') return text === '*' ? undefined : wordsOf(list, text);
  if (FILE_TOOLS.includes(tool)) return namesOf(list, text);
  throw new RuleError(
    `only these tools take a pattern: bash, ${FILE_TOOLS.join(', ')}; a rule for another one is its bare name`,
  );
}

/** One simple command, word by word; a word `*` is any number of words, and so is `:*` at the end, as older files have it. */
function wordsOf(list: RuleList, text: string): Pattern {
  if (/[;&|<>$`"'\\()#{}]/.test(text))
    throw new RuleError(
      'a pattern of bash is one plain command without quotes or operators; each part of a command is judged by itself, so write a rule for each',
    );
  const words = text
    .replace(/:\*$/, ' *')
    .split(/\s+/)
    .map((word): Pattern[number] => (word === '*' ? MANY : word));
  if (words[0] === MANY)
    throw new RuleError('a pattern of bash begins with a program; for all commands, write "bash"');
  return list === 'allow' ? words : [...words, MANY];
}

/** A path of the workspace as in .gitignore: a name without "/" counts in every folder, and a folder stands for all in it. */
function namesOf(list: RuleList, text: string): Pattern {
  if (/^[/~!]/.test(text)) throw new RuleError('its path must begin in the workspace, such as "src/**"');
  if (/[[\]{}\\]/.test(text))
    throw new RuleError(
      'its path may have "*", "**" and "?" as wildcards; for a bracket or brace, write "?"',
    );
  const isAnywhere = !text.replace(/\/+$/, '').includes('/');
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new RuleError('its path must not contain ".."');
  const pattern = names.map((name): Pattern[number] => (name === '**' ? MANY : name));
  const last = names.at(-1) ?? '';
  const below: Pattern = list === 'allow' && /[*?]/.test(last) ? [] : [MANY];
  const above: Pattern = isAnywhere && names.length > 0 ? [MANY] : [];
  return [...above, ...pattern, ...below];
}

/** How a rule is told: "deny bash(rm) from .pawl/settings.json". */
export const tellRule = ({ list, text, source }: Rule): string => `${list} ${text} from ${source}`;
