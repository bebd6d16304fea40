/** Programs with an option whose value is a command, such as tar --to-command, and ssh: what they start stands there. */
import { UNKNOWN } from '../wildcard.ts';
import { beginOf, type Options } from './options.ts';
import { type Inner, unclear, type Word } from './part.ts';

/** An option, as "--name" or as "-x". Its value is a command; where `behind` is given, only behind that: exec=COMMAND */
type CommandOption = readonly [name: string, behind?: RegExp];

const RUN_BY_SSH: CommandOption = ['-o', /^\s*(\w*Command|ProxyUseFdpass)[\s=]+/i];

const OPTIONS: Readonly<Record<string, readonly CommandOption[]>> = {
  tar: [
    ['--checkpoint-action', /^exec=/],
    ['--use-compress-program'],
    ['--to-command'],
    ['--info-script'],
    ['--new-volume-script'],
    ['--rsh-command'],
    ['--rmt-command'],
    ['-I'],
    ['-F'],
  ],
  rsync: [['--rsh'], ['--rsync-path'], ['-e']],
  ssh: [RUN_BY_SSH],
  scp: [RUN_BY_SSH, ['-S'], ['-D']],
  sftp: [RUN_BY_SSH, ['-S'], ['-D'], ['-s']],
  sort: [['--compress-program']],
  split: [['--filter']],
  man: [['--pager'], ['--html'], ['-P']],
  rg: [['--pre'], ['--hostname-bin']],
  wget: [['--use-askpass']],
  cpio: [['--rsh-command'], ['--rmt-command']],
  'nix-shell': [['--run'], ['--command']],
};

const BY_NAME = new Map(Object.entries(OPTIONS));

/** undefined: it has none. */
export function optionCommands(name: string, words: readonly Word[]): readonly Inner[] | undefined {
  const options = BY_NAME.get(name === 'bsdtar' ? 'tar' : name);
  if (options === undefined) return undefined;
  const found = options.flatMap((option) => valuesOf(words, option));
  // The letters of old need no dash, and their values stand behind all of them.
  if (options === OPTIONS.tar && /^\w*[IF]/.test(String(words[0])))
    found.push(unclear('it is not clear which command tar starts'));
  if (name === 'ssh') found.push(...remoteCommand(words));
  return words.includes(UNKNOWN)
    ? [...found, { is: 'unknown', why: `${name} gets options that are not known before`, isCovered: true }]
    : found;
}

function valuesOf(words: readonly Word[], [name, behind]: CommandOption): readonly Inner[] {
  const isLetter = !name.startsWith('--');
  return words.flatMap((word, at) => {
    const given = typeof word === 'string' && (isLetter ? letterValue(word, name) : longValue(word, name));
    if (typeof given !== 'string') return [];
    const value = given === '' ? words[at + 1] : given;
    if (value === undefined || value === UNKNOWN) return [];
    if (behind && !behind.test(value)) return [];
    return [{ is: 'script', text: value.replace(behind ?? '', ''), isBash: false }] as const;
  });
}

/** What stands behind the letter in the same word. undefined: it is another option. */
function letterValue(word: string, name: string): string | undefined {
  const at = word.indexOf(name.slice(1));
  return /^-\w/.test(word) && at > 0 && /^\w*$/.test(word.slice(1, at)) ? word.slice(at + 1) : undefined;
}

/** Long options may be cut short, as long as they are clear. */
function longValue(word: string, name: string): string | undefined {
  const [given = '', ...rest] = word.split('=');
  return given.length > 2 && name.startsWith(given) ? rest.join('=') : undefined;
}

const SSH: Options = { flags: '1246AaCfGgKkMNnqsTtvXxYy', values: 'BbcDEeFIiJLlmOoPpQRSWw', queries: 'V' };

/** What it runs elsewhere, which may be here. Options may stand behind the host, too. */
function remoteCommand(words: readonly Word[]): readonly Inner[] {
  const host = beginOf(words, SSH);
  if (host === 'nothing') return [];
  const rest = host === 'unclear' ? [] : words.slice(host + 1);
  const begin = host === 'unclear' ? host : beginOf(rest, SSH);
  if (begin === 'nothing') return [];
  const command = begin === 'unclear' ? [UNKNOWN] : rest.slice(begin);
  if (command.includes(UNKNOWN))
    return [{ is: 'unknown', why: 'it is not known before what ssh runs', isCovered: true }];
  return [{ is: 'script', text: command.join(' '), isBash: false, isCovered: true }];
}
