/** Reads the contract and the selector of one call object, strictly (contract/firewall-resources#contracts). */

import { isNested, isNull, type JsonBytes, plainText, readObject, skipAny } from './strict-object.ts';

/** A call of a contract, or the creation of a contract. */
export type ContractCall = {
  /** `0x` and 40 digits in lower case. Absent: the call creates a contract. */
  readonly to: string | undefined;
  /** `0x` and 8 digits in lower case. Absent for a creation, and when the data has fewer than four bytes. */
  readonly selector: string | undefined;
  /** The selector with missing bytes as zeros. */
  readonly paddedSelector: string | undefined;
};

const callMembers = ['to', 'data', 'input'];
/**
 * Members other than `to`, `data` and `input` whose value may be a list. A list or object in any other member could
 * contain more calls: some account types have `calls` there.
 */
const listMembers = ['accessList', 'authorizationList', 'blobVersionedHashes', 'blobs', 'commitments', 'proofs'];
const addressDigits = 42;
const shownDigits = 10;

/**
 * Calls `found` with the call in the object at `at`, and returns the index after the object. Returns -1 when two
 * readers could find different calls in it: `to`, `data` and `input` must be hexadecimal or `null`, `data` and `input`
 * must be equal when both exist, and other members may have no list or object, except `listMembers`.
 */
export function readCallObject(json: JsonBytes, at: number, found: (call: ContractCall) => void): number {
  let to: string | undefined;
  let data: string | undefined;
  let isAlike = true;
  const end = readObject(json, at, callMembers, (name, valueAt) => {
    if (name !== 'to' && name !== 'data' && name !== 'input')
      return isNested(json, valueAt) && !listMembers.includes(name) ? -1 : skipAny(json, valueAt);
    if (isNull(json, valueAt)) return skipAny(json, valueAt);
    const hex = plainText(json, valueAt, isHexByte);
    if (hex === undefined || !hasPrefix(hex)) return -1;
    if (name === 'to') {
      if (hex.length !== addressDigits) return -1;
      to = hex.toLowerCase();
    } else {
      if (hex.length % 2 !== 0) return -1;
      const lower = hex.toLowerCase();
      isAlike = data === undefined || data === lower;
      data ??= lower;
    }
    return valueAt + hex.length + 2;
  });
  if (end < 0 || !isAlike) return -1;
  found(contractCall(to, data ?? '0x'));
  return end;
}

/** `to` and `data` are in lower case. `data` has at least its first bytes, after `0x`. */
export function contractCall(to: string | undefined, data: string): ContractCall {
  if (to === undefined) return { to, selector: undefined, paddedSelector: undefined };
  const paddedSelector = data.slice(0, shownDigits).padEnd(shownDigits, '0');
  return { to, selector: data.length < shownDigits ? undefined : paddedSelector, paddedSelector };
}

/** The contract's name in policies. */
export function contractKey(network: string, { to = 'create' }: Pick<ContractCall, 'to'>): string {
  return `${network}/${to}`;
}

/** Accepts hexadecimal digits of both cases and the `x` of the prefix. */
export function isHexByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x46) ||
    (byte >= 0x61 && byte <= 0x66) ||
    byte === 0x78 ||
    byte === 0x58
  );
}

/** Whether the text is `0x` followed by digits only. */
function hasPrefix(hex: string): boolean {
  return /^0[xX][0-9a-fA-F]*$/.test(hex);
}
