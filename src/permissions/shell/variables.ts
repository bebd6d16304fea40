/** Variables whose values some program runs: bash itself, or whoever looks for an editor, a pager, options. */
import { type Inner, unclear, type Word } from './part.ts';

const RUN_BY_BASH = /^(BASH_ENV|BASH_FUNC_.*|PS4|PROMPT_COMMAND|ENV)$/s;

/** Each holds a command line. */
const COMMANDS = new Set(
  [
    'EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE RSYNC_RSH CVS_RSH SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR',
    'GIT_ASKPASS GIT_EDITOR GIT_EXTERNAL_DIFF GIT_PAGER GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND',
    'HGEDITOR SVN_EDITOR SVN_SSH KUBE_EDITOR FZF_DEFAULT_COMMAND',
  ].flatMap((line) => line.split(' ')),
);

/** Each holds options or settings, and among these are some that run what they say. */
const OPTIONS =
  /^(GIT_CONFIG.*|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|TAR_OPTIONS|MAKEFLAGS|GNUMAKEFLAGS|PERL5OPT|PERL5DB|RUBYOPT|NODE_OPTIONS|LUA_INIT.*|JULIA_.*|npm_config_.*|FZF_DEFAULT_OPTS|RIPGREP_CONFIG_PATH|SHELLOPTS|BASHOPTS)$/is;

/** @param assignment NAME=value, where "…" is a value that is not known. @returns what that runs */
export function setByVariable(assignment: Word): readonly Inner[] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(String(assignment)) ?? [];
  if (RUN_BY_BASH.test(name)) return [unclear('it sets a variable that bash may run')];
  if (OPTIONS.test(name)) return [unclear(`${name} may hold something that is run`)];
  if (!COMMANDS.has(name) || value.trim() === '') return [];
  if (value === '…') return [unclear(`${name} is a command, and it is not known which`)];
  return [{ is: 'script', text: value, isBash: false }];
}
