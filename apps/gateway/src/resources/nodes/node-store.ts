/** The storage interface of registered nodes, and of the copy of them that every gateway has. */

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
  /** A keyed digest of its address: unique among nodes. */
  readonly addressDigest: string;
  readonly shared: boolean;
  /** Whether an administrator excludes it from calls. */
  readonly cordoned: boolean;
  readonly status: NodeStatus;
  /** Whether the last check found another chain: then it is not called. */
  readonly isOnOtherChain: boolean;
  readonly blockHeight?: number;
  readonly latencyMs?: number;
  readonly checkedAtMs?: number;
  readonly createdAtMs: number;
};

/** The context to which the URL's encryption is bound. */
export function nodeUrlContext(nodeId: string): string {
  return `node ${nodeId}`;
}

export type NodeFilter = { readonly dlt?: string | undefined; readonly networkId?: string | undefined };

export type NodePage = { readonly records: readonly NodeRecord[]; readonly next?: Position };

/** A node's new URL in its stored forms. */
export type NewNodeUrl = {
  readonly sealedUrl: string;
  readonly digests: AddressDigests;
  readonly providerId: string | undefined;
};

/** Undefined members do not change. */
export type NodeChange = {
  /** `null` removes it. */
  readonly label?: string | null | undefined;
  /** A new URL makes the node `pending` again. */
  readonly url?: NewNodeUrl | undefined;
  readonly shared?: boolean | undefined;
  readonly cordoned?: boolean | undefined;
};

/** The outcome of one check, for the URL that the node had then. */
export type CheckOutcome = {
  readonly nodeId: string;
  /** The digest of the checked URL: the outcome does not apply to another one. */
  readonly addressDigest: string;
  readonly status: NodeStatus;
  readonly isOnOtherChain: boolean;
  /** From the last successful check; undefined before it. */
  readonly blockHeight: number | undefined;
  readonly latencyMs: number | undefined;
  readonly checkedAtMs: number;
};

/** What every gateway needs to know of all nodes. */
export type NodesLoaded = {
  readonly revision: number;
  /** All nodes, or those that changed after the given revision. */
  readonly changed: readonly NodeRecord[];
  /** Ids of removed nodes; empty when all nodes were requested. */
  readonly removed: readonly string[];
  /** All cordoned operator nodes. */
  readonly cordonedOperatorNodes: readonly string[];
};

/** Every method throws `Unavailable` when the store is unavailable. A change that gateways must load raises the revision in the same transaction. */
export type NodeStore = {
  /**
   * Stores the node atomically, unless a node has one of the digests (`duplicate`) or its owner has `limit` nodes (`full`). Of any number of concurrent calls
   * on any gateways, one stores an address.
   */
  readonly insertIfFree: (
    record: NodeRecord,
    digests: AddressDigests,
    limit: number,
    note: AuditNote,
  ) => Promise<'stored' | 'duplicate' | 'full'>;
  /** Whether a registration would be refused now, so that the node need not be asked. `exceptNodeId` may have the address. */
  readonly refusal: (
    ownerId: string,
    digests: AddressDigests,
    limit: number,
    exceptNodeId?: string,
  ) => Promise<'duplicate' | 'full' | undefined>;
  /** Changes the node atomically, unless another node has one of the new URL's digests. `ownerId` undefined: any owner. */
  readonly change: (
    nodeId: string,
    ownerId: string | undefined,
    change: NodeChange,
    note: AuditNote,
  ) => Promise<'changed' | 'absent' | 'duplicate'>;
  /** Removes the node and its URL; its address is free afterwards. False when this user has no such node. */
  readonly remove: (nodeId: string, ownerId: string, note: AuditNote) => Promise<boolean>;
  /** Cordons or uncordons an operator node. */
  readonly cordonOperatorNode: (nodeId: string, cordoned: boolean, note: AuditNote) => Promise<void>;
  readonly find: (nodeId: string) => Promise<NodeRecord | undefined>;
  /** In no order; removed nodes are omitted. */
  readonly findAll: (nodeIds: readonly string[]) => Promise<readonly NodeRecord[]>;
  /** Newest first. `ownerId` undefined: of all users. */
  readonly list: (ownerId: string | undefined, filter: NodeFilter, page: PageRequest) => Promise<NodePage>;
  readonly readRevision: () => Promise<number>;
  /** `since`: a revision, for later changes; undefined: everything. */
  readonly load: (since: number | undefined) => Promise<NodesLoaded>;
  /**
   * Stores outcomes of checks, several hundred in a call. `raise`: for outcomes that change whether a node is called; all gateways then load them. An older
   * outcome never replaces a newer one.
   */
  readonly recordChecks: (outcomes: readonly CheckOutcome[], raise: boolean) => Promise<void>;
  /** Deletes the rows of nodes that were removed before `beforeMs`. */
  readonly forgetRemoved: (beforeMs: number) => Promise<void>;
};
