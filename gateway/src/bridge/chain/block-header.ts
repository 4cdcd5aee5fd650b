/** A block's header as a node told it, after its form was checked. */

import type { Hex } from 'viem';
import { type LogsBloom, readBloom } from '../../platform/logs-bloom.ts';
import { hashIn, membersOf, quantityIn } from './told-values.ts';

export type BlockHeader = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestampMs: number;
  /** Undefined when it tells nothing. */
  readonly bloom: LogsBloom | undefined;
};

/** Undefined for what is no header, such as the null of a block that a node does not have. */
export function readHeader(value: unknown): BlockHeader | undefined {
  const members = membersOf(value);
  const number = quantityIn(members['number']);
  const hash = hashIn(members['hash']);
  const parentHash = hashIn(members['parentHash']);
  const timestamp = quantityIn(members['timestamp']);
  if (number === undefined || hash === undefined || parentHash === undefined || timestamp === undefined)
    return undefined;
  const { logsBloom } = members;
  const bloom = readBloom(typeof logsBloom === 'string' ? logsBloom : undefined);
  return { number, hash, parentHash, timestampMs: timestamp * 1_000, bloom };
}
