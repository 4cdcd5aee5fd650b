/**
 * The bodies on the wire, by their names in the gateway's OpenAPI document. Generated from it: change the zod schema in the gateway, then run the test
 * client-types.test.ts with UPDATE_DOCS=1.
 */

/** Every error outside `/flow/*` that is not a JSON-RPC error. */
export type StandardError = {
  /** Milliseconds since the Unix epoch. */
  timestamp: number;
  /** The HTTP status. */
  status: number;
  /** A short label. */
  error: string;
  /** What is wrong with the request, as a sentence. */
  message: string;
  /** The path of the request, with any API key in it masked. */
  path: string;
};

/** A JSON-RPC error: the gateway's own, or the node's passed through. */
export type JsonRpcError = {
  jsonrpc: '2.0';
  /** The id of the request, byte for byte. */
  id: string | number | null;
  error: {
    code: number;
    message: string;
    /** Details, for example `reason` and `method` of a blocked method. */
    data?: unknown;
  };
};

/** Every error below `/flow/` (RFC 7807). */
export type ProblemDetails = {
  /** The kind of error, as a URN. */
  type: string;
  /** A short summary. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What is wrong with this request. */
  detail: string;
  /** Whether a retry may succeed. Retry with increasing pauses and a maximum number of attempts. */
  retryable: boolean;
  /** The request's id, as in `X-Request-Id`. */
  instance: string;
  /** On 400: all problems of the request, one entry each. The gateway reports at most 50 problems of its own. */
  errors?: readonly {
    /** The field of the step, if the problem is about a field. */
    fieldId?: string;
    /** What is wrong. A complete sentence if `fieldId` is absent. */
    message: string;
  }[];
  paymentReceipt?: PaymentReceipt;
};

/** The settled x402 payment. Present only in the response to the submission that it paid for. */
export type PaymentReceipt = {
  success: true;
  /** The settlement's transaction hash. */
  transaction: string;
  /** CAIP-2. */
  network: string;
  /** The address that paid. */
  payer?: string;
  /** In base units. */
  amount?: string;
  /** The token's address. */
  asset?: string;
  /** The address that was paid. */
  payTo?: string;
};

/** A JSON-RPC 2.0 request. Without `id` it is a notification, which is never answered. */
export type JsonRpcRequest = {
  jsonrpc: '2.0';
  /** Names are compared exactly; administrative and wallet methods are refused. */
  method: string;
  /** Sent to the node unchanged. */
  params?:
    | readonly unknown[]
    | {
        readonly [key: string]: unknown;
      };
  /** The id of the request, byte for byte. */
  id?: string | number | null;
};

/** A JSON-RPC 1.0 request to a network of the family `bitcoin`. It is always answered. `jsonrpc` may be left out: tools take such a request for one of 2.0, so the description asks for it. */
export type JsonRpc1Request = {
  jsonrpc: '1.0';
  method: string;
  params?:
    | readonly unknown[]
    | {
        readonly [key: string]: unknown;
      };
  /** The id of the request, byte for byte. */
  id?: string | number | null;
};

/** Several requests; each counts towards the rate limit, all are admitted or none. */
export type JsonRpcBatch = readonly (JsonRpcRequest | JsonRpc1Request)[];

/** A result or an error. */
export type JsonRpcResponse = JsonRpcResult | JsonRpcError;

/** The node's result, never re-serialized. */
export type JsonRpcResult = {
  jsonrpc: '2.0';
  /** The id of the request, byte for byte. */
  id: string | number | null;
  /** The result of the method. */
  result: unknown;
};

/** The answer to a JSON-RPC 1.0 request: result and error, one of them null. */
export type JsonRpc1Response = {
  /** The result of the method; null when the request failed. */
  result: unknown;
  error: {
    code: number;
    message: string;
    /** Details, for example `reason` and `method` of a blocked method. */
    data?: unknown;
  } | null;
  /** The id of the request, byte for byte. */
  id: string | number | null;
};

/** Answers in the order of the requests; notifications have none. Blocked and invalid elements are errors among them. */
export type JsonRpcBatchResponse = readonly (JsonRpcResult | JsonRpcError | JsonRpc1Response)[];

/** The error of a JSON-RPC 1.0 request. Networks of the family `bitcoin` accept such requests. */
export type JsonRpc1Error = {
  result: null;
  error: {
    code: number;
    message: string;
    /** Details, for example `reason` and `method` of a blocked method. */
    data?: unknown;
  };
  /** The id of the request, byte for byte. */
  id: string | number | null;
};

/** The process runs. */
export type Health = {
  status: 'ok';
};

/** The gateway can answer requests. */
export type Readiness = {
  status: 'ready';
  checks: {
    database: 'ok';
    identityProvider: 'ok';
  };
};

/** The caller and the limits that apply. */
export type WhoAmI = {
  /** The `sub` of the token, or of the API key's owner. */
  userId: string;
  /** The kind of credential of this request. */
  credential: 'token' | 'api-key';
  /** The id of the API key; absent for a token. */
  keyId?: string;
  /** The token's roles; empty for an API key. */
  roles: readonly string[];
  /** Whether this credential may use routes for administrators. */
  isAdmin: boolean;
  /** Maximum of requests in any 60 seconds, over all keys and tokens of the user. */
  requestsPerMinute: number;
  /** Maximum of requests in any 60 seconds to one Flow session. */
  sessionRequestsPerMinute: number;
  /** Maximum number of active API keys of the user. */
  maxActiveKeys: number;
  /** Maximum number of registered nodes of the user. */
  maxNodes: number;
};

/** The caller's identity. */
export type UserId = {
  /** The token's `sub`. */
  id: string;
};

/** The key to mint. Unknown members are ignored; an optional member that is `null` counts as omitted. */
export type ApiKeyInput = {
  /** Unicode code points, no control or format characters. */
  label: string;
  /** What the key may be used for. Default: `["rpc"]`, the only scope. Duplicates count once. */
  scopes?: readonly 'rpc'[] | null;
  /** When the key expires: ISO 8601 with a zone, in the future; seconds are optional. Default: never. */
  expiresAt?: string | null;
};

/** A new key; the only response that contains the key itself. */
export type MintedApiKey = {
  /** The raw key. Only the response that creates the key contains it; it cannot be retrieved later. */
  apiKey: string;
  /** Identifier of the key; not secret. */
  keyId: string;
  /** Unicode code points, no control or format characters. */
  label: string;
  /** What the key may be used for: `rpc`. More scopes may be added. */
  scopes: readonly string[];
  /** When the key was minted. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** When the key expires; absent on keys that never expire. ISO 8601, UTC, milliseconds. */
  expiresAt?: string;
};

/** Keys, newest first. */
export type ApiKeyPage = {
  /** The entries of this page. */
  data: readonly ApiKeyRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A key in a list, without its secret. */
export type ApiKeyRecord = {
  /** Identifier of the key; not secret. */
  keyId: string;
  /** Unicode code points, no control or format characters. */
  label: string;
  /** What the key may be used for: `rpc`. More scopes may be added. */
  scopes: readonly string[];
  /** When the key was minted. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** When the key expires; absent on keys that never expire. ISO 8601, UTC, milliseconds. */
  expiresAt?: string;
  /** When the key was last used; absent before its first use. ISO 8601, UTC, milliseconds. */
  lastUsedAt?: string;
  /** When the key was revoked; present on revoked keys only. ISO 8601, UTC, milliseconds. */
  revokedAt?: string;
};

/** Ledgers. */
export type LedgerPage = {
  /** The entries of this page. */
  data: readonly LedgerRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A ledger with at least one network on this gateway. */
export type LedgerRecord = {
  dlt: string;
  /** Its `networkId`s. */
  networks: readonly string[];
};

/** Networks. */
export type NetworkPage = {
  /** The entries of this page. */
  data: readonly NetworkRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A network to which calls can be sent. */
export type NetworkRecord = {
  dlt: string;
  networkId: string;
  /** A name for display. */
  name: string;
  /** The family of the network, which determines its methods and how its chain is identified. */
  family: 'evm' | 'solana' | 'bitcoin';
  /** The EIP-155 chain id, of an `evm` network. */
  chainId?: number;
  /** Whether `/rpc` without a network leads to it. */
  default: boolean;
  /** The result of this gateway's health checks of its nodes: all healthy, some, or none; `unknown` before the first check. */
  status: 'up' | 'degraded' | 'down' | 'unknown';
  /** The highest head that a healthy node reported. */
  blockHeight?: number;
  /** The number of operator nodes and shared nodes. */
  nodes: {
    healthy: number;
    total: number;
  };
};

/** Providers. */
export type ProviderPage = {
  /** The entries of this page. */
  data: readonly ProviderRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** An approved node provider. */
export type ProviderRecord = {
  providerId: string;
  /** A name for display. */
  name: string;
  /** Public nodes have these hosts, or subdomains of those that are names. In lower case. */
  domains: readonly string[];
};

/** Contracts. */
export type ContractPage = {
  /** The entries of this page. */
  data: readonly ContractRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A contract of the configuration of this gateway. */
export type ContractRecord = {
  contractId: string;
  dlt: string;
  networkId: string;
  /** Its purpose: `staking`, `bridge`, or a text of the operator. */
  role: string;
  /** A name for display. */
  name?: string;
  /** Its address on the network, with the checksum of EIP-55. */
  address: string;
};

/** A node to register. */
export type NodeInput = {
  /** The ledger, as in `GET /dlts`. */
  dlt: string;
  /** The network, as in `GET /networks`. */
  networkId: string;
  /** The URL at which the node answers JSON-RPC, with the provider's key in its path. Stored encrypted. */
  url: string;
  /** Unicode code points, no control or format characters. */
  label?: string | null;
  /** Default: `public`, a node of an approved provider. `private`: an administrator vouches for the address, which needs an administrator's token. */
  kind?: 'public' | 'private' | null;
};

/** A node to which calls can be sent. */
export type NodeRecord = {
  /** The id of the node, unique among all gateways of the installation. */
  nodeId: string;
  dlt: string;
  networkId: string;
  /** The approved provider of its host. */
  providerId?: string;
  /** Unicode code points, no control or format characters. */
  label?: string;
  /** `private`: an administrator vouches for its address. */
  kind: 'public' | 'private';
  /** Whether a user registered it, or the configuration contains it. */
  source: 'user' | 'operator';
  /** Whether all users may call it, and the pool of its network uses it. */
  shared: boolean;
  /** True when an administrator excludes it from calls; otherwise absent. */
  cordoned?: boolean;
  /** Present on own nodes and for administrators. Path segments that could be a key are shown as `***`. */
  url?: string;
  /** `pending` before its first check; `unhealthy` after three consecutive failures, or on another chain. */
  status: 'pending' | 'healthy' | 'unhealthy';
  /** Its newest block at the last successful check. */
  blockHeight?: number;
  /** The latency of the last successful check, in milliseconds. */
  latencyMs?: number;
  /** When it was last checked. ISO 8601, UTC, milliseconds. */
  checkedAt?: string;
  /** When it was registered; for nodes of the operator, when this gateway started. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Present on own nodes and for administrators. */
  circuit?: {
    /** Its circuit breaker at this gateway. `half-open`: the next read probes it. `cooling-down`: it requested a pause (`Retry-After`). */
    state: 'closed' | 'open' | 'half-open' | 'cooling-down';
    /** The time until the gateway may call it again; present when `open` or `cooling-down`. */
    retryAfterSeconds?: number;
  };
  /** Measurements of this gateway; present on own nodes and for administrators. */
  last5Minutes?: {
    /** Callers' calls that this gateway sent to the node, retries included; a batch counts once. */
    calls: number;
    /** The number of these that the circuit breaker counts as failures of the node. */
    failed: number;
    /** `failed` of `calls`; absent without calls. */
    errorRate?: number;
    /** Milliseconds within which half of the answered calls were answered, at most 10 % off. */
    p50Ms?: number;
    /** Milliseconds within which 95 % of the answered calls were answered, at most 10 % off. */
    p95Ms?: number;
  };
};

/** Nodes. */
export type NodePage = {
  /** The entries of this page. */
  data: readonly NodeRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** The changes. Omitted members do not change. */
export type NodePatch = {
  /** `null` removes the label. */
  label?: string | null;
  /** A new URL on the same network, under the same rules, for example with a rotated provider key. */
  url?: string | null;
  /** Whether all users may call it. Needs an administrator's token. */
  shared?: boolean | null;
};

/** Nodes of users and operators. */
export type AdministeredNodePage = {
  /** The entries of this page. */
  data: readonly AdministeredNode[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A node with the details for administrators. */
export type AdministeredNode = {
  /** The id of the node, unique among all gateways of the installation. */
  nodeId: string;
  dlt: string;
  networkId: string;
  /** The approved provider of its host. */
  providerId?: string;
  /** Unicode code points, no control or format characters. */
  label?: string;
  /** `private`: an administrator vouches for its address. */
  kind: 'public' | 'private';
  /** Whether a user registered it, or the configuration contains it. */
  source: 'user' | 'operator';
  /** Whether all users may call it, and the pool of its network uses it. */
  shared: boolean;
  /** True while the node receives no calls. */
  cordoned: boolean;
  /** Present on own nodes and for administrators. Path segments that could be a key are shown as `***`. */
  url?: string;
  /** `pending` before its first check; `unhealthy` after three consecutive failures, or on another chain. */
  status: 'pending' | 'healthy' | 'unhealthy';
  /** Its newest block: for nodes of the operator the latest that this gateway knows, for others at the last successful check. */
  blockHeight?: number;
  /** The latency of the last successful check, in milliseconds. */
  latencyMs?: number;
  /** When it was last checked. ISO 8601, UTC, milliseconds. */
  checkedAt?: string;
  /** When it was registered; for nodes of the operator, when this gateway started. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Present on own nodes and for administrators. */
  circuit?: {
    /** Its circuit breaker at this gateway. `half-open`: the next read probes it. `cooling-down`: it requested a pause (`Retry-After`). */
    state: 'closed' | 'open' | 'half-open' | 'cooling-down';
    /** The time until the gateway may call it again; present when `open` or `cooling-down`. */
    retryAfterSeconds?: number;
  };
  /** Measurements of this gateway; present on own nodes and for administrators. */
  last5Minutes?: {
    /** Callers' calls that this gateway sent to the node, retries included; a batch counts once. */
    calls: number;
    /** The number of these that the circuit breaker counts as failures of the node. */
    failed: number;
    /** `failed` of `calls`; absent without calls. */
    errorRate?: number;
    /** Milliseconds within which half of the answered calls were answered, at most 10 % off. */
    p50Ms?: number;
    /** Milliseconds within which 95 % of the answered calls were answered, at most 10 % off. */
    p95Ms?: number;
  };
  /** For nodes of the operator: how far it was behind the highest head of its network at the last comparison. */
  lagBlocks?: number;
  /** The user who registered it, by the `sub` of the token. */
  ownerId?: string;
};

/** The changes. Omitted members do not change. */
export type AdministeredNodePatch = {
  /** Whether all users may call it, and its network's pool uses it. Always true for nodes of the operator. */
  shared?: boolean | null;
  /** True to send the node no new calls. */
  cordoned?: boolean | null;
};

/** Usage, oldest bucket first; a bucket without requests has no row. */
export type UsageReport = {
  /** At most 1000. */
  data: readonly UsageRow[];
};

/** The usage of one bucket of time. */
export type UsageRow = {
  /** When the bucket begins. ISO 8601, UTC, milliseconds. */
  at: string;
  /** The label of the row; absent for `total`. */
  by?: string;
  /** All requests; each message of a batch counts as one. */
  requests: number;
  /** Requests that were refused or failed, except by a limit. */
  failed: number;
  /** Requests that a limit refused. */
  limited: number;
  /** Requests that were answered without a node. */
  cached: number;
  /** Milliseconds within which half of them were answered; absent when all were refused by a limit. */
  p50Ms?: number;
  /** Milliseconds within which 95 % of them were answered; absent when all were refused by a limit. */
  p95Ms?: number;
};

/** Entries of the audit log, newest first. */
export type AuditPage = {
  /** The entries of this page. */
  data: readonly AuditEntry[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A management action that was executed. */
export type AuditEntry = {
  /** The id of the entry. */
  auditId: string;
  /** When the action was executed. ISO 8601, UTC, milliseconds. */
  at: string;
  /** The id of the acting user. */
  actor: string;
  /** The kind of credential; `system`: the gateway acted on behalf of the user. */
  via: 'token' | 'key' | 'system';
  /** The action. */
  action:
    | 'key.created'
    | 'key.revoked'
    | 'node.created'
    | 'node.updated'
    | 'node.deleted'
    | 'node.shared'
    | 'node.unshared'
    | 'node.cordoned'
    | 'node.uncordoned'
    | 'wallet.linked'
    | 'wallet.unlinked'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'app.registered'
    | 'version.published'
    | 'version.retired'
    | 'limits.set'
    | 'limits.removed'
    | 'maintenance.set'
    | 'action.undone';
  /** The id of the target. */
  target: string;
  /** The id of the request. */
  requestId: string;
  /** Further facts about the action; never a secret. */
  details: {
    readonly [key: string]: unknown;
  };
};

/** The present maintenance. */
export type MaintenanceStatus = {
  /** Whether anything is refused, or will be from `startsAt` on. */
  active: boolean;
  /** Callers receive this message. */
  message?: string;
  /** Sent as `Retry-After`. */
  retryAfterSeconds: number;
  /** The refused surfaces. */
  surfaces?: readonly ('rpc' | 'rest' | 'flow')[];
  /** The networks whose calls are refused. */
  networks?: readonly string[];
  /** When it begins. ISO 8601, UTC, milliseconds. */
  startsAt?: string;
  /** When it ends by itself. ISO 8601, UTC, milliseconds. */
  endsAt?: string;
  /** How long before its beginning consoles announce it. */
  noticeMinutes?: number;
};

/** The surfaces and networks that answer 503. Replaces the present maintenance. */
export type MaintenanceInput = {
  /** False: nothing is refused. */
  active: boolean;
  /** Callers receive this message. */
  message?: string | null;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number | null;
  /** JSON-RPC, REST, Flow Apps. Left out: all, or the calls of `networks` when these are given. */
  surfaces?: readonly ('rpc' | 'rest' | 'flow')[] | null;
  /** Only calls to these networks and their nodes are refused on `rpc`; the other surfaces do not look at it. */
  networks?: readonly string[] | null;
  /** When it begins; left out: at once. */
  startsAt?: string | null;
  /** When it ends by itself; left out: when it is ended. */
  endsAt?: string | null;
  /** How long before `startsAt` every console says that it is coming. */
  noticeMinutes?: number | null;
};

/** Maintenance that begins soon; an empty object when none does. */
export type UpcomingMaintenance = {
  /** When it begins. ISO 8601, UTC, milliseconds. */
  startsAt?: string;
  /** When it ends by itself. ISO 8601, UTC, milliseconds. */
  endsAt?: string;
  /** For people. */
  message?: string;
  /** Only calls to these networks are concerned. */
  networks?: readonly string[];
};

/** Users, ordered by id. */
export type UserPage = {
  /** The entries of this page. */
  data: readonly ListedUser[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A user who has API keys or has used the gateway. */
export type ListedUser = {
  /** The `sub` of their tokens. */
  userId: string;
  /** When a request of the user was last counted, to the hour. ISO 8601, UTC, milliseconds. */
  lastSeenAt?: string;
  /** Requests of the last 24 hours. */
  requests24h: number;
  /** Active API keys. */
  keys: number;
};

/** A user’s own limits, and the configured limits of all users. */
export type UserLimitsReport = {
  /** Requests in any 60 seconds over all keys and tokens. */
  userPerMinute?: number;
  /** Requests in any 60 seconds to one Flow session. */
  sessionPerMinute?: number;
  /** Active API keys. Keys beyond a lowered limit remain valid; no further ones can be created. */
  maxActiveKeys?: number;
  /** Registered nodes. Nodes beyond a lowered limit stay; none can be registered. */
  nodes?: number;
  /** In force where the user has no limit of their own. */
  configured: {
    /** Requests in any 60 seconds over all keys and tokens. */
    userPerMinute: number;
    /** Requests in any 60 seconds to one Flow session. */
    sessionPerMinute: number;
    /** Active API keys. Keys beyond a lowered limit remain valid; no further ones can be created. */
    maxActiveKeys: number;
    /** Registered nodes. Nodes beyond a lowered limit stay; none can be registered. */
    nodes: number;
  };
};

/** The limits of one user. They replace all earlier ones; an absent limit is the configured one. */
export type UserLimitsInput = {
  /** Requests in any 60 seconds over all keys and tokens. */
  userPerMinute?: number | null;
  /** Requests in any 60 seconds to one Flow session. */
  sessionPerMinute?: number | null;
  /** Active API keys. Keys beyond a lowered limit remain valid; no further ones can be created. */
  maxActiveKeys?: number | null;
  /** Registered nodes. Nodes beyond a lowered limit stay; none can be registered. */
  nodes?: number | null;
};

/** A user’s own limits; what is absent is as configured. */
export type UserLimits = {
  /** Requests in any 60 seconds over all keys and tokens. */
  userPerMinute?: number;
  /** Requests in any 60 seconds to one Flow session. */
  sessionPerMinute?: number;
  /** Active API keys. Keys beyond a lowered limit remain valid; no further ones can be created. */
  maxActiveKeys?: number;
  /** Registered nodes. Nodes beyond a lowered limit stay; none can be registered. */
  nodes?: number;
};

/** Deployed contracts, newest first. */
export type DeployedContractPage = {
  /** The entries of this page. */
  data: readonly DeployedContract[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A contract that the caller deployed through this gateway. */
export type DeployedContract = {
  /** The address of the contract, which depends on deployer and nonce. EIP-55. */
  address: string;
  dlt: string;
  networkId: string;
  transactionHash: string;
  /** The signer of the transaction. EIP-55. */
  deployer: string;
  /** `deployed` and `failed` after the network's confirmations; `pending` again when a reorganization removes the transaction. */
  status: 'pending' | 'deployed' | 'failed';
  /** Present when the status is `failed`. `reverted`: the execution failed. `replaced`: another transaction used the nonce. `dropped`: no node has known the transaction for a day. */
  failureReason?: 'reverted' | 'replaced' | 'dropped';
  /** The block that contains the transaction; absent until the transaction is seen in a block. */
  blockNumber?: number;
  /** When the transaction was first sent through this gateway. ISO 8601, UTC, milliseconds. */
  createdAt: string;
};

/** The policy. Unknown members are ignored; an optional member that is `null` counts as omitted. */
export type PolicyInput = {
  /** A name for display. */
  name?: string | null;
  effect: 'allow' | 'deny';
  /** The callers whom the policy names. Duplicates count once. */
  subjects: readonly string[];
  resource: {
    kind: 'network' | 'node' | 'contract' | 'app';
    /** `*` for all resources of the kind; a network: `ethereum/dev`; a node: its nodeId; a contract: `ethereum/dev/0x…`, or `ethereum/dev/create` for the creation of contracts; a Flow App: `publisher/slug`. */
    id: string;
  };
  /** For a network or node: its methods; `*` matches any characters, and letter case is ignored. Default: all methods, and reads over REST. */
  methods?: readonly string[] | null;
  /** For a contract: its functions. Default: every call. */
  selectors?: readonly string[] | null;
};

/** Which of your calls of the last 24 hours a policy would have refused. */
export type PolicyPreview = {
  /** JSON-RPC calls whose network and method are known. 0 for a policy that is not about networks. */
  considered: number;
  /** The number of these that the policy would refuse and your other policies permit. */
  refused: number;
  /** The refused calls by method, most first. */
  byMethod: readonly {
    method: string;
    refused: number;
  }[];
};

/** A use to decide about. */
export type PolicyQuestion = {
  /** The resource to use. A use of a node or contract is also a use of its network. */
  resource: {
    kind: 'network' | 'node' | 'contract' | 'app';
    /** As in a policy, but of one resource. */
    id: string;
  };
  /** The JSON-RPC method. Default: a read over REST. */
  method?: string | null;
  /** For a contract: the function. Default: a call without data. */
  selector?: string | null;
  /** The API key of the use. Default: the credential of this request. */
  keyId?: string | null;
};

/** The decision of the policies. */
export type PolicyExplanation = {
  /** Also false when the user may not see the resource, or it does not exist. */
  allowed: boolean;
  /** The deciding policy. Absent when no policy is about the resource, or when you may not see the deciding policy. With `allowed` false and effect `allow`: the resource has allows in that scope, and none of them permits this use. */
  decidedBy?: {
    /** The id of the policy. */
    policyId: string;
    scope: 'own' | 'global';
    effect: 'allow' | 'deny';
  };
  /** The number of policies about the resource that you may see. */
  considered: number;
};

/** A use by any user to decide about. */
export type AdminPolicyQuestion = {
  /** The resource to use. A use of a node or contract is also a use of its network. */
  resource: {
    kind: 'network' | 'node' | 'contract' | 'app';
    /** As in a policy, but of one resource. */
    id: string;
  };
  /** The JSON-RPC method. Default: a read over REST. */
  method?: string | null;
  /** For a contract: the function. Default: a call without data. */
  selector?: string | null;
  /** The API key of the use. Default: the credential of this request. */
  keyId?: string | null;
  /** The user. Default: the API key's owner, or the caller. */
  userId?: string | null;
  /** The roles of the user's token. API keys have none. */
  roles?: readonly string[] | null;
};

/** A rule about who may, or may not, use a resource. */
export type Policy = {
  /** The id of the policy. */
  policyId: string;
  /** `own`: a user's; `global`: the operator's. */
  scope: 'own' | 'global';
  /** A name for display. */
  name?: string;
  effect: 'allow' | 'deny';
  /** `*`, `user:<id>`, `key:<keyId>`, `role:<role>`. */
  subjects: readonly string[];
  resource: {
    kind: 'network' | 'node' | 'contract' | 'app';
    /** `*` for all resources of the kind. Addresses have their checksum (EIP-55). */
    id: string;
  };
  /** Globs over the names of methods. */
  methods?: readonly string[];
  /** `0x` and 8 digits, lower case. */
  selectors?: readonly string[];
  /** When the policy was created. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** When the policy was last changed. ISO 8601, UTC, milliseconds. */
  updatedAt: string;
};

/** Policies, newest first. */
export type PolicyPage = {
  /** The entries of this page. */
  data: readonly Policy[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** The members to change. `null` removes `name`, `methods` or `selectors`. */
export type PolicyPatch = {
  /** A name for display. */
  name?: string | null;
  effect?: 'allow' | 'deny';
  /** The callers whom the policy names. Duplicates count once. */
  subjects?: readonly string[];
  resource?: {
    kind: 'network' | 'node' | 'contract' | 'app';
    /** `*` for all resources of the kind; a network: `ethereum/dev`; a node: its nodeId; a contract: `ethereum/dev/0x…`, or `ethereum/dev/create` for the creation of contracts; a Flow App: `publisher/slug`. */
    id: string;
  };
  /** For a network or node: its methods; `*` matches any characters, and letter case is ignored. Default: all methods, and reads over REST. */
  methods?: readonly string[] | null;
  /** For a contract: its functions. Default: every call. */
  selectors?: readonly string[] | null;
};

/** The wallet to link, and the chain on which the gateway calls a contract wallet. */
export type WalletChallengeInput = {
  /** The wallet. */
  address: string;
  /** Of a network here. Left out: the default network's. */
  chainId?: number | null;
};

/** The message for the wallet to sign (EIP-4361). */
export type WalletChallenge = {
  /** The message to sign, unchanged (`personal_sign`, EIP-191). */
  message: string;
  /** In the message: links one wallet, once. */
  nonce: string;
  /** Ten minutes after the challenge. ISO 8601, UTC, milliseconds. */
  expiresAt: string;
};

/** The proof: the message of a challenge, and what the wallet made of it. */
export type WalletInput = {
  /** The text of the challenge, unchanged. */
  message: string;
  /** 65 bytes, 64 (EIP-2098), or what a contract wallet takes (EIP-1271, EIP-6492). */
  signature: string;
  /** For people: Unicode code points, no control or format characters. */
  label?: string | null;
};

/** A wallet that the caller has proved. */
export type Wallet = {
  /** The wallet. EIP-55. */
  address: string;
  /** Whether a key signed, or a contract confirmed the signature. */
  kind: 'account' | 'contract';
  label?: string;
  /** The chain that the signed message named; where a contract wallet was asked. */
  chainId: number;
  /** When it was linked. ISO 8601, UTC, milliseconds. */
  linkedAt: string;
};

/** Wallets, newest first. */
export type WalletPage = {
  /** The entries of this page. */
  data: readonly Wallet[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** Positions, the most recently linked wallet first. */
export type StakePage = {
  /** The entries of this page. */
  data: readonly Stake[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
  /** Contracts that failed or returned no number, and the wallets whose positions in them are unknown for that reason. */
  unreadable?: readonly {
    /** The id of the staking contract in the configuration. */
    contractId: string;
    dlt: string;
    networkId: string;
    wallets: readonly string[];
  }[];
};

/** A position: what a wallet has staked in a contract, and earned. */
export type Stake = {
  /** Stable for a pair of contract and wallet. */
  stakeId: string;
  /** The id of the staking contract in the configuration. */
  contractId: string;
  dlt: string;
  networkId: string;
  /** The caller's wallet. EIP-55. */
  wallet: string;
  /** Amount of the staking token. In base units. */
  staked: string;
  /** Amount of the rewards token that is not claimed yet. In base units. */
  earned: string;
  /** The staking token. */
  stakingToken: {
    /** The token. EIP-55. */
    address: string;
    /** The token's symbol, sanitized for display; empty when the token has none. */
    symbol: string;
    /** 0 when the token has no decimals. */
    decimals: number;
  };
  /** The rewards token. */
  rewardsToken: {
    /** The token. EIP-55. */
    address: string;
    /** The token's symbol, sanitized for display; empty when the token has none. */
    symbol: string;
    /** 0 when the token has no decimals. */
    decimals: number;
  };
  /** The block at which the position was read. */
  blockNumber: number;
  /** When the position was read. ISO 8601, UTC, milliseconds. */
  updatedAt: string;
};

/** An action of a wallet in a staking contract. */
export type StakeTransactionInput = {
  /** The id of the staking contract in the configuration. */
  contractId: string;
  dlt: string;
  networkId: string;
  /** A linked wallet of the caller. */
  wallet: string;
  action: 'stake' | 'unstake' | 'claim' | 'exit';
  /** Required for stake and unstake: the amount in base units of the staking token. */
  amount?: string | null;
};

/** Transactions to be signed by the wallet and sent in this order. */
export type PreparedTransactions = {
  /** An approval first, where the contract may not take enough of the token yet. */
  transactions: readonly {
    chainId: number;
    /** The wallet. EIP-55. */
    from: string;
    /** The contract or token. EIP-55. */
    to: string;
    data: string;
    /** Of the native coin. In base units. */
    value: string;
    /** The gas limit, with a reserve above the estimate. */
    gas: string;
    /** What the transaction does, as a sentence. */
    description: string;
  }[];
};

/** Bridges. */
export type BridgePage = {
  /** The entries of this page. */
  data: readonly BridgeRecord[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A bridge of a rollup that the operator of this gateway names. */
export type BridgeRecord = {
  bridgeId: string;
  /** The name that people see. */
  name: string;
  /** L1, where deposits begin and withdrawals end. */
  l1: {
    dlt: string;
    networkId: string;
    /** EIP-155. */
    chainId: number;
  };
  /** L2, the rollup. */
  l2: {
    dlt: string;
    networkId: string;
    /** EIP-155. */
    chainId: number;
  };
  /** Blocks on L1 until a deposit is confirmed, its own included. */
  confirmations: number;
  /** Ether first, then the token pairs that the operator configures. */
  tokens: readonly {
    /** Ether; then both addresses are absent. */
    native: boolean;
    /** The token on L1. EIP-55. */
    l1?: string;
    /** The token on L2. EIP-55. */
    l2?: string;
    /** The symbol that the token returns, made safe to display. Absent while it is unknown, and when the token has none. */
    symbol?: string;
    /** Absent while they are unknown. */
    decimals?: number;
  }[];
};

/** Deposits, swaps and withdrawals, newest first. */
export type HistoryPage = {
  /** The entries of this page. */
  data: readonly HistoryEntry[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A deposit, a swap or a withdrawal in which a linked wallet of the caller sends or receives. */
export type HistoryEntry = {
  type: 'deposit' | 'swap' | 'withdrawal';
  /** The record's id: `dep_`, `swp_` or `wdr_` and a ULID. */
  id: string;
  /** For a deposit or a withdrawal: its status. For a swap: `completed` or `failed`. */
  status: string;
  /** The time of the first block of the record. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  dlt: string;
  /** The network of the first transaction: L1 for a deposit, L2 for a withdrawal, the network of a swap. */
  networkId: string;
  /** The linked wallet. When both sender and receiver are linked: the sender. EIP-55. */
  wallet: string;
  /** What a linked wallet sends. `status` says whether it is sent. */
  sent?: {
    token: {
      /** Ether; then both addresses are absent. */
      native: boolean;
      /** The token on L1. EIP-55. */
      l1?: string;
      /** The token on L2. EIP-55. */
      l2?: string;
      /** The symbol that the token returns, made safe to display. Absent while it is unknown, and when the token has none. */
      symbol?: string;
      /** Absent while they are unknown. */
      decimals?: number;
      /** The address of the token, where it is on one network only. EIP-55. */
      address?: string;
    };
    /** The amount, in base units. In base units. */
    amount: string;
  };
  /** What a linked wallet receives. `status` says whether it has arrived. */
  received?: {
    token: {
      /** Ether; then both addresses are absent. */
      native: boolean;
      /** The token on L1. EIP-55. */
      l1?: string;
      /** The token on L2. EIP-55. */
      l2?: string;
      /** The symbol that the token returns, made safe to display. Absent while it is unknown, and when the token has none. */
      symbol?: string;
      /** Absent while they are unknown. */
      decimals?: number;
      /** The address of the token, where it is on one network only. EIP-55. */
      address?: string;
    };
    /** The amount, in base units. In base units. */
    amount: string;
  };
  transactions: readonly {
    dlt: string;
    networkId: string;
    /** The transaction. */
    hash: string;
    /** `deposit` on L1, and its `arrival` on L2 under the hash derived from it; `initiation` on L2, `proof` and `finalisation` on L1, once they exist; `swap`. */
    purpose: 'deposit' | 'arrival' | 'initiation' | 'proof' | 'finalisation' | 'swap';
  }[];
};

/** Deposits, newest first. */
export type DepositPage = {
  /** The entries of this page. */
  data: readonly Deposit[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** What a transaction on L1 sends to L2 over a bridge, and its progress. */
export type Deposit = {
  /** It does not change when its block is replaced. */
  depositId: string;
  bridgeId: string;
  kind: 'native' | 'token' | 'message';
  /** `pending`: fewer confirmations on L1 than required. `confirmed`: enough confirmations, and L2 has not reached the block. `relaying`: due on L2. `completed`: arrived. `failed`: see `failureReason`. */
  status: 'pending' | 'confirmed' | 'relaying' | 'completed' | 'failed';
  /** True when it is not over and has made no progress for as long as the operator allows. */
  stalled: boolean;
  /** The result of a check of the transaction on L1, which is made at most once a minute. */
  stalledReason?: string;
  /** `reorganised`: L1 has lost the transaction, and it can no longer be mined. `l2_reverted`: its execution on L2 failed. `relay_failed`: it arrived, and the call of its message failed; any account may relay the message again. */
  failureReason?: 'reorganised' | 'l2_reverted' | 'relay_failed';
  /** L1. */
  source: {
    dlt: string;
    networkId: string;
  };
  /** L2. */
  destination: {
    dlt: string;
    networkId: string;
  };
  /** The asset that is transferred. */
  token: {
    /** Ether; then both addresses are absent. */
    native: boolean;
    /** The token on L1. EIP-55. */
    l1?: string;
    /** The token on L2. EIP-55. */
    l2?: string;
    /** The symbol that the token returns, made safe to display. Absent while it is unknown, and when the token has none. */
    symbol?: string;
    /** Absent while they are unknown. */
    decimals?: number;
  };
  /** The amount that arrives on L2. In base units. */
  amount: string;
  /** The sender. For a contract: its own address on L1, not its alias. EIP-55. */
  from: string;
  /** The receiver on L2. EIP-55. */
  to: string;
  /** The transaction on L1. */
  l1TransactionHash: string;
  /** The index of its log in the block. */
  l1LogIndex: number;
  /** The block on L1 that contains it, or the last one that did. */
  l1BlockNumber: number;
  /** The hash of the message that the messenger on L2 relays. */
  messageHash?: string;
  /** The transaction on L2, known from the start. It changes when L1 mines the deposit again in another block. */
  l2TransactionHash: string;
  /** The number of L1 blocks from its own on that were read; 0 while no block contains it. */
  confirmations: number;
  requiredConfirmations: number;
  /** The time of the block on L1. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** When the gateway last found a change of this record. ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** When the gateway found the current `status`. ISO 8601, UTC, milliseconds. */
  statusChangedAt: string;
  /** Present when a chain that could change this record is not read: the time since which the record may be outdated. ISO 8601, UTC, milliseconds. */
  staleSince?: string;
};

/** What the gateway reads of bridges and pools, and its progress. */
export type Indexers = {
  /** In the order of the configuration. */
  indexers: readonly {
    /** `main/l1` and `main/l2` for the bridge `main`, `swaps/ethereum/l2` for the pools of a network. */
    streamId: string;
    /** Absent for pools. */
    bridgeId?: string;
    /** The pools; absent for a bridge. */
    pools?: readonly string[];
    /** The ledger of its network. */
    dlt: string;
    networkId: string;
    /** The next block to read: everything below it is stored. */
    nextBlock: number;
    /** The chain's newest block at the last read; absent before the first. */
    head?: {
      /** Its number. */
      number: number;
      hash: string;
      /** Of the block. ISO 8601, UTC, milliseconds. */
      time: string;
    };
    /** Blocks up to the head that are not stored yet. */
    lagBlocks?: number;
    /** When the head was last read. ISO 8601, UTC, milliseconds. */
    readAt?: string;
    /** True when the chain has not been read for so long that responses to users have `staleSince`. */
    isStale: boolean;
    /** The reason why reading is interrupted; absent when it is not. */
    trouble?: string;
    /** Grows with each reorganization and `flowgate reindex`; 0: reading never began. */
    epoch: number;
    /** While blocks are read again (`flowgate reindex`): the last of them. */
    rereadTo?: number;
    /** The process that reads the stream, by a name that it has until it ends; absent while no process reads. */
    leader?: string;
    /** True when it is the process that answers this request. */
    isLedHere: boolean;
  }[];
};

/** The transfer of a wallet to the other side of a bridge. */
export type BridgeTransferInput = {
  /** The bridge, as in the configuration. */
  bridgeId: string;
  /** A wallet that the caller has linked. It signs, and pays the amount. */
  wallet: string;
  /** `native` for ether, or the address of the token on the sending side. The address on the other side names the pair, too. */
  token: string;
  /** In base units; above zero. */
  amount: string;
  /** The receiver on the other side. Default: the wallet. Required for a contract wallet, whose address may belong to another account there. */
  to?: string | null;
};

/** Withdrawals, newest first. */
export type WithdrawalPage = {
  /** The entries of this page. */
  data: readonly Withdrawal[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** What a transaction on L2 sends to L1 over a bridge, its progress, and what it waits for. */
export type Withdrawal = {
  /** It does not change when its block is replaced. */
  withdrawalId: string;
  bridgeId: string;
  kind: 'native' | 'token' | 'message';
  /** The hash by which the portal on L1 identifies it. */
  withdrawalHash: string;
  /** The hash of the message that the messenger on L1 relays. */
  messageHash?: string;
  /** The nonce of the message passer on L2. */
  nonce: string;
  /** `initiated`: read on L2, not compared with L1 yet. `awaiting_state_root`: L1 has no trustworthy root that contains it. `ready_to_prove`. `in_dispute_window`: proven. `challenged`: proven against a root that is disputed. `ready_to_finalise`. `finalised`: executed on L1. `failed`: see `failureReason`. */
  status:
    | 'initiated'
    | 'awaiting_state_root'
    | 'ready_to_prove'
    | 'in_dispute_window'
    | 'challenged'
    | 'ready_to_finalise'
    | 'finalised'
    | 'failed';
  /** `l1_reverted`: the portal's call failed. `relay_failed`: it is paid out to the messenger on L1, and the call of its message failed; any account may relay the message again. `reorganised`: L2 lost its transaction. */
  failureReason?: 'l1_reverted' | 'relay_failed' | 'reorganised';
  /** Everything that blocks its end: empty exactly when it is finalized or failed. */
  blockers: readonly (
    | 'l2_block_lost'
    | 'l1_not_read'
    | 'state_root_not_posted'
    | 'not_proven'
    | 'dispute_window_open'
    | 'challenge_open'
    | 'not_finalised'
    | 'paused'
  )[];
  /** When proven: the first moment, by L1's clock, at which it can be finalized. Until the root is resolved: the earliest such moment. ISO 8601, UTC, milliseconds. */
  disputeWindowEndsAt?: string;
  /** L2. */
  source: {
    dlt: string;
    networkId: string;
  };
  /** L1. */
  destination: {
    dlt: string;
    networkId: string;
  };
  /** The asset that is transferred. */
  token: {
    /** Ether; then both addresses are absent. */
    native: boolean;
    /** The token on L1. EIP-55. */
    l1?: string;
    /** The token on L2. EIP-55. */
    l2?: string;
    /** The symbol that the token returns, made safe to display. Absent while it is unknown, and when the token has none. */
    symbol?: string;
    /** Absent while they are unknown. */
    decimals?: number;
  };
  /** The amount that arrives on L1. In base units. */
  amount: string;
  /** The sender on L2. EIP-55. */
  from: string;
  /** The receiver on L1. EIP-55. */
  to: string;
  /** The transaction on L2. */
  l2TransactionHash: string;
  /** The proof on L1 that counts. */
  proveTransactionHash?: string;
  /** The submitter of the proof that counts. Each wallet can prove the withdrawal itself, also after others have. EIP-55. */
  proofSubmitter?: string;
  /** The transaction that finalized it on L1. */
  finalizeTransactionHash?: string;
  /** @deprecated the same value as `finalizeTransactionHash`, which replaces it. */
  finaliseTransactionHash?: string;
  /** The time of the block on L2. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** When the gateway last found a change of this record. ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** When the gateway found the current `status`. ISO 8601, UTC, milliseconds. */
  statusChangedAt: string;
  /** Present when a chain that could change this record is not read: the time since which the record may be outdated. ISO 8601, UTC, milliseconds. */
  staleSince?: string;
};

/** The sender of the transaction on L1. */
export type WithdrawalStepInput = {
  /** Default: a linked wallet that sent or receives the withdrawal and can send on L1. */
  wallet?: string | null;
};

/** The sender of the transaction that relays the message again. */
export type ReplayInput = {
  /** Default: a linked wallet that received or sent the transfer and can send there. */
  wallet?: string | null;
};

/** An app to register. Its publisher is the part of `appId` before the slash, and belongs to the first user who registers an app under it. */
export type AppInput = {
  /** `publisher/slug`. */
  appId: string;
  /** The name to show to users, without control and format characters. */
  name: string;
  /** The description to show to users, without control characters. */
  description?: string | null;
  /** A private app is visible to its owner only. Default: `private`. */
  visibility?: 'public' | 'private' | null;
};

/** A registered app. */
export type App = {
  /** `publisher/slug`. */
  appId: string;
  /** The name to show to users, without control and format characters. */
  name: string;
  /** The description to show to users, without control characters. */
  description?: string;
  visibility: 'public' | 'private';
  /** The version that a start without `version` uses. Absent while no version is active. */
  latestVersion?: string;
  /** The time of the registration. ISO 8601, UTC, milliseconds. */
  createdAt: string;
};

/** Apps, newest first. */
export type AppPage = {
  /** The entries of this page. */
  data: readonly App[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** A version to publish. The gateway checks its health before it stores the version. */
export type VersionInput = {
  /** Strict semver. */
  version: string;
  /** The address of the app, under which the gateway calls `/renderStep` and `/health`. No user, query or fragment. */
  baseUrl: string;
  /** The secret that signs requests to the app: `whsec_` and base64 of 24 to 64 bytes. If it is absent, the gateway generates a secret and returns it once. */
  signingSecret?: string | null;
  /** The steps at which a session may start. Default: the first step. */
  startSteps?: readonly string[] | null;
  /** All steps that the app may render. */
  steps: readonly {
    stepId: string;
  }[];
  /** The queries of the caller's app data. */
  queries?:
    | readonly {
        queryId: string;
        /** JSON pointer (RFC 6901) into the app data. */
        path: string;
      }[]
    | null;
  /** The types of the app's events. */
  events?:
    | readonly {
        type: string;
      }[]
    | null;
  /** The domains to which the app's texts may link, including their subdomains, in addition to the host of `baseUrl`. */
  linkDomains?: readonly string[] | null;
};

/** A published version. */
export type Version = {
  /** `publisher/slug`. */
  appId: string;
  /** Strict semver. */
  version: string;
  /** The address of the app; `embedded:` for an app that runs in the gateway. */
  baseUrl: string;
  /** The steps at which a session may start. Default: the first step. */
  startSteps: readonly string[];
  /** All steps that the app may render. */
  steps: readonly {
    stepId: string;
  }[];
  /** The queries of the caller's app data. */
  queries: readonly {
    queryId: string;
    /** JSON pointer (RFC 6901) into the app data. */
    path: string;
  }[];
  /** The types of the app's events. */
  events: readonly {
    type: string;
  }[];
  /** The domains to which the app's texts may link, including their subdomains, in addition to the host of `baseUrl`. */
  linkDomains: readonly string[];
  status: 'active' | 'retired';
  /** The time of the publication. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Present only in the response to the publication, and only if the gateway generated the secret. */
  signingSecret?: string;
};

/** Versions, newest first. */
export type VersionPage = {
  /** The entries of this page. */
  data: readonly Version[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** The session to start. */
export type SessionInput = {
  /** `publisher/slug`. */
  appId: string;
  /** The version (strict semver). Default: the latest active version. */
  version?: string | null;
  /** One of the version's `startSteps`. Default: the first of them. */
  startStepId?: string | null;
  /** Sent to the app unchanged. */
  launchContext?: {
    readonly [key: string]: unknown;
  } | null;
};

/** A session: one user's run through one version of an app. */
export type Session = {
  /** The id of the session. */
  sessionId: string;
  /** `publisher/slug`. */
  appId: string;
  /** Strict semver. */
  version: string;
  status: 'active' | 'completed' | 'cancelled' | 'expired' | 'failed';
  /** The version of the session's state: 1 after the start, increased by 1 with each transition. */
  stateVersion: number;
  currentStep: StepSpec;
  /** The time of the start. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** The time of the last change. ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** The time at which the session expires unless it changes before. ISO 8601, UTC, milliseconds. */
  expiresAt: string;
  paymentReceipt?: PaymentReceipt;
};

/** One step of an app, as a client shows it. */
export type StepSpec = {
  stepId: string;
  /** The title to show to the user. */
  title: string;
  /** The description to show to the user. */
  description?: string;
  /** The fields to fill in. */
  fields: readonly Field[];
  /** The actions to choose from. */
  actions: readonly {
    /** The id of the action, which a submission names. */
    actionId: string;
    /** The text of the action's button. */
    label: string;
    /** Whether the fields are validated when this action is submitted. Default: true. */
    validate?: boolean;
  }[];
  /** The app's own hints for clients. */
  options?: {
    readonly [key: string]: unknown;
  };
  /** The price of a submission (x402): `{ accepts: [PaymentRequirements] }`. */
  payment?: {
    readonly [key: string]: unknown;
  };
  /** The transaction that the caller's wallet should sign. */
  transaction?: {
    readonly [key: string]: unknown;
  };
  /** Whether this is the last step, which ends the session. */
  terminal?: boolean;
  /** The app's own hints for channels. */
  channels?: {
    readonly [key: string]: unknown;
  };
  /** Doubtful texts of the step, reported by the gateway's content filter, never by the app. Show each message next to its text. Absent if there are none. */
  warnings?: readonly StepWarning[];
};

/** A field of a step. */
export type Field = {
  /** The name in `fieldValues`. */
  fieldId: string;
  type:
    | 'text'
    | 'number'
    | 'boolean'
    | 'date'
    | 'select'
    | 'multiselect'
    | 'address'
    | 'amount'
    | 'signature'
    | 'signedTransaction'
    | 'txHash'
    | 'json'
    | 'secret';
  /** The label to show to the user. */
  label: string;
  /** Whether a value is required. Default: false. */
  required?: boolean;
  /** The initial value. Never present on `secret` fields. */
  value?: unknown;
  /** For `select` and `multiselect`. */
  options?: readonly {
    /** The value that is submitted. */
    value: string;
    /** The label to show to the user. */
    label: string;
  }[];
  /** RE2, anchored at both ends. */
  pattern?: string;
  /** Inclusive. */
  min?: number | string;
  /** Inclusive. */
  max?: number | string;
  /** A hint to show to the user. */
  help?: string;
  /** A condition: the field is shown, validated and submitted only while the other field has this value. */
  visibleWhen?: {
    /** An earlier field of the step: boolean, select, multiselect, text or number. */
    fieldId: string;
    /** The value that the other field must have or, if it has several, include. */
    equals: string | number | boolean;
  };
};

/** A doubtful text of a step: the content filter neither accepts nor refuses it. */
export type StepWarning = {
  /** The rule of the content filter. */
  ruleId: string;
  /** JSON pointer (RFC 6901) into the step; empty for the step as a whole. */
  pointer: string;
  /** The field that has the text, when a field has it. */
  fieldId?: string;
  /** A sentence to show next to the text. */
  message: string;
};

/** Sessions, newest first. */
export type SessionPage = {
  /** The entries of this page. */
  data: readonly Session[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** An action of the session's current step, with the values of its fields. */
export type StepSubmission = {
  /** The id of one of the step's actions. */
  actionId: string;
  /** The values of the step's fields, by `fieldId`. Unknown fields are refused. */
  fieldValues?: {
    readonly [key: string]: unknown;
  } | null;
  /** The `stateVersion` of the session that the caller has read last. */
  stateVersion: number;
};

/** A ProblemDetails with the members that x402 defines. */
export type PaymentRequired = {
  /** The kind of error, as a URN. */
  type: 'urn:svc:error:payment-required';
  /** A short summary. */
  title: string;
  status: 402;
  /** Why the payment was not accepted. */
  detail: string;
  retryable: false;
  /** The request's id, as in `X-Request-Id`. */
  instance: string;
  /** The version of x402. */
  x402Version: number;
  /** Why the payment was not accepted. */
  error: string;
  /** The accepted payments (x402 PaymentRequirements). Any one of them pays for the step. */
  accepts: readonly {
    readonly [key: string]: unknown;
  }[];
  /** The resource that the payment is for. */
  resource: {
    readonly [key: string]: unknown;
  };
};

/** Events in the order of their occurrence. */
export type FlowEventPage = {
  /** The events of this page. */
  data: readonly FlowEvent[];
  /** The sequence of the last event. Pass it as `?after=` to get the next page. */
  nextCursor?: string;
};

/** An event of a session. */
export type FlowEvent = {
  /** The id of the event, the same on every delivery. */
  id: string;
  /** The number of the event in its session, without gaps. */
  sequence: number;
  type: string;
  /** The time of the event. ISO 8601, UTC, milliseconds. */
  timestamp: string;
  /** `sessionId`, `appId`, `version`, `stateVersion`, and the members of the event's type. Never contains the value of a secret field. */
  data: {
    /** The id of the session. */
    sessionId?: string;
    /** `publisher/slug`. */
    appId: string;
    /** Strict semver. */
    version: string;
    stateVersion?: number;
  } & {
    readonly [key: string]: unknown;
  };
};

/** The caller's app data at the query's path. */
export type QueryResult = {
  /** Any JSON value. */
  data: unknown;
};

/** A webhook for one type of events of the caller's own sessions. */
export type SubscriptionInput = {
  eventType: string;
  /** The URL of the endpoint: https, unless the operator allows other URLs. */
  targetUrl: string;
  /** The secret that signs the deliveries. If it is absent, the gateway generates a secret and returns it once. */
  secret?: string | null;
};

/** A webhook. Deliveries are signed according to Standard Webhooks. */
export type Subscription = {
  /** The id of the subscription. */
  subscriptionId: string;
  /** `publisher/slug`. */
  appId: string;
  eventType: string;
  /** The URL of the endpoint. */
  targetUrl: string;
  status: 'active' | 'disabled';
  /** The time of its creation. ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Present only in the response that created the subscription, and only if the gateway generated the secret. */
  secret?: string;
  /** Why the subscription was disabled; present only if it is disabled. */
  disabledReason?: string;
  /** When the subscription was disabled; present only if it is disabled. ISO 8601, UTC, milliseconds. */
  disabledAt?: string;
};

/** Subscriptions, newest first. */
export type SubscriptionPage = {
  /** The entries of this page. */
  data: readonly Subscription[];
  /** Present when there is more: pass it as `?cursor=`. Opaque. */
  nextCursor?: string;
};

/** The issuer whose access tokens this gateway accepts (RFC 9728). */
export type ProtectedResource = {
  /** The address of the gateway. */
  resource: string;
  resource_name: string;
  resource_documentation: string;
  /** The issuer, as in the claim `iss` of its tokens. */
  authorization_servers: readonly string[];
  bearer_methods_supported: readonly 'header'[];
  /** The client id that `flowgate login` uses. */
  flowgate_command_line: {
    client_id: string;
    scope: string;
    /** Present when the issuer requires it. */
    audience?: string;
  };
};

/** What the console needs to sign a user in. */
export type ConsoleConfig = {
  /** The issuer: the identifier of the OpenID provider. */
  issuer: string;
  /** The client id of the console at the provider. */
  clientId: string;
  /** The scopes that the console requests. */
  scope: string;
  /** The address at which callers reach the gateway. */
  publicUrl: string;
  version: string;
};

/** An OpenAPI 3.1 document: this one. */
export type OpenApiDocument = {
  openapi: string;
  info: {
    readonly [key: string]: unknown;
  };
  /** The addresses of the gateway. */
  servers: readonly {
    readonly [key: string]: unknown;
  }[];
  /** The groups of routes. */
  tags: readonly {
    readonly [key: string]: unknown;
  }[];
  paths: {
    readonly [key: string]: unknown;
  };
  webhooks: {
    readonly [key: string]: unknown;
  };
  components: {
    readonly [key: string]: unknown;
  };
};

/** The input of the reducer: the state of the session, and the submission. */
export type RenderRequest = {
  protocolVersion: '1';
  /** The id of the caller's request, as in `X-Request-Id`. */
  requestId: string;
  reason: 'start' | 'submit';
  session: {
    /** The id of the session. */
    sessionId: string;
    /** `publisher/slug`. */
    appId: string;
    /** Strict semver. */
    version: string;
    /** The version of the session's state. 0 for the start. */
    stateVersion: number;
    /** The id of the user. Stable, and different for each app. */
    userId: string;
  };
  /** The step that was submitted, or at which the session starts. */
  stepId: string;
  /** On a start with an idempotency key: a key derived from it, the same for every retry of this start. */
  idempotencyKey?: string;
  /** The `launchContext` with which the session was started. */
  launchContext?: {
    readonly [key: string]: unknown;
  };
  /** The last state that the app returned; `{}` at the start. */
  state: {
    readonly [key: string]: unknown;
  };
  /** The app data of this user. */
  appData: {
    readonly [key: string]: unknown;
  };
  /** Whether the app data of this user exceeds the limit, so that `appData` is only a part. */
  appDataTruncated?: true;
  submission?: {
    stepId: string;
    /** The id of one of the actions of the step. */
    actionId: string;
    /** The values by `fieldId`, validated against the step. */
    fieldValues: {
      readonly [key: string]: unknown;
    };
    /** The same for every retry of one submission: act once for each key. */
    idempotencyKey: string;
    paymentReceipt?: PaymentReceipt;
  };
};

/** The output of the reducer: the next step, and the changes. At most 1 MiB. */
export type RenderResponse = {
  step: StepSpec;
  /** The new state. Default: unchanged. */
  state?: {
    readonly [key: string]: unknown;
  };
  /** Changes of the app data that the gateway stores for this user. */
  appData?: {
    /** Members to replace, by name. */
    set?: {
      readonly [key: string]: unknown;
    };
    /** Members to remove. */
    delete?: readonly string[];
  };
  /** Events of the session. Events of types that the version does not declare are dropped. */
  events?: readonly {
    type: string;
    /** The data of the event. */
    data: {
      readonly [key: string]: unknown;
    };
  }[];
  /** The status of the session. Default: `completed` on a terminal step, otherwise `active`. */
  status?: 'active' | 'completed' | 'failed';
  /** If not empty, the submission returns 400 and nothing changes. */
  errors?: readonly {
    /** The field of the step, if the problem is about a field. */
    fieldId?: string;
    /** A sentence to show to the user. */
    message: string;
  }[];
};

/** A delivered event: a FlowEvent without its sequence. */
export type WebhookBody = {
  /** The id of the event, the same on every delivery. */
  id: string;
  type: string;
  /** The time of the event. ISO 8601, UTC, milliseconds. */
  timestamp: string;
  /** `sessionId`, `appId`, `version`, `stateVersion`, and the members of the event's type. Never contains the value of a secret field. */
  data: {
    /** The id of the session. */
    sessionId?: string;
    /** `publisher/slug`. */
    appId: string;
    /** Strict semver. */
    version: string;
    stateVersion?: number;
  } & {
    readonly [key: string]: unknown;
  };
};
