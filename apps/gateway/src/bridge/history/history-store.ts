/** The storage interface of the history. Every engine passes `bridge/history/history-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { HistoryRecord, HistoryType } from './history-record.ts';

/** Where a wallet may stand in a record: who sends (of a swap: who sent the transaction), who called the pool, who receives. */
export type HistoryRole = 'from' | 'sender' | 'to';

/** What is looked for among the records of a type. */
export type HistoryLook = {
  readonly type: HistoryType;
  readonly role: HistoryRole;
  /** Addresses, in lower case, each with the bridge, or the stream of pools, among whose records it is looked for. */
  readonly places: readonly { readonly address: string; readonly partition: string }[];
};

export type HistoryPageRequest = {
  readonly page: PageRequest;
  /** Nothing that is as old as this, or older: milliseconds since the Unix epoch. */
  readonly newerThanMs?: number;
};

export type HistoryStore = {
  /**
   * Newest first, by `createdAtMs` and id, each record once. A page may hold fewer records than its limit: one that a reorganization took out while it was read. What it costs does not depend on how
   * many records there are. Throws `Unavailable`.
   */
  page(
    looks: readonly HistoryLook[],
    request: HistoryPageRequest,
  ): Promise<{ readonly records: readonly HistoryRecord[]; readonly next?: Position }>;
};
