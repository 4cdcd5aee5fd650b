/** A block's header as `newHeads` tells it, made from what a node said of the block. */

import { type LogsBloom, readBloom } from '@flowgate/chain/logs-bloom';
import { eachMember, skipBlank } from '@flowgate/json/valid-json';
import type { JsonText } from '../../upstream/port/node-port.ts';

export type HeadNotification = {
  /** The notification's result. */
  readonly bytes: Uint8Array;
  readonly bloom: LogsBloom | undefined;
};

/** What blocks have and headers have not (Geth's `types.Header`): callers notice no difference between nodes that tell headers and nodes that are asked for blocks. */
const notOfHeaders: ReadonlySet<string> = new Set(['transactions', 'uncles', 'size', 'totalDifficulty', 'withdrawals']);
const { latin1Slice } = Buffer.prototype;
const comma = Buffer.from(',');

/** `header`: valid JSON, an object. */
export function headNotification(header: JsonText): HeadNotification {
  const { bytes, start, end } = header;
  const kept: Uint8Array[] = [];
  let bloom: LogsBloom | undefined;
  const at = skipBlank(bytes, start, end);
  eachMember(bytes, at, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    const name = latin1Slice.call(bytes, nameAt + 1, nameEnd - 1);
    if (notOfHeaders.has(name)) return true;
    if (name === 'logsBloom') bloom = readBloom(latin1Slice.call(bytes, valueAt + 1, valueEnd - 1));
    if (kept.length > 0) kept.push(comma);
    kept.push(bytes.subarray(nameAt, valueEnd));
    return true;
  });
  return { bytes: Buffer.concat([Buffer.from('{'), ...kept, Buffer.from('}')]), bloom };
}
