/** The interface of the storage of registered nodes, and of what all gateways know of them. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { AuditNote } from '../../audit/audit-note.ts';
import type { AddressDigests } from './node-address.ts';
import type { NodeKind } from './node-url.ts';

export type NodeStatus = 'pending' | 'healthy' | 'unhealthy';

export type NodeRecord = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly dlt: string;
  readonly networkId: string;
  readonly kind: NodeKind;
  /** The approved provider that its host belongs to. */
  readonly providerId?: string;
  readonly label?: string;
  /** Encrypted, bound to `nodeUrlContext`. */
  readonly sealedUrl: string;
  /** A keyed digest of its address: no two nodes have the same. */
  readonly addressDigest: string;
  readonly shared: boolean;
  /** An administrator lets it have no calls. */
  readonly cordoned: boolean;
  readonly status: NodeStatus;
  /** Whether it last proved another chain: then it is not called. */
  readonly isOnOtherChain: boolean;
  readonly blockHeight?: number;
  readonly latencyMs?: number;
  readonly checkedAtMs?: number;
  readonly createdAtMs: number;
};

/** What the URL's encryption is bound to. */
export function nodeUrlContext(nodeId: string): string {
  return `node ${nodeId}`;
}

export type NodeFilter = { readonly dlt?: string | undefined; readonly networkId?: string | undefined };

export type NodePage = { readonly records: readonly NodeRecord[]; readonly next?: Position };

/** A new URL of a node, in the forms in which it is stored. */
export type NewNodeUrl = {
  readonly sealedUrl: string;
  readonly digests: AddressDigests;
  readonly providerId: string | undefined;
};

/** Members that are undefined stay. */
export type NodeChange = {
  /** `null` removes it. */
  readonly label?: string | null | undefined;
  /** The node is `pending` again. */
  readonly url?: NewNodeUrl | undefined;
  readonly shared?: boolean | undefined;
  readonly cordoned?: boolean | undefined;
};

/** The outcome of one check, of the URL that the node had then. */
export type CheckOutcome = {
  readonly nodeId: string;
  /** The digest of the URL that was checked: of another one it says nothing. */
  readonly addressDigest: string;
  readonly status: NodeStatus;
  readonly isOnOtherChain: boolean;
  /** As of the last successful check; undefined when there was none. */
  readonly blockHeight: number | undefined;
  readonly latencyMs: number | undefined;
  readonly checkedAtMs: number;
};

/** What every gateway needs to know of all nodes. */
export type NodesLoaded = {
  readonly revision: number;
  /** All nodes, or those that have changed since the revision that was asked about. */
  readonly changed: readonly NodeRecord[];
  /** Ids of removed nodes; empty when all nodes were asked for. */
  readonly removed: readonly string[];
  /** Operator nodes that are cordoned, all of them. */
  readonly cordonedOperatorNodes: readonly string[];
};

/** Every method throws `Unavailable` when the store is unavailable. Whatever gateways must follow raises the revision in the same transaction. */
export type NodeStore = {
  /**
   * Stores the node, atomically, unless a node has one of the digests (`duplicate`) or its owner has `limit` nodes (`full`). Of any number of calls at the same
   * moment, on any gateways, one stores an address.
   */
  readonly insertIfFree: (
    record: NodeRecord,
    digests: AddressDigests,
    limit: number,
    note: AuditNote,
  ) => Promise<'stored' | 'duplicate' | 'full'>;
  /** Whether a registration would be refused now: nothing need be asked of the node then. `exceptNodeId` has the address already. */
  readonly refusal: (
    ownerId: string,
    digests: AddressDigests,
    limit: number,
    exceptNodeId?: string,
  ) => Promise<'duplicate' | 'full' | undefined>;
  /** Changes the node, atomically, unless another node has one of the new URL's digests. `ownerId` undefined: whoever owns it. */
  readonly change: (
    nodeId: string,
    ownerId: string | undefined,
    change: NodeChange,
    note: AuditNote,
  ) => Promise<'changed' | 'absent' | 'duplicate'>;
  /** Removes it, with its URL; its address is free from then on. False when this user has no such node. */
  readonly remove: (nodeId: string, ownerId: string, note: AuditNote) => Promise<boolean>;
  /** Cordons or uncordons an operator node. */
  readonly cordonOperatorNode: (nodeId: string, cordoned: boolean, note: AuditNote) => Promise<void>;
  readonly find: (nodeId: string) => Promise<NodeRecord | undefined>;
  /** In no order; those that are gone are left out. */
  readonly findAll: (nodeIds: readonly string[]) => Promise<readonly NodeRecord[]>;
  /** Newest first. `ownerId` undefined: everybody's. */
  readonly list: (ownerId: string | undefined, filter: NodeFilter, page: PageRequest) => Promise<NodePage>;
  readonly readRevision: () => Promise<number>;
  /** `since`: a revision, for what has changed after it; undefined: everything. */
  readonly load: (since: number | undefined) => Promise<NodesLoaded>;
  /**
   * Stores outcomes of checks, several hundred in a call. `raise`: for those that change whether a node is called; all gateways then load them. An older outcome
   * never replaces a newer one.
   */
  readonly recordChecks: (outcomes: readonly CheckOutcome[], raise: boolean) => Promise<void>;
  /** Forgets nodes that were removed before `beforeMs`. */
  readonly forgetRemoved: (beforeMs: number) => Promise<void>;
};
