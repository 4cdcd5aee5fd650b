/** The bodies on the wire, named as in the contract; a test compares them with the schemas of the server. */

/** ISO 8601 in UTC with milliseconds, for example `2026-11-21T10:00:00.000Z`. */
export type Timestamp = string;

/** `POST /users/me/api-keys`, request. */
export type ApiKeyInput = {
  /** 1 to 100 Unicode code points, no control characters. */
  label: string;
  /** Default `["rpc"]`, the only scope. */
  scopes?: readonly 'rpc'[] | null;
  /** In the future, with a zone. Left out: the key never expires. */
  expiresAt?: Timestamp | null;
};

/** `POST /users/me/api-keys`, 201. Only this answer ever contains the key itself. */
export type MintedApiKey = {
  /** `fk_<keyId>.<secret>` */
  apiKey: string;
  keyId: string;
  label: string;
  scopes: readonly string[];
  createdAt: Timestamp;
  expiresAt?: Timestamp;
};

/** An entry of `GET /users/me/api-keys`; revoked keys stay for audit. */
export type ApiKeyRecord = {
  keyId: string;
  label: string;
  scopes: readonly string[];
  createdAt: Timestamp;
  expiresAt?: Timestamp;
  /** Absent until first use. */
  lastUsedAt?: Timestamp;
  /** Present on revoked keys only. */
  revokedAt?: Timestamp;
};

/** A page of a list, newest first. */
export type Page<T> = {
  data: readonly T[];
  /** Present when there is more: pass it as `?cursor=`. */
  nextCursor?: string;
};

/** `GET /users/me/id`. */
export type UserId = { id: string };

/** `GET /users/me`. */
export type WhoAmI = {
  userId: string;
  credential: 'token' | 'api-key';
  /** Of the API key; absent for a token. */
  keyId?: string;
  /** The token's roles; none for an API key. */
  roles: readonly string[];
  /** Whether routes for administrators are open to this credential. */
  isAdmin: boolean;
  /** In any 60 seconds, over all keys and tokens of the user. */
  requestsPerMinute: number;
  /** In any 60 seconds, to one Flow session. */
  sessionRequestsPerMinute: number;
  maxActiveKeys: number;
  maxNodes: number;
};

/** `GET /healthz`. */
export type Health = { status: 'ok' };

/** `GET /.well-known/oauth-protected-resource` (RFC 9728). */
export type ProtectedResource = {
  /** The gateway's address, as its operator names it. */
  resource: string;
  resource_name: string;
  resource_documentation: string;
  /** The issuer whose tokens count. */
  authorization_servers: readonly string[];
  bearer_methods_supported: readonly 'header'[];
  /** As what the command line signs people in. */
  flowgate_command_line: { client_id: string; scope: string; audience?: string };
};

/** `GET /readyz`, 200. */
export type Readiness = { status: 'ready'; checks: { database: 'ok'; identityProvider: 'ok' } };

export type PolicyResource = {
  kind: 'network' | 'node' | 'contract' | 'app';
  /** `*`, `ethereum/dev`, a nodeId, `ethereum/dev/0x…`, `ethereum/dev/create`, `publisher/slug`. */
  id: string;
};

/** `POST /users/me/policies` and `POST /admin/policies`, request. */
export type PolicyInput = {
  /** For people. */
  name?: string | null;
  effect: 'allow' | 'deny';
  /** `*`, `user:<id>`, `key:<keyId>`, `role:<role>`; 1 to 100. */
  subjects: readonly string[];
  resource: PolicyResource;
  /** Networks and nodes: globs over the names of methods. */
  methods?: readonly string[] | null;
  /** Contracts: `0x` and 8 digits. */
  selectors?: readonly string[] | null;
};

/** `PATCH …/{policyId}`, request: `null` removes `name`, `methods` or `selectors`. */
export type PolicyPatch = {
  name?: string | null;
  effect?: 'allow' | 'deny';
  subjects?: readonly string[];
  resource?: PolicyResource;
  methods?: readonly string[] | null;
  selectors?: readonly string[] | null;
};

/** A policy; `own`: of a user, `global`: of the operator. */
export type Policy = {
  policyId: string;
  scope: 'own' | 'global';
  name?: string;
  effect: 'allow' | 'deny';
  subjects: readonly string[];
  resource: PolicyResource;
  methods?: readonly string[];
  selectors?: readonly string[];
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

/** `POST /users/me/policies/explain`, request: a use to decide about. */
export type PolicyQuestion = {
  resource: PolicyResource;
  /** Left out: a read over REST. */
  method?: string | null;
  /** Of a contract; left out: a call without data. */
  selector?: string | null;
  /** As which API key; left out: as these credentials. */
  keyId?: string | null;
};

/** `POST /admin/policies/explain`, request: the same about anybody. */
export type AdminPolicyQuestion = PolicyQuestion & {
  userId?: string | null;
  /** Of the user's token. */
  roles?: readonly string[] | null;
};

export type PolicyExplanation = {
  allowed: boolean;
  /** Absent when no policy is about it, or when the one that decides may not be seen. */
  decidedBy?: { policyId: string; scope: 'own' | 'global'; effect: 'allow' | 'deny' };
  /** Of those that may be seen. */
  considered: number;
};

/** `POST /users/me/policies/preview`: what a policy would have refused of the user's calls of the last 24 hours. */
export type PolicyPreview = {
  /** JSON-RPC calls whose network and method are known. 0 for a policy that is not about networks. */
  considered: number;
  /** Of these, how many the policy would refuse and the other policies do not. */
  refused: number;
  /** The refused calls by method, most first. */
  byMethod: readonly { method: string; refused: number }[];
};

/** Every error outside `/flow/*` that is not a JSON-RPC error. */
export type StandardError = {
  /** Milliseconds since the Unix epoch. */
  timestamp: number;
  status: number;
  error: string;
  message: string;
  path: string;
};

export type JsonRpcId = string | number | null;

export type JsonRpcError = { code: number; message: string; data?: unknown };

export type JsonRpcResponse =
  | { jsonrpc: '2.0'; id: JsonRpcId; result: unknown }
  | { jsonrpc: '2.0'; id: JsonRpcId; error: JsonRpcError };

/** A management action that was done. */
export type AuditEntry = {
  auditId: string;
  at: Timestamp;
  /** The user's id: who did it. */
  actor: string;
  /** `system`: the gateway acted on the user's behalf. */
  via: 'token' | 'key' | 'system';
  action: AuditAction;
  /** The id of what it was done to. */
  target: string;
  requestId: string;
  details: Record<string, unknown>;
};

export type AuditAction =
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

export type MaintenanceSurface = 'rpc' | 'rest' | 'flow';

/** What is to be refused with 503; it replaces what was set before. */
export type MaintenanceInput = {
  active: boolean;
  /** 1 to 500 characters, told to callers. */
  message?: string | null;
  /** 1 to 86,400; 60 when left out. */
  retryAfterSeconds?: number | null;
  /** Left out: all, or the calls of `networks` when these are given. */
  surfaces?: readonly MaintenanceSurface[] | null;
  /** `ethereum/mainnet`: narrows `rpc`. */
  networks?: readonly string[] | null;
  /** Left out: at once. */
  startsAt?: Timestamp | null;
  /** Left out: when it is ended. */
  endsAt?: Timestamp | null;
  /** How long before `startsAt` consoles announce it; 1,440 when left out. */
  noticeMinutes?: number | null;
};

/** What is set. */
export type MaintenanceStatus = {
  active: boolean;
  message?: string;
  retryAfterSeconds: number;
  surfaces?: readonly MaintenanceSurface[];
  networks?: readonly string[];
  startsAt?: Timestamp;
  endsAt?: Timestamp;
  noticeMinutes?: number;
};

/** `GET /maintenance`: what begins soon; empty when nothing does. */
export type UpcomingMaintenance = {
  startsAt?: Timestamp;
  endsAt?: Timestamp;
  message?: string;
  networks?: readonly string[];
};

/** An entry of `GET /admin/users`. */
export type ListedUser = {
  userId: string;
  /** To the hour; absent before the first request. */
  lastSeenAt?: Timestamp;
  requests24h: number;
  /** Active API keys. */
  keys: number;
};

/** A user's own limits; what is left out is as configured. Rates are 1 to 1,000,000 in any 60 seconds, the others 1 to 1,000. */
export type UserLimitsInput = {
  userPerMinute?: number | null;
  sessionPerMinute?: number | null;
  maxActiveKeys?: number | null;
  nodes?: number | null;
};

export type UserLimits = {
  userPerMinute?: number;
  sessionPerMinute?: number;
  maxActiveKeys?: number;
  nodes?: number;
};

/** `GET /admin/users/{userId}/limits`. */
export type UserLimitsReport = UserLimits & {
  /** In force where the user has no limit of their own. */
  configured: { userPerMinute: number; sessionPerMinute: number; maxActiveKeys: number; nodes: number };
};
