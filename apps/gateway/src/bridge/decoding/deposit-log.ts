/** Reads a deposit from the portal's log: what is transferred, from whom to whom, and its transaction hash on L2. */

import {
  type BridgeLog,
  ether,
  type L1BridgeContracts,
  l2Contracts,
  topicsOf,
} from '@flowgate/chain/blocks/bridge-log';
import { type Address, decodeEventLog, getAddress, type Hex, keccak256, toHex } from 'viem';
import { getSourceHash, opaqueDataToDepositData, serializeTransaction } from 'viem/op-stack';
import { portalAbi } from './bridge-abi.ts';
import { decoded, readMessage, same, type Transfer } from './bridge-message.ts';

export type ReadDeposit = Transfer & {
  /** Derived from the log, including its block and index. It changes when the transaction is mined again in another block. */
  readonly l2TransactionHash: Hex;
  /** The hash of the message that is relayed on L2. The message may fail although the transaction succeeds. Undefined for a deposit by the portal alone. */
  readonly messageHash: Hex | undefined;
};

/** The part of a portal's log that does not depend on the sender of the transaction. */
export type DepositLog = {
  readonly deposit: ReadDeposit;
  /** Set when the sender may be a contract's alias: then only the transaction shows the sender. */
  readonly aliased: Address | undefined;
};

const offset = 0x1111000000000000000000000000000000001111n;
const size = 2n ** 160n;

/** A contract that deposits acts on L2 under another address, its alias (specs.optimism.io, Address aliasing). */
export function aliasOf(address: Address): Address {
  return fromNumber(BigInt(address) + offset);
}

function withoutAlias(alias: Address): Address {
  return fromNumber(BigInt(alias) - offset);
}

function fromNumber(value: bigint): Address {
  return getAddress(toHex(((value % size) + size) % size, { size: 20 }));
}

/** Undefined for a log that is not a deposit, or has a form that L2 does not know. */
export function readDepositLog(log: BridgeLog, contracts: L1BridgeContracts): DepositLog | undefined {
  const event = decoded(() =>
    decodeEventLog({ abi: portalAbi, eventName: 'TransactionDeposited', topics: topicsOf(log), data: log.data }),
  );
  if (event === undefined || event.args.version !== 0n) return undefined;
  const { from, to, opaqueData } = event.args;
  const content = decoded(() => opaqueDataToDepositData(opaqueData));
  if (content === undefined) return undefined;
  const { mint, value, gas, isCreation, data } = content;
  const sourceHash = getSourceHash({ domain: 'userDeposit', l1BlockHash: log.blockHash, l1LogIndex: log.logIndex });
  const envelope = { sourceHash, from, mint, value, gas, data, isSystemTx: false } as const;
  const l2TransactionHash = keccak256(
    serializeTransaction({ type: 'deposit', ...envelope, ...(isCreation ? {} : { to }) }),
  );
  const isRelayed = same(from, aliasOf(contracts.l1CrossDomainMessenger)) && same(to, l2Contracts.messenger);
  const message = isRelayed
    ? readMessage(data, {
        source: contracts.l1StandardBridge,
        destination: l2Contracts.standardBridge,
        destinationIsL2: true,
      })
    : undefined;
  if (message !== undefined) return { deposit: { ...message, l2TransactionHash }, aliased: undefined };
  const isPlain = data === '0x' && !isCreation;
  const deposit: ReadDeposit = {
    kind: isPlain ? 'native' : 'message',
    token: ether,
    // `value` arrives, whether the deposit mints it or spends it from the balance on L2.
    amount: value,
    ...{ from, to, l2TransactionHash, messageHash: undefined },
  };
  return { deposit, aliased: from };
}

/** The sender's address on L1. `transactionSender`: the signer of the depositing transaction. */
export function senderOf({ deposit, aliased }: DepositLog, transactionSender: Address): ReadDeposit {
  if (aliased === undefined || same(aliased, transactionSender)) return deposit;
  return { ...deposit, from: withoutAlias(aliased) };
}
