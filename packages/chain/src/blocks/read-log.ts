/** Reads a log in a node's answer and checks its form. */

import type { Hex } from 'viem';
import type { BridgeLog } from './bridge-log.ts';
import { addressIn, bytesIn, hashIn, membersOf, quantityIn } from './json-rpc-values.ts';

const maxTopics = 4;

/** Undefined if the value is no log of a block of the chain. */
export function readLog(value: unknown): BridgeLog | undefined {
  const members = membersOf(value);
  const address = addressIn(members['address']);
  const data = bytesIn(members['data']);
  const blockNumber = quantityIn(members['blockNumber']);
  const blockHash = hashIn(members['blockHash']);
  const transactionHash = hashIn(members['transactionHash']);
  const logIndex = quantityIn(members['logIndex']);
  const topics = readTopics(members['topics']);
  if (address === undefined || data === undefined || blockNumber === undefined || blockHash === undefined)
    return undefined;
  if (transactionHash === undefined || logIndex === undefined || topics === undefined) return undefined;
  if (members['removed'] !== undefined && members['removed'] !== false) return undefined;
  return { address, topics, data, blockNumber, blockHash, transactionHash, logIndex };
}

function readTopics(value: unknown): readonly Hex[] | undefined {
  if (!Array.isArray(value) || value.length > maxTopics) return undefined;
  const topics = value.map(hashIn).filter((topic) => topic !== undefined);
  return topics.length === value.length ? topics : undefined;
}
