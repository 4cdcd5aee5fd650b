/** Parses a block from the result of `eth_getBlockBy…` or of a `newHeads` notification. */

import { ByteRange } from '@flowgate/bytes/byte-range';
import { eachMember } from '@flowgate/json/valid-json';
import type { JsonText } from '../port/node-port.ts';
import type { Block, JoinedBlock } from './network-heads.ts';

export type TimedBlock = Block & {
  /** Seconds since the Unix epoch. */
  readonly timestamp: number;
};

export type ReadBlock = TimedBlock & JoinedBlock;

/** Longer results are refused. A header with the hashes of ten thousand transactions is shorter. */
export const maxBlockBytes = 1_048_576;

const { latin1Slice } = Buffer.prototype;
const names = ['number', 'hash', 'parentHash', 'timestamp'] as const;
const maxNameLength = 'parentHash'.length;

/** `result` is valid JSON. Undefined if it is null, or a member is missing, malformed or duplicate. The header is a copy. */
export function readBlock(result: JsonText): ReadBlock | undefined {
  if (result.length > maxBlockBytes) return undefined;
  const { bytes, start, end } = result;
  const found = new Map<string, string>();
  const isClear = eachMember(bytes, start, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    if (nameEnd - nameAt - 2 > maxNameLength) return true;
    const name = latin1Slice.call(bytes, nameAt + 1, nameEnd - 1);
    if (!names.some((each) => each === name)) return true;
    if (found.has(name) || valueEnd - valueAt > 68) return false;
    found.set(name, latin1Slice.call(bytes, valueAt, valueEnd));
    return true;
  });
  const number = quantityIn(found.get('number'));
  const hash = hashIn(found.get('hash'));
  const parentHash = hashIn(found.get('parentHash'));
  const timestamp = quantityIn(found.get('timestamp')) ?? 0;
  if (!isClear || number === undefined || hash === undefined || parentHash === undefined) return undefined;
  const copy = Buffer.from(bytes.subarray(start, end));
  return { number, hash, parentHash, timestamp, header: new ByteRange(copy, 0, copy.length) };
}

/** Parses a JSON string that is a quantity. Leading zeros are allowed, because some nodes write them. */
export function quantityIn(json: string | undefined): number | undefined {
  if (json === undefined || !/^"0x[0-9a-fA-F]{1,16}"$/.test(json)) return undefined;
  const value = Number.parseInt(json.slice(3, -1), 16);
  return Number.isSafeInteger(value) ? value : undefined;
}

function hashIn(json: string | undefined): string | undefined {
  return json !== undefined && /^"0x[0-9a-fA-F]{64}"$/.test(json) ? json.slice(1, -1).toLowerCase() : undefined;
}
