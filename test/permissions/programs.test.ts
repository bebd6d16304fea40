// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands
/** Programs that run other programs, and options between a program and its command: neither is a way around a rule. */
import { describe, expect, it } from 'vitest';
import type { RulesPolicyOptions } from '../../src/index.ts';
import { decisionOn } from './support.ts';

const bypassing = (...deny: readonly string[]): RulesPolicyOptions => ({ deny, mode: 'bypass' });
const decisions = (command: string, deny: string) =>
  Promise.all([
    decisionOn(bypassing(deny), command),
    decisionOn({ deny: [deny], allow: ['bash'] }, command),
    decisionOn({ ask: [deny], mode: 'bypass' }, command),
  ]);

describe('a denied command of a program', () => {
  it.each([
    ['bash(git push)', 'git -C . push'],
    ['bash(git push *)', 'git -C . push origin main'],
    ['bash(git push)', 'git -c user.name=x push'],
    ['bash(git push)', 'git --git-dir=.git push'],
    ['bash(git push)', 'git --git-dir .git --work-tree . push'],
    ['bash(git push)', 'git --no-pager -p push'],
    ['bash(git push)', 'git -C a -C b -- push'],
    ['bash(git push)', 'sudo git -C . push'],
    ['bash(git push)', 'GIT_TRACE=1 /usr/bin/git -C . push'],
    ['bash(git push --force)', 'git push origin main --force'],
    ['bash(git push --force)', 'git -C . push --force=yes'],
    ['bash(npm publish)', 'npm --prefix a publish'],
    ['bash(npm publish)', 'npm -s --registry=x publish'],
    ['bash(npm run deploy)', 'npm run --silent deploy'],
    ['bash(npm run deploy)', 'npm run -- deploy'],
    ['bash(docker push)', 'docker --context x push a'],
    ['bash(docker compose down)', 'docker compose -f a.yml down'],
    ['bash(kubectl delete)', 'kubectl -n a --context b delete pod x'],
    ['bash(cargo publish)', 'cargo +nightly publish'],
    ['bash(cargo publish)', 'cargo --locked -Z a publish'],
    ['bash(make deploy)', 'make -C a deploy'],
    ['bash(make deploy)', 'make -j4 all deploy'],
    ['bash(make deploy)', 'make X=1 deploy'],
    ['bash(systemctl stop)', 'systemctl --user stop x'],
    ['bash(apt-get install)', 'apt-get -y install x'],
    ['bash(gh repo delete)', 'gh -R a/b repo delete'],
    ['bash(rm -rf)', 'rm -fr x'],
    ['bash(rm -rf)', 'rm -r -f x'],
    ['bash(rm -rf)', 'rm x -rfv'],
  ])('is denied whatever options stand in between: %s, %s', async (rule, command) => {
    expect(await decisions(command, rule)).toEqual(['deny', 'deny', 'ask']);
  });

  it.each([
    ['bash(git push)', 'git --unknown x push'],
    ['bash(git push)', 'git --unknown push'],
    ['bash(tool push)', 'tool --where x push'],
    ['bash(tool push)', 'tool -x push'],
    ['bash(git push --force)', 'git push --forc'],
    ['bash(git remote add)', 'git remote -v add x y'],
    ['bash(git push)', 'git -C . $X'],
    ['bash(git push)', 'git $X push'],
  ])('asks where it cannot be known: %s, %s', async (rule, command) => {
    expect(await decisions(command, rule)).toEqual(['ask', 'ask', 'ask']);
  });

  it.each([
    ['bash(git push)', 'git -C push status'],
    ['bash(git push)', 'git -c user.name=push status'],
    ['bash(git push)', 'git commit -m push'],
    ['bash(git push)', 'git log --grep push'],
    ['bash(git push)', 'git stash push'],
    ['bash(git push --force)', 'git push origin main'],
    ['bash(npm run deploy)', 'npm run test -- deploy'],
    ['bash(npm publish)', 'npm --prefix publish test'],
    ['bash(make deploy)', 'make -C deploy all'],
    ['bash(kubectl delete)', 'kubectl get -n delete pod'],
    ['bash(rm -rf)', 'rm -r x'],
  ])('is another one where the word is a value or stands elsewhere: %s, %s', async (rule, command) => {
    expect(await decisions(command, rule)).toEqual(['allow', 'allow', 'allow']);
  });

  it('is skipped for no rule that allows', async () => {
    const allow = ['bash(git status)', 'bash(make build)', 'bash(rm -rf x)'];
    for (const command of ['git -C . status', 'git status -s', 'make all build', 'rm -fr x'])
      expect(await decisionOn({ allow }, command)).toBe('ask');
  });
});

/** Each starts rm in a way of its own, and is judged by what it starts. */
const JUDGED = [
  '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
  'ld.so --library-path /lib /bin/rm x',
  'fd x -x rm',
  'fdfind -HX rm -f {}',
  'fd --exec rm {} \\; x',
  'find . -exec rm {} +',
  'ls | xargs rm',
  'ls | gxargs -n1 rm',
  "tar cf x.tar --checkpoint=1 --checkpoint-action='exec=rm x' .",
  'tar --to-command="rm x" -xf x.tar',
  "tar -I 'rm x' -cf x.tar .",
  'tar --use-c rm -cf x.tar .',
  "rsync -e 'rm x' a b:",
  'rsync --rsh="rm x" a b:',
  "rsync -ave 'rm x' a b:",
  "ssh -o ProxyCommand='rm x' host",
  "ssh -oProxyCommand='rm x' host",
  "ssh -o 'LocalCommand rm x' host",
  'ssh localhost rm x',
  "ssh localhost -p 22 'ls; rm x'",
  'scp -S /bin/rm a b:',
  'sort --compress-program=rm x',
  "split --filter='rm x' a",
  'rg --pre rm x',
  "man -P 'rm x' ls",
  'nice rm x',
  'timeout 5 rm x',
  'setsid rm x',
  'stdbuf -oL rm x',
  'sudo rm x',
  'doas rm x',
  'chroot . rm x',
  'busybox rm x',
  'npx rm x',
  "npx -c 'rm x'",
  'npm --prefix a exec -- rm x',
  'pnpm exec rm x',
  'uv run rm x',
  'poetry run rm x',
  'bundle exec rm x',
  'conda run -n base rm x',
  'cross-env A=b rm x',
  'python3 -m rm x',
  "git submodule foreach 'rm x'",
  'git bisect run rm x',
  "git rebase --exec 'rm x' HEAD~1",
  'git -C . rebase -x "rm x" HEAD~1',
  'make CC=rm all',
  "GIT_PAGER='rm x' git log",
  'export GIT_SSH_COMMAND="rm x"',
  'env EDITOR="rm x" git commit',
];

/** What these run is in another language, in a text that nobody takes apart, or too well hidden. */
const UNCLEAR = [
  "git -c alias.x='!sh' x",
  'git -c core.pager=x log',
  'git -ccore.fsmonitor=x status',
  'git --exec-path=. status',
  'git --config-env=a=b status',
  'git config alias.x "!rm"',
  'git config --add alias.x push',
  'git config -f user.name alias.x push',
  'git clone --upload-pack=x a b',
  'git grep -Oless x',
  'git filter-branch x',
  'awk \'BEGIN { system("rm x") }\'',
  'awk \'{ print | "rm x" }\'',
  'awk \'{ "rm x" | getline y }\'',
  'awk "$X"',
  'gawk \'BEGIN { f = "system"; @f("rm x") }\'',
  'awk \'{ x = a /b | "rm x" / c }\'',
  'awk \'{ x = i++ /2 | "rm x" /1 }\'',
  'awk \'/[/"]/ { print | "rm x" } #"\'',
  "awk -e '{}' -e 'BEGIN { system(\"rm x\") }' x",
  'awk -f - x',
  "sed 'e rm x'",
  "sed -n '1e rm x'",
  "sed 's/a/rm x/e'",
  "sed 's/a/b/g;s/a/rm x/ge'",
  "sed -e p -e '/a/,/b/e'",
  "sed -i '' '1e rm x' a",
  "sed 'a\\\ntext\ne rm x'",
  "sed 's/a/b\ne rm x /'",
  'sed "$X"',
  'sed --expression=e',
  "vim -c '!rm x'",
  "vim -es '+!rm x' x",
  'vim.tiny --cmd x',
  'nvim -S x',
  "emacs --batch --eval '(x)'",
  'ed x',
  'perl -e \'system("rm x")\'',
  "perl -lne 'print' x",
  "perl -M'POSIX;system(1)' x",
  "perl5.36 -pie 's/a/b/' x",
  "python3 -c 'x'",
  "python3.12 -Ic 'x'",
  'python3 - <<E\nx\nE',
  'python3 < x',
  'echo x | python3',
  "python3 -W ignore -c 'x'",
  "python3 -m timeit 'x'",
  "node -e 'x'",
  "node --eval 'x'",
  'node --import data:text/javascript,x y.js',
  "node --unknown x -pe 'x'",
  "deno eval 'x'",
  "ruby -ne 'x'",
  "php -r 'x'",
  "lua -e 'x'",
  "Rscript -e 'x'",
  "env -S 'rm x'",
  "script -c 'rm x'",
  'watch rm x',
  "flock x -c 'rm x'",
  'parallel rm ::: x',
  'nsenter -t 1 rm x',
  'unshare -r rm x',
  'bwrap --bind / / rm x',
  'strace rm x',
  'xargs -i {} x',
  'xargs --replace=R R x',
  'sudo -s',
  'chroot .',
  'make --eval="$(x)"',
  'make SHELL=/bin/rm x',
  "make X='a;rm x' y",
  'make -f - x',
  "go test -exec 'rm x'",
  "less '+!rm x' y",
  'socat - exec:rm',
  'nc -e /bin/rm host 1',
  'crontab x',
  'ip netns exec a rm x',
  "sqlite3 x '.shell rm x'",
  "psql -c '\\! rm x'",
  'TAR_OPTIONS=--checkpoint-action=exec=rm tar cf x .',
  "NODE_OPTIONS='--import data:x' node x.js",
  'PAGER=$X git log',
  'tar $X',
  'rsync "$X" a',
  'ssh "$X"',
];

/** The same programs, in uses that start nothing. */
const HARMLESS = [
  'tar czf x.tgz --exclude=node_modules .',
  'tar -xf x.tar -C y',
  'tar --totals --checkpoint=10 --checkpoint-action=dot -cf x .',
  'rsync -av --exclude x a b',
  'ssh -p 22 host',
  'ssh -o StrictHostKeyChecking=no host ls',
  'git -c user.name=x -c color.ui=false log',
  'git config user.name x',
  'git config --get alias.x',
  'git rebase main',
  'git submodule update --init',
  "awk '{ print $1 }' x",
  'awk -F: \'/a|b/ { print $1, "x | y" } # system\' x',
  "awk -v x=1 'BEGIN { if (a || b) print a / b }'",
  "awk '!seen[$0]++' x",
  'awk -f x.awk y',
  "sed -n '1,50p' x",
  "sed -i.bak -E 's/([a-z]+)e/\\1/g' x",
  "sed 's|a|b|;s/[^/]*$//;/^$/d' x",
  "sed -e '$d' -e '1~2d' -e '/a/I,+3{s/x/y/2p' -e '}' x",
  "sed '/start/,/end/!d' x",
  "sed 'y/abc/xyz/' x",
  "sed '2i\\text with e' x",
  'sed -f x.sed y',
  'vim x',
  'python3 x.py -c y',
  'python3 -u -m pytest -q',
  'python3 -V',
  'python3 --version',
  'node x.js -e y',
  'node --import tsx x.ts',
  'node --test',
  'perl x.pl',
  'ruby -v',
  'fd -e ts x',
  'fd --extension ts',
  'npx vitest run',
  'npx --yes tsc --noEmit',
  'uv run --with x pytest',
  'npm test',
  'make -j4 all CFLAGS="-O2 -g"',
  'go test ./...',
  'less x',
  'sort -u x',
  'split -l 10 x',
  'GIT_PAGER=cat git log',
  'EDITOR=true git commit',
  'apt-get install -y x',
];

describe('a program that runs others', () => {
  it.each(JUDGED)('is denied by what it runs: %s', async (command) => {
    expect(await decisions(command, 'bash(rm)')).toEqual(['deny', 'deny', 'ask']);
    expect(await decisionOn(bypassing('bash(shred)'), command)).not.toBe('deny');
  });

  it.each(UNCLEAR)(
    'asks where nobody can tell what that is, and anything is forbidden: %s',
    async (command) => {
      expect(await decisions(command, 'bash(shred)')).toEqual(['ask', 'ask', 'ask']);
      expect(await decisionOn({ mode: 'bypass' }, command)).toBe('allow');
      expect(await decisionOn({ allow: ['bash'] }, command)).toBe('allow');
    },
  );

  it.each(HARMLESS)('is one command like others where it runs none: %s', async (command) => {
    expect(await decisions(command, 'bash(shred)')).toEqual(['allow', 'allow', 'allow']);
  });
});

describe('what an allowed program runs', () => {
  it.each([
    ['bash(python3 *)', "python3 -c 'x'"],
    ['bash(python3 *)', 'python3 -m pytest'],
    ['bash(python3 *)', 'python3 - <<E\nx\nE'],
    ['bash(perl *)', "perl -pe 's/a/b/' x"],
    ['bash(npx vitest *)', 'npx vitest run'],
    ['bash(uv run *)', 'uv run pytest -q'],
    ['bash(ssh host *)', 'ssh host ls'],
    ['bash(make *)', 'make CC=gcc all'],
    ['bash(tar *)', 'tar xf "$X"'],
  ])('is allowed with it where it is that kind of program: %s, %s', async (rule, command) => {
    expect(await decisionOn({ allow: [rule] }, command)).toBe('allow');
    expect(await decisionOn({ allow: [rule], mode: 'deny' }, command)).toBe('allow');
    expect(await decisionOn({}, command)).toBe('ask');
  });

  it.each([
    ['bash(tar *)', "tar cf x --checkpoint-action='exec=touch x' ."],
    ['bash(git *)', "git -c alias.x='!touch x' x"],
    ['bash(git *)', 'git bisect run touch x'],
    ['bash(awk *)', 'awk \'BEGIN { system("touch x") }\''],
    ['bash(sed *)', "sed '1e touch x' y"],
    ['bash(fd *)', 'fd x -x touch'],
    ['bash(rsync *)', "rsync -e 'touch x' a b:"],
    ['bash(vim *)', "vim -c '!touch x'"],
  ])('asks where nobody would think of it: %s, %s', async (rule, command) => {
    expect(await decisionOn({ allow: [rule] }, command)).toBe('ask');
  });

  it('still asks where it writes to a protected folder', async () => {
    expect(await decisionOn({ allow: ['bash(npx *)'] }, "npx -c 'echo > .git/config'")).toBe('ask');
  });
});
