/** The conditions under which a leader may write what it has read. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import type { StreamPosition, StreamState } from './index-store.ts';

/**
 * For `onlyIf` of a transaction: it does nothing unless the lease is still the latest of its name and each of these streams is still in its epoch. Until the transaction
 * ends, no other process can take the lease, and no block of the streams can be reverted.
 */
export function roundFence(
  { dialect }: Database,
  { name, token }: Lease,
  epochs: readonly Pick<StreamState, 'streamId' | 'epoch'>[],
): Statement {
  const streams = epochs.map((_, at) => raw(`, bridge_streams AS stream_${at}`));
  const unchanged = epochs.map(({ streamId, epoch }, at) => {
    const stream = raw(`stream_${at}`);
    return sql`AND ${stream}.stream_id = ${streamId} AND ${stream}.epoch = ${epoch}`;
  });
  return sql`SELECT lease.name FROM leases AS lease ${joined(streams)}
    WHERE lease.name = ${name} AND lease.token = ${token} AND lease.holder IS NOT NULL ${joined(unchanged)} ${raw(dialect.forShare)}`;
}

/**
 * The same for the transaction that advances the stream: it must still be at this place, and stays there until the transaction ends. All streams of a lease advance one
 * after another: two streams that store related facts at the same time (a deposit, and its message's relay) would not see each other's. The rows are locked for update at
 * once: a read lock that is upgraded later could deadlock with another such transaction.
 */
export function streamFence(
  { dialect }: Database,
  { name, token }: Lease,
  streamId: string,
  { nextBlock, epoch }: StreamPosition,
): Statement {
  return sql`SELECT lease.name FROM leases AS lease, bridge_streams AS stream
    WHERE lease.name = ${name} AND lease.token = ${token} AND lease.holder IS NOT NULL
      AND stream.stream_id = ${streamId} AND stream.epoch = ${epoch} AND stream.next_block = ${nextBlock} ${raw(dialect.forUpdate)}`;
}

function joined(parts: readonly Fragment[]): Fragment {
  return parts.reduce((all, each) => sql`${all} ${each}`, sql``);
}
