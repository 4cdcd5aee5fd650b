/** The block that a result says it is of, read from its bytes. */

import { openBracket } from '@flowgate/json/json-scan';
import { eachMember, elementAt, isExactly } from '@flowgate/json/valid-json';
import type { JsonText } from '../../../upstream/port/node-port.ts';
import type { KeptMethod } from './kept-methods.ts';

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

/** Of an object, or of the first of an array: all receipts of a block are of that block. Undefined when it says none, such as what waits for its block. Stops where both are found. */
export function reportedBlock(
  { bytes, start, end }: JsonText,
  reports: NonNullable<KeptMethod['reports']>,
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
