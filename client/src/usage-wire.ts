/** Usage on the wire, named as in the contract; a test compares it with the schemas of the server. */

import type { Timestamp } from './wire.ts';

/** Minutes are kept for 48 hours, hours for 90 days, days for two years; all in UTC. */
export type UsageBucket = 'minute' | 'hour' | 'day';

/** What there is a row for. */
export type UsageBy = 'total' | 'key' | 'surface' | 'network' | 'method' | 'app' | 'outcome';
export type AdminUsageBy = UsageBy | 'user';

/** What was used in one bucket of time. */
export type UsageRow = {
  /** When the bucket begins. */
  at: Timestamp;
  /** What the row is about, unless it is about everything: a keyId or `token`, `rpc`, `ethereum/mainnet`, `eth_call`, `publisher/app`, `cached`; `none` where there is none, `other` for what is not told apart. */
  by?: string;
  /** All requests; each message of a batch is one. */
  requests: number;
  /** Of these, refused or not answered, but not by a limit. */
  failed: number;
  /** Of these, refused by a limit. */
  limited: number;
  /** Of these, answered without asking a node. */
  cached: number;
  /** Milliseconds within which half of them were answered; absent when all were refused by a limit. */
  p50Ms?: number;
  /** The same for 95 %. */
  p95Ms?: number;
};

/** `GET /users/me/usage` and `GET /admin/usage`: the oldest bucket first; one without requests has no row. */
export type UsageReport = { data: readonly UsageRow[] };
