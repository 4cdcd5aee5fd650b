/** A block's `logsBloom`: a 2048-bit filter of the addresses and topics of its logs (yellow paper 4.4.3). */

import { keccak256 } from './keccak.ts';

const bloomBytes = 256;
/** Addresses and topics whose bits are cached. A cached entry saves the computation of a hash, some microseconds. */
const maxKnown = 50_000;

export type LogsBloom = Uint8Array;

/** Undefined for a missing bloom, and for one with all bits set, which chains without blooms write. */
export function readBloom(hex: string | undefined): LogsBloom | undefined {
  if (hex === undefined || !/^0x[0-9a-fA-F]{512}$/.test(hex)) return undefined;
  const bloom = Buffer.from(hex.slice(2), 'hex');
  return bloom.every((byte) => byte === 0xff) ? undefined : bloom;
}

export function isEmptyBloom(bloom: LogsBloom): boolean {
  return bloom.every((byte) => byte === 0);
}

export class BloomBits {
  readonly #known = new Map<string, readonly [number, number, number]>();

  /** Whether a log with this address or topic may be in the block. `value`: `0x` and an even number of digits. */
  has(bloom: LogsBloom, value: string): boolean {
    return this.#bitsOf(value).every((bit) => ((bloom[placeOf(bit)] ?? 0) & (1 << (bit & 7))) !== 0);
  }

  add(bloom: LogsBloom, value: string): void {
    for (const bit of this.#bitsOf(value)) bloom[placeOf(bit)] = (bloom[placeOf(bit)] ?? 0) | (1 << (bit & 7));
  }

  #bitsOf(value: string): readonly [number, number, number] {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const hash = keccak256(Buffer.from(value.slice(2), 'hex'));
    const bitAt = (at: number) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047;
    const bits = [bitAt(0), bitAt(2), bitAt(4)] as const;
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(value, bits);
    return bits;
  }
}

export function emptyBloom(): LogsBloom {
  return new Uint8Array(bloomBytes);
}

/** Whether every bit of `wanted` is in `given`. */
export function coversBloom(given: LogsBloom, wanted: LogsBloom): boolean {
  return wanted.every((byte, at) => (byte & ~(given[at] ?? 0)) === 0);
}

/** Bits are numbered from the last byte. */
function placeOf(bit: number): number {
  return bloomBytes - 1 - (bit >> 3);
}
