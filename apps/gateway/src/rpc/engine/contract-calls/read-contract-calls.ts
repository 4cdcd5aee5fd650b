/** Finds the contracts that a JSON-RPC call calls or creates, strictly and in time linear in its parameters (contract/firewall-resources#contracts). */

import { skipBlank } from '@flowgate/json/valid-json';
import { type ContractCall, contractCall, isHexByte, readCallObject } from './call-object.ts';
import { type CallForm, callFormOf } from './contract-methods.ts';
import { isNull, type JsonBytes, maxElements, plainText, readElements, readObject, skipAny } from './strict-object.ts';

/** Decodes a signed transaction. Undefined for other data. */
export type DecodeTransaction = (hex: string) => { readonly to?: string; readonly data: Uint8Array } | undefined;

/** `unclear`: the request may call a contract, but the gateway cannot determine which. */
export type ContractCalls = readonly ContractCall[] | 'unclear';

const none: readonly ContractCall[] = [];

/** `params`: valid JSON, or undefined when the request has none. Returns each pair of contract and selector once. */
export function readContractCalls(
  method: string,
  params: JsonBytes | undefined,
  decodeTransaction: DecodeTransaction,
): ContractCalls {
  const form = callFormOf(method);
  if (form === 'none') return none;
  if (form === 'unknown' || params === undefined) return 'unclear';
  const calls = new Map<string, ContractCall>();
  let left = maxElements;
  const isRoom = () => left-- > 0;
  const found = (call: ContractCall) => {
    calls.set(`${call.to} ${call.selector} ${call.paddedSelector}`, call);
  };
  let isRead = false;
  // Only arrays are read, because nodes use different names for parameters.
  const end = readElements(params, skipBlank(params, 0, params.length), (at, nth) => {
    if (nth > 0) return skipAny(params, at);
    isRead = true;
    return readForm(form, params, at, { found, isRoom, decode: decodeTransaction });
  });
  return end < 0 || !isRead ? 'unclear' : [...calls.values()];
}

/** `isRoom`: false once the message has reached the maximum of calls and lists of calls together. */
type Reading = {
  readonly found: (call: ContractCall) => void;
  readonly isRoom: () => boolean;
  readonly decode: DecodeTransaction;
};

function readForm(form: CallForm, json: JsonBytes, at: number, reading: Reading): number {
  const { found, isRoom } = reading;
  const readCall = (callAt: number) => (isRoom() ? readCallObject(json, callAt, found) : -1);
  switch (form) {
    case 'call':
      return readCallObject(json, at, found);
    case 'raw':
      return readRaw(json, at, reading);
    case 'simulate':
      return readListIn(json, at, simulation, (blockAt) =>
        isRoom() ? readListIn(json, blockAt, simulatedBlock, readCall) : -1,
      );
    case 'bundles':
      return readElements(json, at, (bundleAt) => (isRoom() ? readListIn(json, bundleAt, bundle, readCall) : -1));
    case 'pairs':
      return readElements(json, at, (pairAt) =>
        readElements(json, pairAt, (itemAt, nth) => (nth === 0 ? readCall(itemAt) : skipAny(json, itemAt))),
      );
  }
}

/**
 * The member that contains the list of calls, and the other allowed members. Any other member is refused, because a
 * node might read a list of calls from it.
 */
type ListMembers = readonly [list: string, ...others: string[]];

const simulation: ListMembers = ['blockStateCalls', 'traceTransfers', 'validation', 'returnFullTransactions'];
const simulatedBlock: ListMembers = ['calls', 'blockOverrides', 'stateOverrides'];
const bundle: ListMembers = ['transactions', 'blockOverride', 'blockOverrides', 'stateOverride', 'stateOverrides'];

/** Reads the elements of the list in the object at `at`. A missing list and `null` have no elements. */
function readListIn(json: JsonBytes, at: number, members: ListMembers, read: (at: number) => number): number {
  const [list] = members;
  return readObject(json, at, members, (member, valueAt) => {
    if (!members.includes(member)) return -1;
    return member === list && !isNull(json, valueAt) ? readElements(json, valueAt, read) : skipAny(json, valueAt);
  });
}

const selectorBytes = 4;

function readRaw(json: JsonBytes, at: number, { found, decode }: Reading): number {
  const hex = plainText(json, at, isHexByte);
  const transaction = hex === undefined ? undefined : decode(hex);
  if (hex === undefined || transaction === undefined) return -1;
  const { to, data } = transaction;
  found(contractCall(to?.toLowerCase(), `0x${Buffer.from(data.subarray(0, selectorBytes)).toString('hex')}`));
  return at + hex.length + 2;
}
