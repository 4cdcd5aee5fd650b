/** Lists deposits, swaps and withdrawals of a user's wallets in one list, newest first. */

import { isTypeId } from '@flowgate/base/ids';
import { type Page, type Position, pageOf } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { onceIn } from '../../api/once-in.ts';
import type { WalletsOf } from '../bridges/bridge-wallet.ts';
import { parseListQuery } from '../lists/list-query.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { type HistoryType, historyTypes } from './history-record.ts';
import { type HistoryPlaces, historySearches } from './history-searches.ts';
import type { HistoryPageRequest, HistoryStore } from './history-store.ts';
import { type HistoryEntry, historyView, tokensOf } from './history-view.ts';

export type HistoryDeps = {
  readonly store: HistoryStore;
  readonly tokens: Pick<TokenStore, 'describe'>;
  readonly walletsOf: WalletsOf;
  readonly places: HistoryPlaces;
};

type HistoryQuery = HistoryPageRequest & {
  readonly types: readonly HistoryType[];
  /** In lower case. */
  readonly wallet?: string;
};

/** `?type=`, `?wallet=`, `?after=`, `?before=`, `?limit=`, `?cursor=` (contract/history#filters). Throws `Unavailable`. */
export async function listHistory(
  { store, tokens, walletsOf, places }: HistoryDeps,
  userId: string,
  query: URLSearchParams,
): Promise<Result<Page<HistoryEntry>, 'bad-request'>> {
  const parsed = parseHistoryQuery(query);
  if (!parsed.ok) return parsed;
  const { types, wallet, ...request } = parsed.value;
  const wallets = await walletsOf(userId);
  const wanted = wallet === undefined ? wallets : wallets.filter(({ address }) => address === wallet);
  const searches = historySearches(types, wanted, places);
  if (searches.length === 0) return ok({ data: [] });
  const { records, next } = await store.page(searches, request);
  const known = await tokens.describe(tokensOf(records, places));
  return ok(
    pageOf(
      records.flatMap((record) => historyView(record, wallets, places, known) ?? []),
      next && marked(next),
    ),
  );
}

function parseHistoryQuery(query: URLSearchParams): Result<HistoryQuery, 'bad-request'> {
  const problems: string[] = [];
  const { page, ...list } = parseListQuery(query, ['type'], isMarked, problems);
  const wanted = onceIn(query, problems)('type');
  const types = wanted === undefined ? historyTypes : historyTypes.filter((type) => type === wanted);
  if (types.length === 0) problems.push(`type must be one of ${historyTypes.join(', ')}`);
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  const after = page.after && { ...page.after, id: page.after.id.slice(mark.length) };
  return ok({ ...list, types, page: { limit: page.limit, ...(after && { after }) } });
}

/** The prefix of these cursors. Their ids are also ids of deposits and withdrawals, whose own lists must refuse the cursor. */
const mark = 'history/';

function marked({ atMs, id }: Position): Position {
  return { atMs, id: `${mark}${id}` };
}

function isMarked(id: string): boolean {
  const own = id.slice(mark.length);
  return id.startsWith(mark) && (['dep', 'swp', 'wdr'] as const).some((prefix) => isTypeId(prefix, own));
}
