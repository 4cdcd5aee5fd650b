/** API keys as callers see them (contract/keys; contract/keys#mint); never a secret but in the mint answer, once. */

import { isoTime } from '../platform/iso-time.ts';
import type { ApiKeyRecord } from './api-key-store.ts';

export type ApiKeyView = {
  keyId: string;
  label: string;
  scopes: string[];
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
  revokedAt?: string;
};

export type MintedApiKeyView = {
  /** Returned in this answer only. */
  apiKey: string;
  keyId: string;
  label: string;
  scopes: string[];
  createdAt: string;
  expiresAt?: string;
};

/** A list record: times appear when there is one. */
export function apiKeyView(record: ApiKeyRecord): ApiKeyView {
  return {
    keyId: record.keyId,
    label: record.label,
    scopes: [...record.scopes],
    createdAt: isoTime(record.createdAtMs),
    ...(record.expiresAtMs === undefined ? {} : { expiresAt: isoTime(record.expiresAtMs) }),
    ...(record.lastUsedAtMs === undefined ? {} : { lastUsedAt: isoTime(record.lastUsedAtMs) }),
    ...(record.revokedAtMs === undefined ? {} : { revokedAt: isoTime(record.revokedAtMs) }),
  };
}

export function mintedApiKeyView(rawKey: string, record: ApiKeyRecord): MintedApiKeyView {
  return { apiKey: rawKey, ...apiKeyView(record) };
}
