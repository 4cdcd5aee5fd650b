/** A block's header from a node, after validation of its form. */

import type { Hex } from 'viem';
import { type LogsBloom, readBloom } from '../logs-bloom.ts';
import { hashIn, membersOf, quantityIn } from './json-rpc-values.ts';

export type BlockHeader = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestampMs: number;
  /** Undefined if the header has no usable bloom. */
  readonly bloom: LogsBloom | undefined;
  /** The root that proves the block's receipts; undefined if the node does not report it. */
  readonly receiptsRoot: Hex | undefined;
};

/** The end of the year 9999. Later times need more than four digits for the year, and lists cannot format them. */
const latestSeconds = 253_402_300_799;

/** Undefined if the value is no header, such as the `null` for a block that a node does not have. */
export function readHeader(value: unknown): BlockHeader | undefined {
  const members = membersOf(value);
  const number = quantityIn(members['number']);
  const hash = hashIn(members['hash']);
  const parentHash = hashIn(members['parentHash']);
  const timestamp = quantityIn(members['timestamp']);
  if (number === undefined || hash === undefined || parentHash === undefined || timestamp === undefined)
    return undefined;
  if (timestamp > latestSeconds) return undefined;
  const { logsBloom } = members;
  const bloom = readBloom(typeof logsBloom === 'string' ? logsBloom : undefined);
  const receiptsRoot = hashIn(members['receiptsRoot']);
  return { number, hash, parentHash, timestampMs: timestamp * 1_000, bloom, receiptsRoot };
}
