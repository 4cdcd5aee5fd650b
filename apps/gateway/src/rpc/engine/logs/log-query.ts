/** The block range of an `eth_getLogs`, and the same question for another range. */

import { ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import { eachMember, elementAt } from '@flowgate/json/valid-json';
import type { JsonText, NodeQuestion } from '../../../upstream/port/node-port.ts';
import type { NamedBlock } from '../named-block.ts';

export type LogEnds = Extract<NamedBlock, { kind: 'range' }>;

export function asksForLogs({ method }: NodeQuestion): boolean {
  // This runs for every question of every batch. A string of another length differs at once, without a hash.
  return method === 'eth_getLogs' || method === 'klay_getLogs' || method === 'kaia_getLogs';
}

/** A block by its height; both ends are included. */
export type BlockRange = { readonly from: number; readonly to: number };

export function blocksOf({ from, to }: BlockRange): number {
  return to - from + 1;
}

export function hexOf(height: number): string {
  return `0x${height.toString(16)}`;
}

/** Writes the params for other ranges: every member of the filter except its ends is unchanged. `params`: the params of a question that names a range. */
export function questionsLike(params: JsonText | undefined): (range: BlockRange) => JsonText {
  const members: Uint8Array[] = [];
  if (params !== undefined) {
    const { bytes, start, end } = params;
    const at = elementAt(bytes, start, end, 0);
    if (at >= 0)
      eachMember(bytes, at, end, (nameAt, nameEnd, _valueAt, valueEnd) => {
        const name = new ByteRange(bytes, nameAt + 1, nameEnd - 1);
        if (name.length > maxEndNameLength || !endNames.has(name.text()))
          members.push(bytes.subarray(nameAt, valueEnd), comma);
        return true;
      });
  }
  const beginning = Buffer.concat([open, ...members]);
  return ({ from, to }) => {
    const ends = Buffer.from(`"fromBlock":"${hexOf(from)}","toBlock":"${hexOf(to)}"}]`);
    const whole = Buffer.concat([beginning, ends]);
    return new ByteRange(whole, 0, whole.length);
  };
}

const open = Buffer.from('[{');
const comma = Buffer.from(',');
const endNames: ReadonlySet<string> = new Set(['fromBlock', 'toBlock', 'blockHash']);
const maxEndNameLength = 9;

/** The error for a question that is too large, with a range that fits and has the same start. */
export function tooMuch(reason: string, fits: BlockRange): JsonText {
  const [fromBlock, toBlock] = [hexOf(fits.from), hexOf(fits.to)];
  const message = `${reason}. Try with this block range [${fromBlock}, ${toBlock}].`;
  return rangeOf(JSON.stringify({ code: -32005, message, data: { fromBlock, toBlock } }));
}

/** The error for a range that ends above the newest available block. It names the available part of the range, if there is one. */
export function beyondHead(from: number, reached: number): JsonText {
  const reason = `block range extends beyond the newest available block ${hexOf(reached)}`;
  if (from <= reached) return tooMuch(reason, { from, to: reached });
  return rangeOf(JSON.stringify({ code: -32005, message: `${reason}.`, data: { toBlock: hexOf(reached) } }));
}
