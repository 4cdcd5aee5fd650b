/** Lists deposits, swaps and withdrawals of a user's wallets in one list, newest first. */

import { parseIsoTime } from '../../platform/iso-time.ts';
import { onceIn } from '../../platform/once-in.ts';
import { type Page, type PageRequest, type Position, pageOf, parsePage } from '../../platform/page.ts';
import { ok, type Result, refused } from '../../platform/result.ts';
import { isTypeId } from '../../platform/type-id.ts';
import type { WalletsOf } from '../bridge-wallet.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { walletIn } from '../wallet-query.ts';
import { type HistoryPlaces, historyLooks } from './history-looks.ts';
import { type HistoryType, historyTypes } from './history-record.ts';
import type { HistoryPageRequest, HistoryStore } from './history-store.ts';
import { type HistoryEntry, historyView, tokensOf } from './history-view.ts';

export type HistoryParts = {
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
  { store, tokens, walletsOf, places }: HistoryParts,
  userId: string,
  query: URLSearchParams,
): Promise<Result<Page<HistoryEntry>, 'bad-request'>> {
  const parsed = parseHistoryQuery(query);
  if (!parsed.ok) return parsed;
  const { types, wallet, ...request } = parsed.value;
  const wallets = await walletsOf(userId);
  const wanted = wallet === undefined ? wallets : wallets.filter(({ address }) => address === wallet);
  const looks = historyLooks(types, wanted, places);
  if (looks.length === 0) return ok({ data: [] });
  const { records, next } = await store.page(looks, request);
  const known = await tokens.describe(tokensOf(records, places));
  return ok(
    pageOf(
      records.flatMap((record) => historyView(record, wallets, places, known) ?? []),
      next,
    ),
  );
}

function parseHistoryQuery(query: URLSearchParams): Result<HistoryQuery, 'bad-request'> {
  const problems: string[] = [];
  const once = onceIn(query, problems);
  const timeOf = (name: string): number | undefined => {
    const text = once(name);
    const atMs = text === undefined ? undefined : parseIsoTime(text);
    if (text !== undefined && atMs === undefined)
      problems.push(`${name} must be an ISO 8601 time with a zone, such as 2026-11-22T10:00:00Z`);
    return atMs;
  };
  const page = parsePage(query, { defaultLimit: 20, isId });
  if (!page.ok && page.detail !== undefined) problems.push(page.detail);
  const [wantedType, wanted, newerThanMs, beforeMs] = [once('type'), once('wallet'), timeOf('after'), timeOf('before')];
  const types = wantedType === undefined ? historyTypes : historyTypes.filter((type) => type === wantedType);
  if (types.length === 0) problems.push(`type must be one of ${historyTypes.join(', ')}`);
  const wallet = walletIn(wanted, problems);
  if (!page.ok || problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({
    types,
    page: olderThan(page.value, beforeMs),
    ...(wallet === undefined ? {} : { wallet }),
    ...(newerThanMs === undefined ? {} : { newerThanMs }),
  });
}

function isId(id: string): boolean {
  return (['dep', 'swp', 'wdr'] as const).some((prefix) => isTypeId(prefix, id));
}

/** The page begins where the earlier of the two is, the cursor or the time: one bound for the index. No id is before the empty one. */
function olderThan({ limit, after }: PageRequest, beforeMs: number | undefined): PageRequest {
  if (beforeMs === undefined || (after !== undefined && after.atMs < beforeMs))
    return after ? { limit, after } : { limit };
  const before: Position = { atMs: beforeMs, id: '' };
  return { limit, after: before };
}
