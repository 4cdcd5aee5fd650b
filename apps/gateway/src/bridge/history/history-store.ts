/** The storage interface of the history. Every engine passes `bridge/history/history-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { HistoryRecord, HistoryType } from './history-record.ts';

/** The roles of a wallet in a record: sender (for a swap: sender of the transaction), caller of the pool, receiver. */
export type HistoryRole = 'from' | 'sender' | 'to';

/** The search among the records of a type. */
export type HistorySearch = {
  readonly type: HistoryType;
  readonly role: HistoryRole;
  /** Addresses, in lower case, each with the bridge or the stream of pools whose records are searched. */
  readonly places: readonly { readonly address: string; readonly partition: string }[];
};

export type HistoryPageRequest = {
  readonly page: PageRequest;
  /** Only records later than this: milliseconds since the Unix epoch. */
  readonly newerThanMs?: number;
};

export type HistoryStore = {
  /**
   * Newest first, by `createdAtMs` and id, each record once. A page may have fewer records than its limit when a reorganization removes one during the read. The cost
   * does not depend on the number of stored records. Throws `Unavailable`.
   */
  page(
    searches: readonly HistorySearch[],
    request: HistoryPageRequest,
  ): Promise<{ readonly records: readonly HistoryRecord[]; readonly next?: Position }>;
};
