/** The root of a block's receipts (Yellow Paper 4.4.2 and appendix D, EIP-2718). If it equals the header's root, the receipts are complete and unchanged. */

import { type Hex, toRlp } from 'viem';
import { bytesIn, membersOf, quantityIn } from './json-rpc-values.ts';
import { orderedTrieRoot } from './ordered-trie-root.ts';
import { readLog } from './read-log.ts';

/** Deposits of the OP Stack. From the Canyon upgrade on their receipts have two more members (specs.optimism.io, Deposits). */
const depositType = 0x7e;
/** A first byte above this type would begin a list (EIP-2718). */
const maxType = 0x7f;

/** Undefined for receipts of an unknown form. A generator, since hashing takes about 55 µs for each KiB. */
export function* receiptsRoot(receipts: readonly unknown[]): Generator<undefined, Hex | undefined> {
  const encoded: Uint8Array[] = [];
  for (const receipt of receipts) {
    const bytes = encodedReceipt(receipt);
    if (bytes === undefined) return undefined;
    encoded.push(bytes);
    yield;
  }
  return yield* orderedTrieRoot(encoded);
}

function encodedReceipt(receipt: unknown): Uint8Array | undefined {
  const members = membersOf(receipt);
  const type = members['type'] === undefined ? 0 : quantityIn(members['type']);
  const outcome = members['status'] === undefined ? bytesOf(bytesIn(members['root'])) : integerIn(members['status']);
  const gas = integerIn(members['cumulativeGasUsed']);
  const bloom = bytesOf(bytesIn(members['logsBloom']));
  const logs = logsIn(members['logs']);
  const more = type === depositType ? depositMembers(members) : [];
  if (type === undefined || type > maxType || logs === undefined || more === undefined) return undefined;
  if (outcome === undefined || gas === undefined || bloom === undefined) return undefined;
  const list = toRlp([outcome, gas, bloom, logs, ...more], 'bytes');
  return type === 0 ? list : Buffer.concat([Uint8Array.of(type), list]);
}

function depositMembers(members: Readonly<Record<string, unknown>>): readonly Uint8Array[] | undefined {
  if (members['depositReceiptVersion'] === undefined) return [];
  const [nonce, version] = [integerIn(members['depositNonce']), integerIn(members['depositReceiptVersion'])];
  return nonce === undefined || version === undefined ? undefined : [nonce, version];
}

function logsIn(value: unknown): [Uint8Array, Uint8Array[], Uint8Array][] | undefined {
  if (!Array.isArray(value)) return undefined;
  const logs = value.map(readLog).filter((log) => log !== undefined);
  if (logs.length < value.length) return undefined;
  return logs.map(({ address, topics, data }) => [
    bytesOf(address),
    topics.map((topic) => bytesOf(topic)),
    bytesOf(data),
  ]);
}

/** Big-endian without leading zeros. */
function integerIn(value: unknown): Uint8Array | undefined {
  const number = quantityIn(value);
  if (number === undefined) return undefined;
  const digits = number === 0 ? '' : number.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

function bytesOf(hex: Hex): Uint8Array;
function bytesOf(hex: Hex | undefined): Uint8Array | undefined;
function bytesOf(hex: Hex | undefined): Uint8Array | undefined {
  return hex === undefined ? undefined : Buffer.from(hex.slice(2), 'hex');
}
