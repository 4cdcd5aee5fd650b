/** Asks the firewall about the JSON-RPC calls of a request, before any of them is sent (contract/firewall-resources#json-rpc). */

import type { Caller } from '../api/caller.ts';
import type { CallerRules, Firewall, GuardedResource } from '../api/firewall.ts';
import { contractKey } from './engine/contract-calls/call-object.ts';
import { type DecodeTransaction, readContractCalls } from './engine/contract-calls/read-contract-calls.ts';
import type { Call } from './message.ts';

/** A node that a call may be sent to. */
export type GuardedNode = {
  readonly nodeId: string;
  /** Absent for an operator's. */
  readonly ownerId?: string | undefined;
};

/** Where the calls of a request go, as policies name it. */
export type GuardedPlace = {
  /** `ethereum/dev` */
  readonly network: string;
  /** The node that the path names; absent for a network. */
  readonly node?: GuardedNode | undefined;
  /** The nodes of a network, as they are now; none for a single node. */
  readonly nodes: () => readonly GuardedNode[];
  /** Whether the methods of contract/firewall-resources#methods-and-contracts exist there. */
  readonly hasContracts: boolean;
};

export type CallGuards = {
  /** True: there is no policy, so no call has to be looked at. */
  readonly isIdle: boolean;
  /** `unavailable`: it is not known what policies there are. Synchronous when they are in memory. */
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
/** By the list of nodes, which a network replaces when its nodes change. */
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

/** For the calls of one request, in their order. */
export class CallGuard {
  /** Nodes of the network that no call of this request may be sent to. */
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
   * Whether the call is refused. All calls of a request are sent to one node: one that is denied for any of them is left out for all, and a call that leaves none
   * is refused.
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
