/** Pictures that the model can be shown: of a kind that the service takes, whole, and not too large. */
export interface Image {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
  /** Cut off at the end: the service would refuse it, and with it every later request of the run. */
  readonly isWhole: boolean;
}

/** undefined: it is none of these kinds. */
export function imageOf(bytes: Buffer): Image | undefined {
  const head = bytes.toString('latin1', 0, 16);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return png(bytes);
  if (head.startsWith('\xff\xd8\xff')) return jpeg(bytes);
  if (/^GIF8[79]a/.test(head)) return gif(bytes);
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return webp(bytes);
  return undefined;
}

/** Where the bytes end early, the size is 0, and the picture not whole. */
const at = (bytes: Buffer, place: number, read: (place: number) => number, size: number): number =>
  place + size <= bytes.length ? read(place) : 0;

const big16 = (bytes: Buffer, place: number) => at(bytes, place, (from) => bytes.readUInt16BE(from), 2);
const big32 = (bytes: Buffer, place: number) => at(bytes, place, (from) => bytes.readUInt32BE(from), 4);
const little = (bytes: Buffer, place: number, size: number) =>
  at(bytes, place, (from) => bytes.readUIntLE(from, size), size);

const png = (bytes: Buffer): Image => ({
  mediaType: 'image/png',
  width: big32(bytes, 16),
  height: big32(bytes, 20),
  isWhole: hasEnd(bytes, bytes.lastIndexOf('IEND')),
});

/** The name of the last part, and its checksum. */
const hasEnd = (bytes: Buffer, place: number): boolean => place !== -1 && place + 8 <= bytes.length;

const gif = (bytes: Buffer): Image => ({
  mediaType: 'image/gif',
  width: little(bytes, 6, 2),
  height: little(bytes, 8, 2),
  isWhole: bytes.at(-1) === 0x3b,
});

/** Its size stands in the frame header, behind segments that each tell their length; the scan comes last, up to an end mark. */
function jpeg(bytes: Buffer): Image {
  let [width, height] = [0, 0];
  for (let place = 2; bytes[place] === 0xff; ) {
    const kind = bytes[place + 1] ?? 0;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
    if (isFrame) [width, height] = [big16(bytes, place + 7), big16(bytes, place + 5)];
    if (kind === 0xda) {
      const isWhole = bytes.includes(Buffer.of(0xff, 0xd9), place);
      return { mediaType: 'image/jpeg', width, height, isWhole };
    }
    // A fill byte stands before a marker; a length counts its own two bytes.
    place += kind === 0xff ? 1 : 2 + Math.max(2, big16(bytes, place + 2));
  }
  return { mediaType: 'image/jpeg', width, height, isWhole: false };
}

/** Three forms of the same: with loss, without, and extended. */
function webp(bytes: Buffer): Image {
  const form = bytes.toString('latin1', 12, 16);
  const [width, height] =
    form === 'VP8X'
      ? [little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1]
      : form === 'VP8L'
        ? losslessSize(little(bytes, 21, 4))
        : [little(bytes, 26, 2) & 0x3fff, little(bytes, 28, 2) & 0x3fff];
  return { mediaType: 'image/webp', width, height, isWhole: bytes.length >= little(bytes, 4, 4) + 8 };
}

const losslessSize = (bits: number): [number, number] => [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
