/** Which programs start others, and what. Not complete, and no list could be: a program that is not known is a part by itself. */

import { evaluated, REDEFINING, SUBSCRIPTS, sourced, subscripts, trapped } from './builtins.ts';
import { optionCommands } from './command-options.ts';
import { fdCommands, findCommands } from './finders.ts';
import { gitCommands } from './git.ts';
import { interpreted } from './interpreters.ts';
import { isLinker, launched, linked } from './launchers.ts';
import { makeCommands } from './make.ts';
import { type Inner, unclear, type Word } from './part.ts';
import { BASH, FOREIGN_SHELLS, OTHER_SHELLS, shellScript } from './shells.ts';
import { awkCommands, sedCommands } from './text-tools.ts';
import { WRAPPERS, wrapped } from './wrappers.ts';

/** Their options are too many, or their commands are written in a language of their own. */
const UNCLEAR = new Set(
  [
    'parallel watch script su runuser flock strace ltrace unshare nsenter systemd-run at batch screen tmux entr bwrap',
    'firejail proot fakeroot fakechroot faketime chpst setpriv setuidgid softlimit gosu su-exec pkexec run0 machinectl',
    'dbus-run-session dbus-launch xvfb-run ssh-agent expect unbuffer rlwrap gdb lldb valgrind perf rr catchsegv',
    'watchexec nodemon concurrently hyperfine crontab start-stop-daemon daemonize daemon tini dumb-init capsh setarch linux32',
    'linux64 prlimit chrt taskset numactl cgexec cpulimit chronic mosh m4 dc ed ex osascript jshell erl gnuplot ansible xterm',
    'gnome-terminal konsole uwsgi logrotate inetd',
  ].flatMap((line) => line.split(' ')),
);

/** Programs that start others only where one of their words says so. */
const SUSPECT: readonly (readonly [names: RegExp, word: RegExp])[] = [
  [
    /^(r?g?n?vim?(diff)?|view|emacs|emacsclient|kak)$/,
    /^(-[cSsueElQ]|--|\+.|-(es|Es|batch|script|eval|f|l)$)/,
  ],
  [/^(less|more|most)$/, /^\+/],
  [/^(sqlite3?|duckdb)$/, /^\s*\.[a-z]|;\s*\.[a-z]|\n\.[a-z]|edit\(/i],
  [/^(psql|mysql|mariadb)$/, /\\|\bprogram\b|\bsystem\b/i],
  [/^ip$/, /^e/],
  [/^(apt|apt-get|aptitude)$/, /^(-\w*o|--option)/],
  [/^dpkg$/, /^--(pre|post)-invoke/],
  [/^socat$/, /^(exec|system|shell)/i],
  [/^(nc|ncat|netcat)$/, /^(-\w*[ec]|--(sh-|lua-)?e)/],
  [/^fzf$/, /^--(preview|bind)/],
  [/^zip$/, /^(-T\w*T|--unz)/],
  [/^go$/, /^--?(exec|toolexec|vettool)/],
  [/^cargo$/, /runner|rustc-wrapper|rustc-workspace-wrapper|linker/],
  [/^cmake$/, /^-E$/],
  [/^tcpdump$/, /^-\w*z/],
  [/^systemctl$/, /^edit$/],
];

/** @param name of the program, without folders, in small letters. @param words behind it */
export function innerOf(name: string, words: readonly Word[]): readonly Inner[] {
  const found = namesFor(name).map((one) => innerOfNamed(one, words));
  return found.find((inner) => inner !== undefined) ?? [];
}

/** As it is called; without its version: python3.12, vim.tiny; and without the g in front of what is GNU's: gxargs. */
function namesFor(name: string): readonly string[] {
  const plain = name.replace(/[-.]?[0-9][0-9.]*$|\.(basic|tiny|nox|gtk3?|static)$/, '');
  return [...new Set([name, plain, plain.replace(/^g/, '')])].filter((one) => one !== '');
}

/** undefined: it is not known here. */
function innerOfNamed(name: string, words: readonly Word[]): readonly Inner[] | undefined {
  switch (name) {
    case 'eval':
      return [evaluated(words)];
    case 'trap':
      return trapped(words);
    case '.':
    case 'source':
      return sourced(words[0] === '--' ? words[1] : words[0]);
    case 'find':
      return findCommands(words);
    case 'fd':
    case 'fdfind':
      return fdCommands(words);
    case 'git':
      return gitCommands(words);
    case 'make':
      return makeCommands(words);
    case 'sed':
      return sedCommands(words);
    case 'awk':
    case 'mawk':
    case 'nawk':
    case 'gawk':
    case 'original-awk':
      return awkCommands(words);
  }
  if (REDEFINING.has(name))
    return words.length === 0 ? [] : [unclear(`${name} changes what later commands mean`)];
  if (UNCLEAR.has(name)) return [unclear(`${name} runs commands in ways that are not looked into`)];
  if (FOREIGN_SHELLS.has(name)) return [unclear(`${name} is a shell with a language of its own`)];
  if (BASH.has(name) || OTHER_SHELLS.has(name)) return shellScript(words, BASH.has(name));
  if (SUBSCRIPTS.has(name)) return subscripts(name, words);
  if (isLinker(name)) return linked(words);
  const wrapper = WRAPPERS.get(name);
  if (wrapper !== undefined) return wrapped(name, words, wrapper);
  const suspect = SUSPECT.some(
    ([names, marks]) =>
      names.test(name) && words.some((word) => typeof word === 'string' && marks.test(word)),
  );
  if (suspect) return [unclear(`${name} may be told to run a command`)];
  const inner = optionCommands(name, words) ?? interpreted(name, words) ?? launched(name, words);
  return inner.length === 0 ? undefined : inner;
}
