import { spell } from './names.ts';
import { ToolFailure } from './tool.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission for it. Choose another path, or say that the permission is missing',
  EPERM: 'the system does not permit it. Choose another path, or say that the permission is missing',
  EROFS: 'it is on a read-only file system. Choose another path',
  ENOSPC: 'the disk is full. Free some space first, or say that the disk is full',
  EDQUOT: 'the disk quota is used up. Free some space first, or say that the quota is used up',
  ENAMETOOLONG: 'the path is longer than the system allows. Choose a shorter one',
  ELOOP: 'its links lead in a circle. Choose the path of a real file',
  ENOTDIR:
    'a part of the path is a file where a folder is needed. Use list_files, or a program, to see what is there',
  EEXIST:
    'a part of the path is a file where a folder is needed. Use list_files, or a program, to see what is there',
  ENOENT: 'it is not there (any more). Use list_files, or a program, to see what is there',
};

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;

/** What the file system said, in words for the model. Anything that is no file system error comes back as it was. */
export function fileFailure(error: unknown, doing: string, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const meaning = MEANINGS[code] ?? `the system answered ${code}. Try another path or another way`;
  return new ToolFailure(`Cannot ${doing} ${spell(path)}: ${meaning}.`, { cause: error });
}
