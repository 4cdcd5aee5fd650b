/** The storage interface of API keys. Every engine passes `api-key-store.contract.ts`. */

import type { AuditNote } from '../../audit/audit-note.ts';

/** Times are milliseconds since the Unix epoch. */
export type ApiKeyRecord = {
  readonly keyId: string;
  readonly ownerId: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** HMAC-SHA-256 of the secret, 64 hex digits; the secret itself is never stored. */
  readonly digest: string;
  readonly pepperVersion: string;
  readonly createdAtMs: number;
  readonly expiresAtMs?: number;
  readonly lastUsedAtMs?: number;
  readonly revokedAtMs?: number;
};

/** A position in the list: just after this record. */
export type ApiKeyPosition = { readonly atMs: number; readonly id: string };

export type ApiKeyPage = {
  readonly records: readonly ApiKeyRecord[];
  /** Present when more records follow. */
  readonly next?: ApiKeyPosition;
};

export type RevokeOutcome = 'revoked' | 'already-revoked' | 'absent';

/** Every method throws `Unavailable` when the storage does not answer in time or cannot serve. */
export type ApiKeyStore = {
  /**
   * Stores the record and returns true if its owner has fewer than `limit` active keys at `nowMs`; revoked and expired keys do not count. Decision and write
   * are one atomic operation across all processes on the storage. `true` means durable. After `Unavailable` the key is absent, except when the storage or the
   * process died between the commit and its compensation: then the key is listed, counts, and can be revoked. The audit log of a stored key contains `note`.
   */
  insertIfUnder(record: ApiKeyRecord, limit: number, nowMs: number, note: AuditNote): Promise<boolean>;

  /** The record under `keyId`, also if revoked or expired; `undefined` when it does not exist. */
  find(keyId: string): Promise<ApiKeyRecord | undefined>;

  /**
   * The owner's records, newest first (by `createdAtMs`, then `keyId`), at most `limit` after the position `after`. Following `next` visits every record that
   * existed at the start exactly once, also while keys are minted and revoked.
   */
  list(ownerId: string, options: { readonly limit: number; readonly after?: ApiKeyPosition }): Promise<ApiKeyPage>;

  /**
   * Sets `revokedAtMs` once; a repetition changes nothing. `absent` for an unknown key and for another user's key. After its return every later `find` sees
   * the revocation, durably. After `Unavailable` the key may be revoked or not; repeating is safe. `note` is added to the audit log when this call revoked
   * the key.
   */
  revoke(ownerId: string, keyId: string, atMs: number, note: AuditNote): Promise<RevokeOutcome>;

  /**
   * The keyIds of all owners whose `revokedAtMs` is at or after `atMs`, the latest `limit` of them. `revokedAtMs` is the time that `revoke` received, from
   * the clock of the revoking node.
   */
  revokedSince(atMs: number, limit: number): Promise<readonly string[]>;

  /** Raises `lastUsedAtMs` of each key to the given time and never lowers it; ignores unknown keys. Repeating is safe. Not called on the request path. */
  touch(usedAtMs: ReadonlyMap<string, number>): Promise<void>;
};
