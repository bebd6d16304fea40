/**
 * A picture of the page with 256 colours at most, which takes a third of the space. A page has few colours and the steps
 * between them, so the commonest ones of each kind are kept, and each of the others becomes the nearest of these.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;
const MOST_KINDS = 192;
/** Colour types of the format. */
const [RGB, PALETTE, RGBA] = [2, 3, 6];

/** @param png as a browser makes it: eight bits for each of three or four channels, not interlaced */
export function smallPng(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]];
  if (kind !== RGB && kind !== RGBA) throw new Error(`a picture of colour type ${kind}`);
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = pixelsOf(inflateSync(packed), width, height, kind === RGBA ? 4 : 3);
  const { palette, places } = reduced(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      rows[row * (width + 1) + column + 1] = places[row * width + column] ?? 0;
  const small = Buffer.from(header);
  small[9] = PALETTE;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', small),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Colours row by row, as numbers. Each row is written as differences from what is left of it and above. */
function pixelsOf(bytes: Buffer, width: number, height: number, channels: number): Uint32Array {
  const stride = width * channels;
  const plain = Buffer.alloc(stride * height);
  const at = (row: number, place: number) => (row < 0 || place < 0 ? 0 : (plain[row * stride + place] ?? 0));
  for (let row = 0; row < height; row += 1) {
    const filter = bytes[row * (stride + 1)] ?? 0;
    for (let place = 0; place < stride; place += 1) {
      const [left, above, corner] = [
        at(row, place - channels),
        at(row - 1, place),
        place < channels ? 0 : at(row - 1, place - channels),
      ];
      const guess = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter] ?? 0;
      plain[row * stride + place] = (bytes[row * (stride + 1) + 1 + place] ?? 0) + guess;
    }
  }
  return Uint32Array.from({ length: width * height }, (_, index) => plain.readUIntBE(index * channels, 3));
}

function nearest(left: number, above: number, corner: number): number {
  const sum = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(sum - one)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function reduced(pixels: Uint32Array): { palette: Buffer; places: Uint8Array } {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  // One of each kind first: else, what is small but has a colour of its own would lose it.
  const kinds = new Map<number, number>();
  for (const colour of common) {
    const kind = colour & 0xf0f0f0;
    if (!kinds.has(kind)) kinds.set(kind, colour);
  }
  const kept = [...new Set([...[...kinds.values()].slice(0, MOST_KINDS), ...common])].slice(0, MOST_COLOURS);
  const parts = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;
  const distance = (one: number, other: number) => {
    const [a, b] = [parts(one), parts(other)];
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
  };
  const places = new Map(kept.map((colour, place) => [colour, place]));
  for (const colour of counts.keys())
    if (!places.has(colour)) {
      let best = 0;
      for (let place = 1; place < kept.length; place += 1)
        if (distance(colour, kept[place] ?? 0) < distance(colour, kept[best] ?? 0)) best = place;
      places.set(colour, best);
    }
  return {
    palette: Buffer.from(kept.flatMap((colour) => [...parts(colour)])),
    places: Uint8Array.from(pixels, (colour) => places.get(colour) ?? 0),
  };
}
