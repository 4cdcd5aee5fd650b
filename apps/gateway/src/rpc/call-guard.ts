/**
 * Checks the JSON-RPC calls of a request with the firewall, before any call is sent
 * (contract/firewall-resources#json-rpc).
 */

import type { Caller } from '../api/caller.ts';
import type { CallerRules, Firewall, GuardedResource } from '../api/firewall.ts';
import { contractKey } from './engine/contract-calls/call-object.ts';
import { type DecodeTransaction, readContractCalls } from './engine/contract-calls/read-contract-calls.ts';
import type { Call } from './message.ts';

/** A node that a call may be sent to. */
export type GuardedNode = {
  readonly nodeId: string;
  /** Absent for a node of the operator. */
  readonly ownerId?: string | undefined;
};

/** The destination of the calls of a request, with the names that policies use. */
export type GuardedPlace = {
  /** For example `ethereum/dev`. */
  readonly network: string;
  /** The node that the path names; absent for a network. */
  readonly node?: GuardedNode | undefined;
  /** The current nodes of a network; empty for a single node. */
  readonly nodes: () => readonly GuardedNode[];
  /** Whether the methods of contract/firewall-resources#methods-and-contracts exist on this network. */
  readonly hasContracts: boolean;
};

export type CallGuards = {
  /** True when there are no policies, so no call needs a check. */
  readonly isIdle: boolean;
  /** `unavailable`: the policies could not be loaded. Synchronous when they are in memory. */
  readonly guardFor: (
    caller: Caller,
    place: GuardedPlace,
  ) => CallGuard | 'unavailable' | Promise<CallGuard | 'unavailable'>;
};

export function createCallGuards(
  firewall: Pick<Firewall, 'isIdle' | 'rulesFor'>,
  decodeTransaction: DecodeTransaction,
): CallGuards {
  return {
    get isIdle() {
      return firewall.isIdle;
    },
    guardFor(caller, place) {
      const rules = firewall.rulesFor(caller, ownersOf(place));
      const guardOf = (found: CallerRules | 'unavailable') =>
        found === 'unavailable' ? found : new CallGuard(found, place, decodeTransaction);
      return rules instanceof Promise ? rules.then(guardOf) : guardOf(rules);
    },
  };
}

const noOwners: readonly string[] = [];
/** Cached by the list of nodes: a network replaces this list when its nodes change. */
const ownersOfLists = new WeakMap<readonly GuardedNode[], readonly string[]>();

function ownersOf({ node, nodes }: GuardedPlace): readonly string[] {
  if (node !== undefined) return node.ownerId === undefined ? noOwners : [node.ownerId];
  const all = nodes();
  const known = ownersOfLists.get(all);
  if (known !== undefined) return known;
  const owners = [...new Set(all.flatMap(({ ownerId }) => ownerId ?? []))];
  ownersOfLists.set(all, owners);
  return owners;
}

/** Checks the calls of one request, in their order. */
export class CallGuard {
  /** Nodes of the network that must not receive any call of this request. */
  #leftOut: Set<string> | undefined;

  constructor(
    readonly rules: CallerRules,
    readonly place: GuardedPlace,
    readonly decodeTransaction: DecodeTransaction,
  ) {}

  get leftOut(): ReadonlySet<string> | undefined {
    return this.#leftOut;
  }

  /**
   * Whether the call is refused. All calls of a request go to one node, so a node that is denied for one call is
   * excluded for all. A call that leaves no node is refused.
   */
  refuses({ method, params }: Pick<Call, 'method' | 'params'>): boolean {
    const { rules, place } = this;
    const use = { method };
    if (!rules.allows({ kind: 'network', key: place.network }, use)) return true;
    if (place.node !== undefined && !rules.allows(resourceOf(place.node), use)) return true;
    if (place.hasContracts && rules.concerns('contract') && this.#refusesContract(method, params)) return true;
    return place.node === undefined && rules.concerns('node') && this.#leavesNone(method);
  }

  #refusesContract(method: string, params: Call['params']): boolean {
    const { rules, place } = this;
    const json = params?.bytes.subarray(params.start, params.end);
    const calls = readContractCalls(method, json, this.decodeTransaction);
    if (calls === 'unclear') return true;
    return calls.some((call) => !rules.allows({ kind: 'contract', key: contractKey(place.network, call) }, call));
  }

  #leavesNone(method: string): boolean {
    let leftOut: Set<string> | undefined;
    let isLeft = false;
    for (const node of this.place.nodes()) {
      if (this.#leftOut?.has(node.nodeId) === true) continue;
      if (this.rules.allows(resourceOf(node), { method })) {
        isLeft = true;
        continue;
      }
      leftOut ??= new Set(this.#leftOut);
      leftOut.add(node.nodeId);
    }
    if (isLeft) this.#leftOut = leftOut ?? this.#leftOut;
    return !isLeft;
  }
}

function resourceOf({ nodeId, ownerId }: GuardedNode): GuardedResource {
  return { kind: 'node', key: nodeId, ownerId };
}
