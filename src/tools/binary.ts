import { spell } from './names.ts';
import { ToolFailure } from './tool.ts';

/** How files of common kinds begin. */
const KINDS: readonly (readonly [beginning: string, kind: string])[] = [
  ['%PDF-', 'a PDF document; pdftotext prints its text'],
  ['PK\x03\x04', 'a ZIP archive (as are office documents and jars); unzip -l lists it'],
  ['\x1f\x8b', 'a gzip archive; gzip -dc or tar -tzf shows what is in it'],
  ['\x7fELF', 'a compiled program'],
  ['\x00asm', 'a WebAssembly module'],
  ['SQLite format 3\x00', 'a SQLite database; sqlite3 can query it'],
  ['\xff\xfe', 'text in UTF-16; iconv -f UTF-16 -t UTF-8 prints it'],
  ['\xfe\xff', 'text in UTF-16; iconv -f UTF-16 -t UTF-8 prints it'],
];

/** @throws ToolFailure that says what the file is, where its first bytes are no text */
export function assertText(head: Buffer, path: string): void {
  if (head.includes(0) || kindOf(head) !== undefined) throw notText(path, head);
}

export function notText(path: string, head: Buffer): ToolFailure {
  const kind = kindOf(head) ?? 'a binary file or in another encoding; file, xxd or iconv can tell more';
  return new ToolFailure(`${spell(path)} is no UTF-8 text: it is ${kind}. Use a program to look at it.`);
}

function kindOf(head: Buffer): string | undefined {
  const beginning = head.toString('latin1', 0, 16);
  return KINDS.find(([known]) => beginning.startsWith(known))?.[1];
}
