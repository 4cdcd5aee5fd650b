/** Proves that L2's message passer contains a withdrawal, in a root that L1 has; and encodes the transactions on L1. It loads viem, so it is imported only when needed. */

import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { isJsonObject } from '@flowgate/json/json-object';
import { encodeFunctionData, fromRlp, type Hex, keccak256, parseAbi, toRlp, zeroHash } from 'viem';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { StoredTuple } from './withdrawal-store.ts';

const tuple = '(uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data)';
const abi = parseAbi([
  `function proveWithdrawalTransaction(${tuple} withdrawal, uint256 gameIndex, (bytes32 version, bytes32 stateRoot, bytes32 messagePasserStorageRoot, bytes32 latestBlockhash) rootProof, bytes[] withdrawalProof)`,
  `function finalizeWithdrawalTransaction(${tuple} withdrawal)`,
  `function finalizeWithdrawalTransactionExternalProof(${tuple} withdrawal, address submitter)`,
]);

export type WithdrawalProof = {
  readonly stateRoot: Hex;
  readonly storageRoot: Hex;
  readonly blockHash: Hex;
  readonly nodes: readonly Hex[];
};

/** A proof at this block of L2. `away`: the node no longer has its state, or does not support the call. `other`: the block's root is not `rootClaim`. Throws `ChainAway`. */
export async function proveIn(
  chain: ChainReader,
  withdrawalHash: string,
  { l2BlockNumber, rootClaim }: { readonly l2BlockNumber: number; readonly rootClaim: string },
): Promise<WithdrawalProof | 'away' | 'other'> {
  const at = `0x${l2BlockNumber.toString(16)}`;
  const slot = slotOf(withdrawalHash);
  const [block, proof] = await chain.ask([
    { method: 'eth_getBlockByNumber', params: [at, false] },
    { method: 'eth_getProof', params: [l2Contracts.messagePasser, [slot], at] },
  ]);
  const { stateRoot, hash } = isJsonObject(block) ? block : {};
  const { storageHash, storageProof } = isJsonObject(proof) ? proof : {};
  if (!isHash(stateRoot) || !isHash(hash) || !isHash(storageHash)) return 'away';
  const [stored]: readonly unknown[] = Array.isArray(storageProof) ? storageProof : [];
  const nodes: unknown = isJsonObject(stored) ? stored['proof'] : undefined;
  if (!Array.isArray(nodes) || !nodes.every(isHex) || nodes.length === 0) return 'away';
  // Version 0 of the root (specs.optimism.io, Proposals).
  const root = keccak256(`${zeroHash}${stateRoot.slice(2)}${storageHash.slice(2)}${hash.slice(2)}`);
  if (root !== rootClaim) return 'other';
  return { stateRoot, storageRoot: storageHash, blockHash: hash, nodes: withEmbedded(keccak256(slot), nodes) };
}

export function proveCall(withdrawal: StoredTuple, gameIndex: number, proof: WithdrawalProof): Hex {
  const { stateRoot, storageRoot: messagePasserStorageRoot, blockHash: latestBlockhash, nodes } = proof;
  const root = { version: zeroHash, stateRoot, messagePasserStorageRoot, latestBlockhash };
  const args = [tupleOf(withdrawal), BigInt(gameIndex), root, nodes] as const;
  return encodeFunctionData({ abi, functionName: 'proveWithdrawalTransaction', args });
}

/** `submitter`: the account that proved the withdrawal, when it is not the sender. */
export function finalizeCall(withdrawal: StoredTuple, submitter: string | undefined): Hex {
  if (submitter === undefined)
    return encodeFunctionData({ abi, functionName: 'finalizeWithdrawalTransaction', args: [tupleOf(withdrawal)] });
  const args = [tupleOf(withdrawal), hexOf(submitter)] as const;
  return encodeFunctionData({ abi, functionName: 'finalizeWithdrawalTransactionExternalProof', args });
}

/** `sentMessages[withdrawalHash]`, the message passer's first variable. */
function slotOf(withdrawalHash: string): Hex {
  return keccak256(`0x${withdrawalHash.slice(2)}${'0'.repeat(64)}`);
}

/** A leaf of less than 32 bytes is inside its branch: nodes omit it from the proof, but the portal requires it. */
function withEmbedded(key: Hex, nodes: readonly Hex[]): readonly Hex[] {
  const last = nodes.at(-1);
  const parts = last === undefined ? '0x' : fromRlp(last);
  if (!Array.isArray(parts) || parts.length !== 17) return nodes;
  const leaf = parts.find((part) => Array.isArray(part) && isPathEnd(part[0], key));
  return leaf === undefined ? nodes : [...nodes, toRlp(leaf)];
}

/** After `0x`: the nibble of the node's kind, for an even path a nibble 0, then the path. */
function isPathEnd(path: unknown, key: Hex): boolean {
  if (typeof path !== 'string') return false;
  const isOdd = path[2] === '1' || path[2] === '3';
  return key.endsWith(path.slice(isOdd ? 3 : 4));
}

function tupleOf({ nonce, sender, target, value, gasLimit, data }: StoredTuple) {
  return {
    ...{ nonce: BigInt(nonce), sender: hexOf(sender), target: hexOf(target) },
    ...{ value: BigInt(value), gasLimit: BigInt(gasLimit), data: hexOf(data) },
  };
}

function hexOf(text: string): Hex {
  return `0x${text.slice(2)}`;
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
}

function isHash(value: unknown): value is Hex {
  return isHex(value) && value.length === 66;
}
