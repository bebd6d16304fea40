/** What git runs besides itself: commands that settings, aliases and some of its own commands name. */
import { UNKNOWN } from '../wildcard.ts';
import { operandsOf } from './global-options.ts';
import { type Inner, unclear, type Word } from './part.ts';

/** Settings that name no program. All others may. */
const HARMLESS_SETTING =
  /^(user|author|committer|color|advice|column|init|log|status|push|pull|fetch|rebase|rerere|gc|safe|tag|branch|commit|index|pack|feature)\.|^core\.(abbrev|autocrlf|bare|compression|eol|filemode|ignorecase|longpaths|precomposeunicode|quotepath|safecrlf|symlinks|whitespace)=|^diff\.(algorithm|colormoved|context|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth)=|^merge\.(conflictstyle|ff|renames|stat)=|^http\.(lowspeed\w*|postbuffer|proxy|sslverify|version)=/i;
/** Of the harmless sections, what is none: these name a folder with programs in it. */
const HARMFUL_SETTING = /^init\.templatedir|^gc\..*command/i;

const isHarmless = (setting: string): boolean =>
  HARMLESS_SETTING.test(setting) && !HARMFUL_SETTING.test(setting);

/** They start programs that settings name, or that they are given in too many ways. */
const UNCLEAR = new Set(
  'filter-branch difftool mergetool for-each-repo send-email daemon instaweb hook credential'.split(' '),
);
const RUNNING_OPTION = /^--(upload-pack|receive-pack|exec|ext-diff|open-files-in-pager|extcmd|tool|template)/;

export function gitCommands(words: readonly Word[]): readonly Inner[] {
  const found: Inner[] = [];
  for (const [at, word] of words.entries()) {
    if (word === UNKNOWN) continue;
    const next = words[at + 1];
    const setting = /^(-c|--config)$/.test(word) ? next : /^(?:-c|--config=)(.+=.*)$/s.exec(word)?.[1];
    if (setting === UNKNOWN)
      found.push({ is: 'unknown', why: 'git gets a setting that is not known before', isCovered: true });
    else if (setting?.includes('=') && !isHarmless(setting))
      found.push(unclear(`git gets a setting that may name a program (${setting})`));
    if (/^--(config-env|exec-path=)/.test(word)) found.push(unclear(`git gets the option ${word}`));
  }
  const [command, ...rest] = operandsOf('git', words);
  return command === undefined ? found : [...found, ...byCommand(command, rest)];
}

/** @param rest all that stands behind the command */
function byCommand(command: Word, rest: readonly Word[]): readonly Inner[] {
  if (command === UNKNOWN) return [];
  if (UNCLEAR.has(command)) return [unclear(`git ${command} runs programs`)];
  const operands = rest.filter((word) => word === UNKNOWN || !word.startsWith('-'));
  switch (command) {
    case 'submodule':
      return operands[0] === 'foreach' ? [scriptOf(operands.slice(1))] : [];
    case 'bisect':
      return rest[0] === 'run' ? [{ is: 'words', words: rest.slice(1) }] : [];
    case 'rebase':
      return rest.flatMap((word, at) => {
        const [, , value] = /^(-x|--exec=?)(.*)$/s.exec(String(word)) ?? [];
        return value === undefined ? [] : [scriptOf([value === '' ? (rest[at + 1] ?? '') : value])];
      });
    case 'config':
      return isHarmlessConfig(rest, operands) ? [] : [unclear('git config may name a program')];
    default:
      return rest.some((word) => word !== UNKNOWN && (RUNNING_OPTION.test(word) || isPager(command, word)))
        ? [unclear(`git ${command} gets an option that runs a program`)]
        : [];
  }
}

/** Whether it only reads, or sets what names no program. An option that may have a value makes it unclear which is the key. */
function isHarmlessConfig(rest: readonly Word[], operands: readonly Word[]): boolean {
  const [verb] = operands;
  if (operands.length < 2 || verb === 'get' || verb === 'list') return true;
  if (rest.some((word) => /^--(get|list|unset)/.test(String(word)))) return true;
  const key = verb === 'set' ? operands[1] : verb;
  const isPlain = rest.every((word) => !/^-/.test(String(word)) || PLAIN_FLAGS.has(String(word)));
  return isPlain && key !== UNKNOWN && isHarmless(`${key}=`);
}

const PLAIN_FLAGS = new Set(
  '--global --local --system --worktree --add --bool --int --replace-all --all'.split(' '),
);

const isPager = (command: string, word: string): boolean => command === 'grep' && /^-\w*O/.test(word);

const scriptOf = (words: readonly Word[]): Inner =>
  words.includes(UNKNOWN)
    ? unclear('git runs a text that is not known before')
    : { is: 'script', text: words.join(' '), isBash: false };
