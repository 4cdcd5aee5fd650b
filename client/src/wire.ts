/** The bodies on the wire, named as in the contract: generated from the gateway's OpenAPI document, with names for their members. */

import type {
  App,
  AuditEntry,
  Deposit,
  Field,
  HistoryEntry,
  Indexers,
  JsonRpcError as JsonRpcErrorResponse,
  MaintenanceInput,
  Policy,
  PreparedTransactions,
  Session,
  Stake,
  StakePage,
  StepSpec,
  Version,
} from './generated/bodies.ts';

export type * from './generated/bodies.ts';

/** ISO 8601 in UTC with milliseconds, for example `2026-11-21T10:00:00.000Z`. */
export type Timestamp = string;

/** Any JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** A page of a list. */
export type Page<T> = {
  data: readonly T[];
  /** Present when more pages follow: pass it as `?cursor=`. */
  nextCursor?: string;
};

export type JsonRpcId = string | number | null;
/** The member `error` of a JSON-RPC response. */
export type JsonRpcError = JsonRpcErrorResponse['error'];

export type AuditAction = AuditEntry['action'];
export type MaintenanceSurface = NonNullable<MaintenanceInput['surfaces']>[number];
export type PolicyResource = Policy['resource'];

/** Minutes are stored for 48 hours, hours for 90 days, days for two years; all in UTC. */
export type UsageBucket = 'minute' | 'hour' | 'day';
/** The dimension of the rows. */
export type UsageBy = 'total' | 'key' | 'surface' | 'network' | 'method' | 'app' | 'outcome';
export type AdminUsageBy = UsageBy | 'user';

/** A token with the name, symbol and decimals of its contract. */
export type StakeToken = Stake['stakingToken'];
/** A contract that failed, and the wallets whose positions in it are therefore unknown. */
export type UnreadableStakes = NonNullable<StakePage['unreadable']>[number];
/** An unsigned transaction. */
export type PreparedTransaction = PreparedTransactions['transactions'][number];

export type BridgePlace = Deposit['source'];
export type BridgeToken = Deposit['token'];
/** A token in the history: as on bridges, or with its address on the network of a swap. */
export type HistoryToken = NonNullable<HistoryEntry['sent']>['token'];
export type TransactionPurpose = HistoryEntry['transactions'][number]['purpose'];
/** A chain, or the pools of one, as the indexer reads it. */
export type IndexedStream = Indexers['indexers'][number];

export type AppVisibility = App['visibility'];
export type QueryDeclaration = Version['queries'][number];
export type FieldType = Field['type'];
export type StepAction = StepSpec['actions'][number];
export type SessionStatus = Session['status'];
