/**
 * Checks that bytes are complete Zstandard frames without trailing data (RFC 8878, 3.1). The runtime's own decoder
 * accepts a truncated frame and drops trailing data.
 */

const frameMagic = 0xfd2fb528;
/** The last digit may have any value. */
const skippableMagic = 0x184d2a50;
const reservedBlock = 3;
const repeatedByteBlock = 1;
/**
 * Frames, including skippable ones. The runtime's decoder begins each on the event loop: half a million empty frames
 * would block it for a quarter of a second.
 */
const maxFrames = 256;
/** Blocks of all frames together. They are walked on the event loop; an encoder writes up to 128 KiB into one block. */
const maxBlocks = 65_536;

type Walk = { readonly view: DataView; blocks: number; windowBytes: number };

/**
 * The window memory that a decoder of these frames needs, as the frames announce it. Undefined for incomplete frames,
 * too many frames or blocks, and no bytes. Reads only the heads of frames and blocks; the decoder checks the contents.
 */
export function zstdWindowBytes(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk: Walk = { view, blocks: 0, windowBytes: 0 };
  let at = 0;
  let frames = 0;
  do {
    if (at + 8 > bytes.length || ++frames > maxFrames) return undefined;
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === skippableMagic >>> 4) at += 8 + view.getUint32(at + 4, true);
    else if (magic === frameMagic) at = afterFrame(walk, at + 4);
    else return undefined;
    if (at < 0 || at > bytes.length) return undefined;
  } while (at < bytes.length);
  return walk.windowBytes;
}

/** `at`: the index after the magic number. Returns -1 when the frame is incomplete or there are too many blocks. */
function afterFrame(walk: Walk, at: number): number {
  const { view } = walk;
  const descriptor = view.getUint8(at);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0x03] ?? 0;
  const sizeAt = at + 1 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  let next = sizeAt + sizeBytes;
  if (next > view.byteLength) return -1;
  const windowBytes = isSingleSegment ? contentBytes(view, sizeAt, sizeBytes) : windowOf(view.getUint8(at + 1));
  walk.windowBytes = Math.max(walk.windowBytes, windowBytes);
  for (;;) {
    if (next + 3 > view.byteLength || ++walk.blocks > maxBlocks) return -1;
    const head = view.getUint16(next, true) | (view.getUint8(next + 2) << 16);
    const kind = (head >>> 1) & 3;
    if (kind === reservedBlock) return -1;
    next += 3 + (kind === repeatedByteBlock ? 1 : head >>> 3);
    if ((head & 1) === 1) return next + (hasChecksum ? 4 : 0);
  }
}

/** RFC 8878, 3.1.1.1.2: an exponent, and a mantissa in eighths. */
function windowOf(descriptor: number): number {
  const power = 2 ** (10 + (descriptor >>> 3));
  return power + (power / 8) * (descriptor & 7);
}

/** RFC 8878, 3.1.1.1.4. */
function contentBytes(view: DataView, at: number, size: number): number {
  if (size === 8) return Number(view.getBigUint64(at, true));
  if (size === 4) return view.getUint32(at, true);
  return size === 2 ? view.getUint16(at, true) + 256 : view.getUint8(at);
}
