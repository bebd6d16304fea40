/**
 * The variables that children get: an allow-list, because a deny-list always misses the next secret. pawl's own
 * environment holds the key of the model service, and often tokens and database addresses of the person; a command
 * that the model wrote must find none of them. Deliberately absent: proxies and package indexes (their addresses
 * carry passwords), SSH_AUTH_SOCK and D-Bus (they lend out keys), NODE_OPTIONS and BASH_ENV (they run code).
 * It keeps secrets from a child that does not look for them, and no more: a child runs as the same user, so it can read
 * the environment that pawl itself was started with (/proc/<pid>/environ; nothing that pawl does to its variables
 * changes it), pawl's memory and every file of the person. Only a sandbox that hides other processes and files ends that.
 */
const ALLOWED: ReadonlySet<string> = new Set(
  [
    // Who and where
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM NO_COLOR TZ TMPDIR TMP TEMP',
    'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME',
    // Certificates
    'SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT',
    // Where toolchains live
    'VIRTUAL_ENV PYTHONPATH PYTHONDONTWRITEBYTECODE CONDA_PREFIX CONDA_DEFAULT_ENV LD_LIBRARY_PATH',
    'JAVA_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME SDKMAN_DIR ANDROID_HOME DOTNET_ROOT',
    'GOPATH GOROOT GOBIN GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME',
    'VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH PNPM_HOME BUN_INSTALL DENO_DIR',
    'GEM_HOME GEM_PATH RBENV_ROOT ASDF_DIR ASDF_DATA_DIR NIX_PATH',
  ].flatMap((line) => line.split(' ')),
);

const ALLOWED_PREFIXES = ['LC_', 'PYENV_', 'NVM_'];

/** What a prefix lets through by accident, such as NVM_AUTH_HEADER. */
const SECRET = /AUTH|KEY|TOKEN|SECRET|PASS|CREDENTIAL|URL/i;

const isAllowed = (name: string): boolean =>
  ALLOWED.has(name) || (ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix)) && !SECRET.test(name));

/** The part of an environment that a child may see. Variables without a value are left out. */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = Object.entries(environment);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && isAllowed(entry[0])),
  );
}
