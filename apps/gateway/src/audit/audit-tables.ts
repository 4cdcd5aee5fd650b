/** The tables of the audit log. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { Actor, AuditAction } from './audit-note.ts';

export const auditEntriesTable = table('audit_entries', 'auditId', {
  auditId: text('audit_id'),
  chainId: text('chain_id'),
  /** Counts the entries of its chain from 1, without gaps. */
  sequence: integer('sequence'),
  /** The hash of the previous entry; for the first entry, that of its chain's beginning. */
  previous: text('previous'),
  createdAtMs: timeMs('created_at'),
  actor: text('actor'),
  via: text<Actor['via']>('via'),
  action: text<AuditAction>('action'),
  target: text('target'),
  requestId: text('request_id'),
  /** JSON; the stored text is hashed. */
  details: text('details'),
});

/** One row for each chain; its last two columns identify the chain's last entry. */
export const auditChainsTable = table('audit_chains', 'chainId', {
  chainId: text('chain_id'),
  /** Counts all chains from 1, without gaps. */
  number: integer('number'),
  begunAtMs: timeMs('begun_at'),
  /** JSON of an `EntryPlace`: the end of the chain that this one continues. */
  follows: optional(text('follows')),
  /** 0 and an empty text before the first entry. */
  sequence: integer('sequence'),
  hash: text('hash'),
});
