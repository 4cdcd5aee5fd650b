/** Which results show the height of a block, and reads it from their first or last bytes (contract/heads#the-head-never-goes-back). */

import { comma, isTextAt, openBrace, openBracket, quote } from '@flowgate/json/json-scan';
import { eachMember, elementAt, endOfValue, isExactly } from '@flowgate/json/valid-json';
import type { JsonText } from '../../../upstream/port/node-port.ts';

/**
 * The place of the height. `quantity`: the result itself. `number`, `blockNumber`, `currentBlock`: in the member of that name, of the result or of the first of an array. `lastBlockNumber`: in the last
 * `blockNumber` of an array, which is ordered. `feeHistory`: `oldestBlock` and as many blocks as there are of `gasUsedRatio`.
 */
export type ShownForm = 'quantity' | 'number' | 'blockNumber' | 'currentBlock' | 'lastBlockNumber' | 'feeHistory';

const shownBy: ReadonlyMap<string, ShownForm> = new Map<string, ShownForm>([
  ['eth_blockNumber', 'quantity'],
  ['erigon_blockNumber', 'quantity'],
  ['eth_syncing', 'currentBlock'],
  ['eth_feeHistory', 'feeHistory'],
  ...['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getHeaderByNumber', 'eth_getHeaderByHash'].map(
    (method) => [method, 'number'] as const,
  ),
  ...[
    ...['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getTransactionByBlockNumberAndIndex'],
    ...['eth_getTransactionByBlockHashAndIndex', 'eth_getBlockReceipts', 'eth_sendRawTransactionSync'],
  ].map((method) => [method, 'blockNumber'] as const),
  ...['eth_getLogs', 'eth_getFilterLogs', 'eth_getFilterChanges'].map((method) => [method, 'lastBlockNumber'] as const),
]);

/** The numbers of first and last bytes of a result that are read. */
const lookedAt = { first: 8_192, last: 4_096 } as const;

/** Undefined: its result shows no height. */
export function shownFormOf(method: string): ShownForm | undefined {
  return shownBy.get(method);
}

/** Undefined when none is found. `first` and `last`: the beginning and the end of the result's valid JSON; of a short one both are all of it. */
export function shownHeight(form: ShownForm, first: JsonText, last: JsonText): number | undefined {
  const { bytes, start } = first;
  const end = Math.min(first.end, start + lookedAt.first);
  switch (form) {
    case 'quantity':
      return quantityAt(bytes, start, end);
    case 'lastBlockNumber':
      return lastOf(last, names.blockNumber);
    case 'feeHistory':
      return newestOf(bytes, start, end);
    default: {
      const at = bytes[start] === openBracket ? elementAt(bytes, start, end, 0) : start;
      if (at < 0 || bytes[at] !== openBrace) return undefined;
      return memberOf(bytes, at, end, names[form]) ?? lastOf(last, names[form]);
    }
  }
}

const names = {
  number: Buffer.from('"number"'),
  blockNumber: Buffer.from('"blockNumber"'),
  currentBlock: Buffer.from('"currentBlock"'),
  oldestBlock: Buffer.from('"oldestBlock"'),
  gasUsedRatio: Buffer.from('"gasUsedRatio"'),
};

function memberOf(bytes: Uint8Array, at: number, end: number, name: Uint8Array): number | undefined {
  let height: number | undefined;
  eachMember(bytes, at, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    if (!isExactly(bytes, nameAt, nameEnd, name)) return true;
    height = quantityAt(bytes, valueAt, valueEnd);
    return false;
  });
  return height;
}

/** Reads the last member of this name in the last bytes, in any object. */
function lastOf({ bytes, start, end }: JsonText, name: Uint8Array): number | undefined {
  for (let at = end - name.length; at >= Math.max(start, end - lookedAt.last); at--)
    if (bytes[at] === quote && isTextAt(bytes, at, name)) {
      const valueAt = bytes.indexOf(quote, at + name.length);
      return valueAt < 0 || valueAt >= end ? undefined : quantityAt(bytes, valueAt, end);
    }
  return undefined;
}

function newestOf(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (bytes[start] !== openBrace) return undefined;
  let oldest: number | undefined;
  let blocks = 0;
  eachMember(bytes, start, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    if (isExactly(bytes, nameAt, nameEnd, names.oldestBlock)) oldest = quantityAt(bytes, valueAt, valueEnd);
    else if (isExactly(bytes, nameAt, nameEnd, names.gasUsedRatio)) blocks = countOf(bytes, valueAt, valueEnd);
    return oldest === undefined || blocks === 0;
  });
  return oldest === undefined || blocks === 0 ? undefined : oldest + blocks - 1;
}

/** The number of elements in an array of numbers. */
function countOf(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== openBracket || end - start < 3) return 0;
  let count = 1;
  for (let at = start; at < end; at++) if (bytes[at] === comma) count++;
  return count;
}

/** Reads `"0x` and at most 14 hexadecimal digits, which may begin with zeros. */
function quantityAt(bytes: Uint8Array, at: number, end: number): number | undefined {
  const valueEnd = Math.min(end, at + 18);
  if (bytes[at] !== quote || bytes[at + 1] !== 0x30 || bytes[at + 2] !== 0x78) return undefined;
  const textEnd = endOfValue(bytes, at, valueEnd);
  if (bytes[textEnd - 1] !== quote || textEnd - at < 5) return undefined;
  let height = 0;
  for (let i = at + 3; i < textEnd - 1; i++) {
    const byte = bytes[i] ?? 0;
    const digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
    if (digit < 0 || digit > 15) return undefined;
    height = height * 16 + digit;
  }
  return Number.isSafeInteger(height) ? height : undefined;
}
