/**
 * Options that stand between a program and its command, as in `git -C DIR push`. Known ones are skipped with their values;
 * of others nobody knows here whether the next word is their value or the command.
 */
import { UNKNOWN } from '../wildcard.ts';
import type { Word } from './part.ts';

interface Known {
  /** With a value in the next word. */
  readonly values: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
}

const known = (values: string, flags: string): Known => ({
  values: new Set(values.split(' ')),
  flags: new Set(flags.split(' ')),
});

const GIT = known(
  '-C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source',
  '-p -P --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --exec-path',
);
const NPM = known(
  '-C --prefix -w --workspace --registry --userconfig --globalconfig --cache --loglevel --tag --otp --script-shell --include --omit --access --scope',
  '-s --silent -q --quiet -d --verbose -g --global -y --yes -f --force --no-audit --no-fund --ignore-scripts --if-present --workspaces -ws --production --json --offline --prefer-offline --dry-run --legacy-peer-deps -D --save-dev --foreground-scripts',
);
const CONTAINERS = known(
  '--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress --url --connection --root --runroot',
  '-D --debug --tls --tlsverify --compatibility --all-resources --dry-run --remote',
);
const KUBECTL = known(
  '-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --as-uid --cache-dir --certificate-authority --client-certificate --client-key --request-timeout --tls-server-name --username --password -v',
  '--insecure-skip-tls-verify --match-server-version --warnings-as-errors -A --all-namespaces',
);
const MAKE = known(
  '-C -f -I -o -W -E --directory --file --makefile --include-dir --old-file --assume-old --what-if --new-file --assume-new --eval',
  '-B -d -e -i -k -L -n -p -q -r -R -s -S -t -w --always-make --keep-going --silent --quiet --dry-run --just-print --no-print-directory --print-directory --ignore-errors --touch',
);
const APT = known(
  '-o -c -t -a --option --config-file --target-release --host-architecture',
  '-y -q -qq -s -f -m -d -u -V --yes --assume-yes --quiet --simulate --dry-run --no-install-recommends --fix-broken --allow-downgrades --reinstall --purge',
);

const KNOWN: Readonly<Record<string, Known>> = {
  git: GIT,
  npm: NPM,
  pnpm: known(
    '-C --dir -F --filter --filter-prod --prefix --loglevel --reporter',
    '-r --recursive -w --workspace-root -s --silent --if-present --parallel --stream',
  ),
  yarn: known('--cwd --registry --cache-folder', '-s --silent --offline --json --verbose'),
  docker: CONTAINERS,
  'docker-compose': CONTAINERS,
  podman: CONTAINERS,
  kubectl: KUBECTL,
  oc: KUBECTL,
  helm: known(
    '-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --registry-config',
    '--debug',
  ),
  cargo: known(
    '-C -Z --config --color --manifest-path --target-dir -p --package --bin --features -F --profile --target -j --jobs',
    '-v -vv -q --quiet --verbose --frozen --locked --offline --release -r --all --workspace --all-features',
  ),
  make: MAKE,
  gmake: MAKE,
  go: known('-C', ''),
  gh: known('-R --repo --hostname', ''),
  systemctl: known(
    '-H --host -M --machine -t --type --state -p --property -n --lines -o --output --root -s --signal',
    '--user --system --now --no-pager -q --quiet -f --force --no-block --all -a -l --full',
  ),
  apt: APT,
  'apt-get': APT,
  pip: known(
    '--log --proxy --cache-dir --python --timeout --retries --cert --client-cert --trusted-host',
    '-q -v --quiet --verbose --isolated --disable-pip-version-check --no-input --no-cache-dir --require-virtualenv',
  ),
  aws: known(
    '--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout',
    '--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager',
  ),
  gcloud: known(
    '--project --account --configuration --format --verbosity --region --zone --impersonate-service-account',
    '-q --quiet',
  ),
  hg: known('-R --repository --cwd --config --encoding', '-q -v -y --quiet --verbose --noninteractive'),
  uv: known('--directory --project --config-file --cache-dir --color', '-q -v --offline --no-cache -n'),
  poetry: known('-C --directory -P --project', '-q -v -n --quiet --no-interaction'),
};

const BY_NAME = new Map(Object.entries(KNOWN));
const NOTHING = known('', '');

/** A word that is no option: surely, or only if the option in front of it has no value. */
export interface Operand {
  readonly word: Word;
  readonly isSure: boolean;
  /** Where it stands. */
  readonly at: number;
}

/** @param program without folders, in small letters. @param words behind it */
export function operandsIn(program: string, words: readonly Word[]): readonly Operand[] {
  const { values, flags } = BY_NAME.get(program) ?? NOTHING;
  const operands: Operand[] = [];
  let isSure = true;
  let isOver = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (isOver || word === UNKNOWN || !/^[-+]./.test(word)) {
      operands.push({ word, isSure, at });
      isSure = true;
    } else if (word === '--') isOver = true;
    else if (values.has(word)) {
      if (words[at + 1] !== UNKNOWN) at += 1;
      isSure = true;
    }
    // +toolchain is cargo's, and has no value.
    else isSure = flags.has(word) || word.startsWith('+') || word.includes('=');
  }
  return operands;
}

/** The command and all that stands behind it, as far as that is known. */
export function operandsOf(program: string, words: readonly Word[]): readonly Word[] {
  const [first] = operandsIn(program, words);
  return first === undefined ? [] : words.slice(first.at);
}
