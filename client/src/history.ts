/** Deposits, swaps and withdrawals of linked wallets in one list (contract/history). */

import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { Send } from './transport.ts';
import type { HistoryEntry } from './wire.ts';

export type HistoryFilter = {
  readonly type?: HistoryEntry['type'];
  /** Only entries whose sender or recipient is this linked wallet. */
  readonly wallet?: string;
  /** Only entries after this time, ISO 8601 with a zone. */
  readonly after?: string;
  /** Only entries before this time, ISO 8601 with a zone. */
  readonly before?: string;
};

/** Newest first. */
export type History = Paged<HistoryEntry, HistoryFilter>;

export function createHistory(send: Send): History {
  return createPaged(send, 'GET /users/me/history', shapes.historyEntry, []);
}
