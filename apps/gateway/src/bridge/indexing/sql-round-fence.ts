/** The conditions under which a leader's writes about what it read hold. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import type { StreamPosition, StreamState } from './index-store.ts';

/**
 * For `onlyIf` of a transaction: it does nothing unless the lease is still the latest of its name and each of these streams is still in its epoch. Until the transaction ends no one can take the
 * name over, and no block of the streams can be undone.
 */
export function roundFence(
  { dialect }: Database,
  { name, token }: Lease,
  epochs: readonly Pick<StreamState, 'streamId' | 'epoch'>[],
): Statement {
  const streams = epochs.map((_, at) => raw(`, bridge_streams AS stream_${at}`));
  const held = epochs.map(({ streamId, epoch }, at) => {
    const stream = raw(`stream_${at}`);
    return sql`AND ${stream}.stream_id = ${streamId} AND ${stream}.epoch = ${epoch}`;
  });
  return sql`SELECT lease.name FROM leases AS lease ${joined(streams)}
    WHERE lease.name = ${name} AND lease.token = ${token} AND lease.holder IS NOT NULL ${joined(held)} ${raw(dialect.forShare)}`;
}

/**
 * The same for the transaction that moves the stream on: it must still be at this place, and stays there until the transaction ends. All streams of a lease move on one after another: what one of
 * them stores for the other (a deposit, and its message's relay) would see neither of the two if both were stored at the same time. Locked for the update at once: a lock for reading, raised
 * later, could deadlock with another transaction that does the same.
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
