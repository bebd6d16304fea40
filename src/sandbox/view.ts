import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What a confined program may see and do beside reading the system. */
export interface View {
  /** Absolute real path; all in it may be read and written. */
  readonly workspace: string;
  readonly network: boolean;
  /** Absolute paths that are hidden even where they lie in the workspace. What is missing there is made, as an empty folder. */
  readonly hidden: readonly string[];
  /** Of pawl: says where home and toolchains are. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Both absolute and without dots. */
export const isWithin = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder === path.sep ? folder : `${folder}${path.sep}`);

/** The folder that programs take for home. */
export function homeOf({ environment }: Pick<View, 'environment'>): string {
  const { HOME } = environment;
  return HOME !== undefined && path.isAbsolute(HOME)
    ? path.normalize(HOME).replace(/(?<=.)\/$/, '')
    : os.homedir();
}

/** Links resolved; undefined where there is nothing. */
export function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/** Home cannot be hidden where it is what may be written to. */
export function unfitWorkspace(view: View): string | undefined {
  const { workspace } = view;
  const homes = [homeOf(view), os.homedir()].map((home) => realPath(home) ?? home);
  if (workspace === '/') return 'the workspace is the whole file system';
  if (homes.includes(workspace)) return 'the workspace is your home folder, which a sandbox has to hide';
  return homes.some((home) => home !== '/' && isWithin(workspace, home))
    ? `the workspace ${workspace} holds your home folder, which a sandbox has to hide`
    : undefined;
}
