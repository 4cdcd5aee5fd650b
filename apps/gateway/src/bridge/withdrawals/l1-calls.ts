/** Encodes calls of the portal, the factory and games on L1, and parses their results strictly. */

import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { decoded } from '../decoding/bridge-message.ts';

export const l1Abi = parseAbi([
  'function paused() view returns (bool)',
  'function respectedGameType() view returns (uint32)',
  'function respectedGameTypeUpdatedAt() view returns (uint64)',
  'function proofMaturityDelaySeconds() view returns (uint256)',
  'function disputeGameFinalityDelaySeconds() view returns (uint256)',
  'function disputeGameBlacklist(address game) view returns (bool)',
  'function finalizedWithdrawals(bytes32 withdrawalHash) view returns (bool)',
  'function provenWithdrawals(bytes32 withdrawalHash, address submitter) view returns (address game, uint64 timestamp)',
  'function failedMessages(bytes32 messageHash) view returns (bool)',
  'function successfulMessages(bytes32 messageHash) view returns (bool)',
  'function status() view returns (uint8)',
  'function gameType() view returns (uint32)',
  'function createdAt() view returns (uint64)',
  'function rootClaim() view returns (bytes32)',
  'function resolvedAt() view returns (uint64)',
  'function claimDataLen() view returns (uint256)',
  'function maxClockDuration() view returns (uint64)',
  'function l2SequenceNumber() view returns (uint256)',
  'function l2BlockNumber() view returns (uint256)',
]);

export type L1Call = { readonly to: Address; readonly data: Hex };

type Plain = Exclude<
  (typeof l1Abi)[number]['name'],
  'disputeGameBlacklist' | 'failedMessages' | 'finalizedWithdrawals' | 'provenWithdrawals' | 'successfulMessages'
>;

/** For a function without arguments. */
export function callOf(to: Address, functionName: Plain): L1Call {
  return { to, data: encodeFunctionData({ abi: l1Abi, functionName }) };
}

export function blacklistCall(portal: Address, game: Address): L1Call {
  return { to: portal, data: encodeFunctionData({ abi: l1Abi, functionName: 'disputeGameBlacklist', args: [game] }) };
}

export function finalizedCall(portal: Address, withdrawalHash: Hex): L1Call {
  return {
    to: portal,
    data: encodeFunctionData({ abi: l1Abi, functionName: 'finalizedWithdrawals', args: [withdrawalHash] }),
  };
}

export function provenCall(portal: Address, withdrawalHash: Hex, submitter: Address): L1Call {
  const args = [withdrawalHash, submitter] as const;
  return { to: portal, data: encodeFunctionData({ abi: l1Abi, functionName: 'provenWithdrawals', args }) };
}

/** Calls of a messenger, on either chain: whether it could not deliver the message, and whether it has delivered it. */
export function messageCalls(messenger: Address, messageHash: Hex): readonly [L1Call, L1Call] {
  const of = (functionName: 'failedMessages' | 'successfulMessages') => ({
    to: messenger,
    data: encodeFunctionData({ abi: l1Abi, functionName, args: [messageHash] }),
  });
  return [of('failedMessages'), of('successfulMessages')];
}

/** A number below 2^53, or a boolean as 1 or 0; undefined for an error or another value. */
export function numberOf(answer: unknown): number | undefined {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/i.test(answer)) return undefined;
  const value = BigInt(answer);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
}

/** The game, in lower case, and the time of the proof, in seconds. */
export function provenOf(answer: unknown): { readonly game: string; readonly provenAt: number } | undefined {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{128}$/i.test(answer)) return undefined;
  const data: Hex = `0x${answer.slice(2)}`;
  const result = decoded(() => decodeFunctionResult({ abi: l1Abi, functionName: 'provenWithdrawals', data }));
  return result === undefined ? undefined : { game: result[0].toLowerCase(), provenAt: Number(result[1]) };
}
