/**
 * Where the programs that PATH names have the rest of themselves. Many lie at home, which is hidden: so only these
 * folders of it are shown, and never one that holds what is to be hidden.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { homeOf, isWithin, realPath, type View } from './view.ts';

/** Lists of folders. */
const SEARCHED = ['PATH', 'LD_LIBRARY_PATH', 'PYTHONPATH'];

/** A folder or a file each. */
const NAMED = [
  'VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT NVM_DIR FNM_DIR FNM_MULTISHELL_PATH VOLTA_HOME BUN_INSTALL RBENV_ROOT ASDF_DIR',
  'ASDF_DATA_DIR RUSTUP_HOME GOROOT GOPATH JAVA_HOME MAVEN_HOME GRADLE_HOME DOTNET_ROOT',
  'SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT',
].flatMap((line) => line.split(' '));

/** Found without a variable: rustup's compilers behind ~/.cargo/bin, and what `pip install --user` installs. */
const AT_HOME = ['.rustup', '.local/lib'];

/** Of these, a program is shown without its surroundings: keys and other people's things lie beside it. */
const SHARED_AT_HOME = ['', '.local', '.cargo'];

const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'shims', 'condabin', 'Scripts']);

/** In a virtual environment these are links to the installation that it was made from. */
const LINKED_PROGRAM = /^(python|node)[\d.]*$/;

/** @returns absolute paths, each within none of the others; not all of them need to exist */
export function toolchainPaths(view: View): string[] {
  const { environment, workspace, hidden } = view;
  const home = homeOf(view);
  const values = (names: readonly string[]) =>
    names.flatMap((name) => environment[name]?.split(path.delimiter) ?? []);
  const folders = values(SEARCHED)
    .filter((one) => path.isAbsolute(one))
    .map(path.normalize);
  const prefixes = [...folders, ...folders.flatMap(linkedFolders)].map((folder) => prefixOf(folder, view));
  const named = values(NAMED).filter((one) => path.isAbsolute(one));
  const all = [...prefixes, ...named.map(path.normalize), ...AT_HOME.map((name) => path.join(home, name))];
  const shown = [...new Set(all.map((one) => one.replace(/(?<=.)\/$/, '')))].filter(
    (one) => !holdsPrivate(one, view) && ![workspace, ...hidden].some((closed) => isWithin(closed, one)),
  );
  return shown.filter((one) => !shown.some((other) => other !== one && isWithin(other, one)));
}

/** The installation that a folder of programs is a part of. */
function prefixOf(folder: string, view: View): string {
  const parent = path.dirname(folder);
  const home = homeOf(view);
  const isShared =
    path.dirname(parent) === '/' || SHARED_AT_HOME.some((name) => path.join(home, name) === parent);
  const isWhole = PROGRAM_FOLDERS.has(path.basename(folder)) && parent !== '/' && !isShared;
  return isWhole && !holdsPrivate(parent, view) ? parent : folder;
}

function holdsPrivate(folder: string, view: View): boolean {
  const real = realPath(folder) ?? folder;
  const home = homeOf(view);
  return [home, realPath(home) ?? home, view.workspace, ...view.hidden].some((one) => isWithin(real, one));
}

function linkedFolders(folder: string): string[] {
  const links = namesIn(folder).filter((name) => LINKED_PROGRAM.test(name));
  return links.flatMap((name) => {
    const real = realPath(path.join(folder, name));
    return real === undefined || path.dirname(real) === folder ? [] : [path.dirname(real)];
  });
}

function namesIn(folder: string): string[] {
  if (isWithin('/usr', folder)) return [];
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
