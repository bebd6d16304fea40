import { matchForbidden } from './forbidden.ts';
import type { Rule } from './rule.ts';
import type { FileSubject, JudgedPart } from './subject.ts';
import { fitsText, type Items, type Match, matchItems, UNKNOWN } from './wildcard.ts';

/**
 * Whether a rule is about a part. Rules that forbid look at more than is there: capitals and the folder of a program do not
 * count for them, a path is compared both as it was written and as it really is, and they may fit what is not known.
 */
export function matchRule(rule: Rule, part: JudgedPart): Match {
  switch (part.is) {
    case 'file':
      return matchFile(rule, part);
    case 'command':
      if (rule.tool !== 'bash') return 'no';
      return rule.pattern === undefined ? 'yes' : matchWords(rule, rule.pattern, part.words);
    // What is held by a variable that is evaluated is run, if it says so.
    case 'evaluation':
    case 'unknown':
      if (rule.tool !== 'bash') return 'no';
      if (rule.pattern === undefined) return 'yes';
      return rule.list === 'allow' ? 'no' : 'maybe';
    case 'tool':
      return isTool(rule.tool, part.tool) ? 'yes' : 'no';
    case 'refused':
      return 'no';
  }
}

/** `mcp__server` and `mcp__server__*` are all tools of a server. */
const isTool = (wanted: string, tool: string): boolean =>
  wanted === tool ||
  (wanted.startsWith('mcp__') && !wanted.slice(5).includes('__') && tool.startsWith(`${wanted}__`)) ||
  (wanted.endsWith('__*') && tool.startsWith(wanted.slice(0, -1)));

function matchWords(rule: Rule, pattern: NonNullable<Rule['pattern']>, words: Items): Match {
  if (rule.list === 'allow') return matchItems(pattern, words, fitsText);
  const [program] = pattern;
  const [name = ''] = words;
  if (typeof program !== 'string' || typeof name !== 'string') return 'maybe';
  const bare = program.includes('/') ? name : name.slice(name.lastIndexOf('/') + 1);
  if (!fitsText(fold(program), fold(bare))) return 'no';
  return matchForbidden(fold(bare.slice(bare.lastIndexOf('/') + 1)), pattern.slice(1), words.slice(1));
}

/** A pattern is about files: that of write_file holds for every way to write, that of read_file for every way to read. */
function matchFile(rule: Rule, { tool, isWrite, written, real, isInside, inShell }: FileSubject): Match {
  if (rule.pattern === undefined)
    return rule.tool === tool || (inShell && rule.tool === 'bash') ? 'yes' : 'no';
  if (rule.tool !== tool && rule.tool !== (isWrite ? 'write_file' : 'read_file')) return 'no';
  const { pattern } = rule;
  if (rule.list === 'allow')
    return isInside ? matchItems(pattern, real, (wanted, name) => fitsText(wanted, name, '?')) : 'no';
  const folded = (wanted: string, name: string) => fitsText(fold(wanted), fold(name), '?');
  const matches = [written, real].map((names) => matchItems(pattern, names, folded));
  if (matches.includes('yes')) return 'yes';
  return matches.includes('maybe') ? 'maybe' : 'no';
}

/** Names that some file system takes for one. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const PROTECTED = ['.git', '.pawl'];

/** What is in these folders decides what programs, and pawl itself, will do. */
export const isProtected = ({ isWrite, written, real }: FileSubject): boolean =>
  isWrite && [...written, ...real].some((name) => name !== UNKNOWN && PROTECTED.includes(fold(name)));
