/** The block that a result names as its own, read from the result's bytes. */

import { openBracket } from '@flowgate/json/json-scan';
import { eachMember, elementAt, isExactly } from '@flowgate/json/valid-json';
import type { JsonText } from '../../../upstream/port/node-port.ts';
import type { CacheableMethod } from './cacheable-methods.ts';

export type ReportedBlock = {
  readonly height: number;
  /** `0x` and 64 lower-case digits. */
  readonly hash: string;
};

const names = {
  own: { hash: Buffer.from('"hash"'), height: Buffer.from('"number"') },
  holder: { hash: Buffer.from('"blockHash"'), height: Buffer.from('"blockNumber"') },
};

const quantity = /^"0x(?:0|[1-9a-f][0-9a-f]{0,12})"$/i;
const hashText = /^"0x[0-9a-f]{64}"$/i;

/** Reads an object, or the first element of an array: all receipts of a block name that block. Undefined without a block, such as for a pending transaction. Stops when both members are found. */
export function reportedBlock(
  { bytes, start, end }: JsonText,
  reports: NonNullable<CacheableMethod['reports']>,
): ReportedBlock | undefined {
  const at = bytes[start] === openBracket ? elementAt(bytes, start, end, 0) : start;
  if (at < 0) return undefined;
  const wanted = names[reports];
  let hash: string | undefined;
  let height: string | undefined;
  eachMember(bytes, at, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    if (isExactly(bytes, nameAt, nameEnd, wanted.hash)) hash = shortText(bytes, valueAt, valueEnd);
    else if (isExactly(bytes, nameAt, nameEnd, wanted.height)) height = shortText(bytes, valueAt, valueEnd);
    return hash === undefined || height === undefined;
  });
  if (hash === undefined || height === undefined || !hashText.test(hash) || !quantity.test(height)) return undefined;
  return { height: Number(height.slice(1, -1)), hash: hash.slice(1, -1).toLowerCase() };
}

const { latin1Slice } = Buffer.prototype;
const maxValueLength = 68;

function shortText(bytes: Uint8Array, start: number, end: number): string {
  return end - start > maxValueLength ? '' : latin1Slice.call(bytes, start, end);
}
