/** Deposits, swaps and withdrawals of linked wallets in one list (contract/history). */

import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { Send } from './transport.ts';
import type { HistoryEntry } from './wire.ts';

export type HistoryFilter = {
  readonly type?: HistoryEntry['type'];
  /** Only what this linked wallet sent or receives. */
  readonly wallet?: string;
  /** Only entries after this time, with a zone. */
  readonly after?: string;
  /** Only entries before this time, with a zone. */
  readonly before?: string;
};

/** Newest first. */
export type History = Paged<HistoryEntry, HistoryFilter>;

export function createHistory(send: Send): History {
  return createPaged(send, 'GET /users/me/history', shapes.historyEntry, []);
}
