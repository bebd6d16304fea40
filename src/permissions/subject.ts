/** What a call amounts to for the rules: the parts of a command line, the place of a file, or the tool as a whole. */

import type { CallToJudge } from './policy.ts';
import { analyse } from './shell/analyse.ts';
import type { Redirection, Word } from './shell/part.ts';
import { type Items, UNKNOWN } from './wildcard.ts';

/** Where a path of a call leads. */
export type Place =
  | {
      /** The path as it was written and, where links lead elsewhere, where it really leads; relative to the workspace. */
      readonly written: string;
      readonly real: string;
      readonly isFolder: boolean;
      /** The file tools do not touch it, though a process may. The text is for the model and says why. */
      readonly closed?: string;
    }
  /** Not to be used at all. The text is for the model and says why. */
  | { readonly problem: string };

/** Finds out where paths lead. Handed in, because the rules themselves touch no file. */
export type FindPlace = (workspace: string, path: string) => Promise<Place>;

interface Subject {
  /** For people: a part of a command, a path, the name of a tool. */
  readonly text: string;
  /** Whatever allows the command that runs it allows this, too: only rules that forbid are asked about it. */
  readonly isCovered?: true;
}
/** A use of a file: the names of its path, as it was written and as it really is. */
export interface FileSubject extends Subject {
  readonly is: 'file';
  readonly tool: string;
  readonly isWrite: boolean;
  readonly written: Items;
  readonly real: Items;
  /** Known to stay in the workspace. */
  readonly isInside: boolean;
  /** By a redirection in a command. */
  readonly inShell: boolean;
}

export type JudgedPart =
  | FileSubject
  | (Subject & { readonly is: 'command'; readonly words: readonly Word[] })
  | (Subject & { readonly is: 'unknown' | 'evaluation'; readonly why: string })
  | (Subject & { readonly is: 'tool'; readonly tool: string })
  /** A path that cannot be used; the tool would say the same. */
  | (Subject & { readonly is: 'refused'; readonly why: string });

const WRITERS = ['write_file', 'edit_file'];
const READERS = ['read_file', 'list_files', 'search_files'];

export async function partsOf(call: CallToJudge, findPlace: FindPlace): Promise<readonly JudgedPart[]> {
  const { tool, workspace } = call;
  const { command, path = '.' } = call.input as { readonly command?: unknown; readonly path?: unknown };
  if (tool === 'bash' && typeof command === 'string') return shellParts(command, workspace, findPlace);
  if (![...WRITERS, ...READERS].includes(tool) || typeof path !== 'string')
    return [{ is: 'tool', text: tool, tool }];
  const place = await findPlace(workspace, path);
  if ('problem' in place) return [{ is: 'refused', text: path, why: place.problem }];
  if (place.closed !== undefined) return [{ is: 'refused', text: path, why: place.closed }];
  // A search reads files below the folder, and nobody knows which before it has read them.
  const below: Items = tool === 'search_files' && place.isFolder ? [UNKNOWN] : [];
  const use = { tool, isWrite: WRITERS.includes(tool), isInside: true, inShell: false };
  const [written, real] = [place.written, place.real].map((name) => [...namesIn(name), ...below]);
  return [{ is: 'file', text: `${tool} ${path}`, ...use, written: written ?? [], real: real ?? [] }];
}

async function shellParts(command: string, workspace: string, findPlace: FindPlace): Promise<JudgedPart[]> {
  const parts = await Promise.all(
    (await analyse(command)).map((part) => ('path' in part ? redirected(part, workspace, findPlace) : part)),
  );
  return parts.length === 0 ? [{ is: 'tool', text: command, tool: 'bash' }] : parts;
}

async function redirected(
  { is, text, path, isCovered }: Redirection & Subject,
  workspace: string,
  findPlace: FindPlace,
): Promise<FileSubject> {
  const isWrite = is === 'write';
  const use = {
    is: 'file',
    text,
    tool: isWrite ? 'write_file' : 'read_file',
    isWrite,
    inShell: true,
    ...(isCovered && { isCovered }),
  } as const;
  if (path === UNKNOWN) return { ...use, written: [path], real: [path], isInside: false };
  const place = await findPlace(workspace, path);
  const isInside = !('problem' in place);
  const [written, real] = isInside ? [place.written, place.real] : [path, path];
  return { ...use, written: namesIn(written), real: namesIn(real), isInside };
}

const namesIn = (path: string): readonly string[] =>
  path.split('/').filter((name) => name !== '' && name !== '.');
