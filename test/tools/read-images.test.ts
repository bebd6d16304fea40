import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../machines/protocol.ts';
import { localSandbox } from '../../src/sandbox/process.ts';
import { imageOf } from '../../src/tools/image.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import type { FinishedCall } from '../../src/tools/tool.ts';
import { workspace } from './support.ts';

const base64 = (text: string) => Buffer.from(text, 'base64');
const PNG = base64(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEUlEQVR4nGP4z8DAAMYMQAoAH+4C/m1SZV0AAAAASUVORK5CYII=',
);
const GIF = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
const WEBP = base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==');
const LOSSY = base64('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=');
const JPEG = Buffer.concat([
  base64('/9j/4AAQSkZJRgABAQEASABIAAD/'),
  // A comment, then the frame header: 7 high, 300 wide.
  Buffer.of(0xfe, 0, 4, 0xff, 0xd9, 0xff, 0xff, 0xc0, 0, 11, 8, 0, 7, 1, 44, 1, 1, 0x11, 0),
  Buffer.of(0xff, 0xda, 0, 2, 0xff, 0xd9),
]);

async function read(content: Uint8Array, finished: readonly FinishedCall[] = []) {
  const { root } = await workspace({ 'a.bin': content });
  const output = readFileTool.run(
    { path: 'a.bin' },
    {
      workspace: root,
      signal: new AbortController().signal,
      sandbox: localSandbox(),
      finishedCalls: () => finished,
      keepFile: async () => {},
      maxResultBytes: 100_000,
    },
  );
  return output as Promise<{ content: readonly ContentBlock[]; file: object }>;
}

const shownBefore = (imageBytes: number): FinishedCall => ({
  name: 'read_file',
  input: {},
  isError: false,
  file: { path: 'b.png', version: 'x', imageBytes },
});

/** A picture of this size, as far as its header tells. */
function pngOf(width: number, height: number, bytes = PNG.length) {
  const png = Buffer.concat([PNG.subarray(0, -12), Buffer.alloc(bytes - PNG.length), PNG.subarray(-12)]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

describe('a picture', () => {
  it.each([
    ['PNG', PNG, 'image/png', 3, 2],
    ['GIF', GIF, 'image/gif', 1, 1],
    ['WEBP', WEBP, 'image/webp', 1, 1],
    ['WEBP', LOSSY, 'image/webp', 1, 1],
    ['JPEG', JPEG, 'image/jpeg', 300, 7],
  ])('is shown to the model as one: %s', async (kind, bytes, media_type, width, height) => {
    const { content, file } = await read(bytes);
    expect(content).toEqual([
      {
        type: 'text',
        text: `a.bin is a ${kind} picture (${width} × ${height} pixels, ${bytes.length} bytes):`,
      },
      { type: 'image', source: { type: 'base64', media_type, data: bytes.toString('base64') } },
    ]);
    expect(file).toMatchObject({ path: 'a.bin', imageBytes: bytes.length });
  });

  it.each([
    ['PNG', PNG],
    ['GIF', GIF],
    ['JPEG', JPEG],
    ['WEBP', WEBP],
  ])('that is cut off is not shown, for the service would refuse it: %s', async (_, bytes) => {
    for (const length of [bytes.length - 1, 12])
      await expect(read(bytes.subarray(0, length))).rejects.toThrow(/damaged or cut off/);
  });

  it.each([
    ['too wide', pngOf(8_001, 10)],
    ['too high', pngOf(10, 8_001)],
    ['too many bytes', pngOf(10, 10, 3_750_001)],
  ])('that is too large is told how large it may be: %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow(/3,750,000 bytes and 8,000 pixels a side.*smaller copy/);
  });

  it('at the limits is shown', async () => {
    expect((await read(pngOf(8_000, 8_000, 3_750_000))).content).toHaveLength(2);
  });

  it('is not shown where those before it fill a request', async () => {
    const most = Array.from({ length: 20 }, () => shownBefore(1));
    await expect(read(PNG, most)).rejects.toThrow(/been shown 20 pictures/);
    expect((await read(PNG, most.slice(1))).content).toHaveLength(2);
    await expect(read(PNG, [shownBefore(15_000_000)])).rejects.toThrow(/does not fit into a request/);
  });

  it('of the extended kind has its size in another place', () => {
    const bytes = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x2b\x01\0\x06\0\0', 'latin1');
    expect(imageOf(bytes)).toMatchObject({ width: 300, height: 7 });
  });
});

describe('a file that is no text', () => {
  it.each([
    ['a PDF document', '%PDF-1.7\n'],
    ['a ZIP archive', 'PK\x03\x04'],
    ['a gzip archive', '\x1f\x8b\x08'],
    ['a compiled program', '\x7fELF\x02'],
    ['a SQLite database', 'SQLite format 3\0'],
    ['text in UTF-16', '\xff\xfea\0'],
    ['a binary file', 'text and\0more'],
    ['a binary file', '\x89\xfa'],
  ])('is told to be %s, with what can look at it', async (kind, beginning) => {
    await expect(read(Buffer.from(beginning, 'latin1'))).rejects.toThrow(
      new RegExp(`^a\\.bin is no UTF-8 text: it is ${kind}.* Use a program`),
    );
  });
});
