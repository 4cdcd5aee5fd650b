/** The content of a cross-domain message: ether or tokens of the standard bridges, or any other call (contract/bridge#kinds). */

import { type BridgedToken, ether, type TransferKind } from '@flowgate/chain/blocks/bridge-log';
import { type Address, decodeFunctionData, type Hex, keccak256 } from 'viem';
import { messengerAbi, standardBridgeAbi } from './bridge-abi.ts';

export type Transfer = {
  readonly kind: TransferKind;
  readonly token: BridgedToken;
  readonly amount: bigint;
  /** The sender, without alias. */
  readonly from: Address;
  readonly to: Address;
};

export type BridgeMessage = Transfer & {
  /** The hash with which the messenger on the other side reports that the message was relayed, or failed. */
  readonly messageHash: Hex;
};

/** The two standard bridges: `source` sends the message, `destination` receives it. */
export type BridgeEnds = { readonly source: Address; readonly destination: Address; readonly destinationIsL2: boolean };

/** `calldata` for the messenger on the other side. Undefined when it is not a message of the current form (version 1). */
export function readMessage(calldata: Hex, ends: BridgeEnds): BridgeMessage | undefined {
  const call = decoded(() => decodeFunctionData({ abi: messengerAbi, data: calldata }));
  if (call === undefined) return undefined;
  const [, sender, target, value, , message] = call.args;
  const messageHash = keccak256(calldata);
  const isOfBridge = same(sender, ends.source) && same(target, ends.destination);
  const transfer = isOfBridge ? readBridgeCall(message, ends.destinationIsL2) : undefined;
  if (transfer !== undefined) return { ...transfer, messageHash };
  return { kind: 'message', token: ether, amount: value, from: sender, to: target, messageHash };
}

function readBridgeCall(message: Hex, destinationIsL2: boolean): Transfer | undefined {
  const call = decoded(() => decodeFunctionData({ abi: standardBridgeAbi, data: message }));
  if (call === undefined) return undefined;
  if (call.functionName === 'finalizeBridgeETH') {
    const [from, to, amount] = call.args;
    return { kind: 'native', token: ether, amount, from, to };
  }
  const [local, remote, from, to, amount] = call.args;
  const [l1, l2] = destinationIsL2 ? [remote, local] : [local, remote];
  return { kind: 'token', token: { native: false, l1, l2 }, amount, from, to };
}

export function same(one: Address, other: Address): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Undefined for data of another form: anyone can send any data. */
export function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
