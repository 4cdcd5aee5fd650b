/** Reads a withdrawal from the message passer's log on L2: what is transferred, and the tuple with which it is proven and finalized on L1. */

import {
  type BridgeLog,
  ether,
  type L1BridgeContracts,
  l2Contracts,
  topicsOf,
} from '@flowgate/chain/blocks/bridge-log';
import { type Address, decodeEventLog, encodeAbiParameters, type Hex, keccak256 } from 'viem';
import { messagePasserAbi } from './bridge-abi.ts';
import { decoded, readMessage, same, type Transfer } from './bridge-message.ts';

/** In the form of the portal's parameter. */
export type WithdrawalTuple = {
  readonly nonce: bigint;
  readonly sender: Address;
  readonly target: Address;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly data: Hex;
};

export type ReadWithdrawal = Transfer & {
  readonly withdrawalHash: Hex;
  readonly tuple: WithdrawalTuple;
  /** The hash of the message that L1's messenger relays. The message may fail although the withdrawal is final. */
  readonly messageHash: Hex | undefined;
};

const tupleType = ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes'].map((type) => ({ type }));

/** L1's nodes accept no longer transaction (Geth's `txMaxSize`), so a withdrawal with more data cannot be proven. Anyone on L2 can create one of megabytes, and reading it would delay all callers. */
const maxDataBytes = 131_072;
/** `0x` and two digits for each byte: four words of the event, and the data with its length, in whole words. */
const maxLogDigits = 2 + 2 * (5 * 32 + maxDataBytes);

/** Undefined for a log that is not a withdrawal, whose hash does not match its content, or that cannot be proven on L1. */
export function readWithdrawalLog(log: BridgeLog, contracts: L1BridgeContracts): ReadWithdrawal | undefined {
  if (log.data.length > maxLogDigits) return undefined;
  const event = decoded(() => decodeEventLog({ abi: messagePasserAbi, topics: topicsOf(log), data: log.data }));
  if (event === undefined) return undefined;
  const { withdrawalHash, ...tuple } = event.args;
  if (hashOf(tuple) !== withdrawalHash) return undefined;
  const isRelayed = same(tuple.sender, l2Contracts.messenger) && same(tuple.target, contracts.l1CrossDomainMessenger);
  const ends = { source: l2Contracts.standardBridge, destination: contracts.l1StandardBridge, destinationIsL2: false };
  const message = isRelayed ? readMessage(tuple.data, ends) : undefined;
  if (message !== undefined) return { ...message, withdrawalHash, tuple };
  return {
    kind: tuple.data === '0x' ? 'native' : 'message',
    token: ether,
    amount: tuple.value,
    from: tuple.sender,
    to: tuple.target,
    ...{ withdrawalHash, tuple, messageHash: undefined },
  };
}

function hashOf({ nonce, sender, target, value, gasLimit, data }: WithdrawalTuple): Hex {
  return keccak256(encodeAbiParameters(tupleType, [nonce, sender, target, value, gasLimit, data]));
}
