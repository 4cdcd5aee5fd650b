/** The hashes that link the entries of the audit log (docs/decisions/0075). */

import type { RecordOf } from '@flowgate/sql/engine/table';
import type { auditChainsTable, auditEntriesTable } from './audit-tables.ts';

export type AuditEntry = RecordOf<typeof auditEntriesTable.columns>;
export type AuditChainRecord = RecordOf<typeof auditChainsTable.columns>;

/** An entry of a chain, with its hash; `sequence` 0 is the beginning of the chain. */
export type EntryPlace = { readonly chainId: string; readonly sequence: number; readonly hash: string };

/** SHA-256, in hex, of the entry's members in this order as one JSON array, in UTF-8. */
export function entryHash(entry: AuditEntry): string {
  return sha256(
    JSON.stringify([
      'flowgate audit entry 1',
      entry.chainId,
      entry.sequence,
      entry.previous,
      entry.auditId,
      entry.createdAtMs,
      entry.actor,
      entry.via,
      entry.action,
      entry.target,
      entry.requestId,
      entry.details,
    ]),
  );
}

/** The value that the first entry of a chain has as its previous hash. */
export function chainHash(chain: Pick<AuditChainRecord, 'chainId' | 'number' | 'begunAtMs' | 'follows'>): string {
  const { chainId, number, begunAtMs, follows = null } = chain;
  return sha256(JSON.stringify(['flowgate audit chain 1', chainId, number, begunAtMs, follows]));
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
