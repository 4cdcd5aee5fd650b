/** The query of lists of deposits and of withdrawals: `?status=`, `?bridgeId=`, `?wallet=`, and where the caller's wallets are looked for (contract/bridge#wallets). */

import { z } from 'zod';
import { identifier } from '../api/body-members.ts';
import type { RouteQueryDoc } from '../api/route.ts';
import { identifierForm } from '../platform/identifier.ts';
import { onceIn } from '../platform/once-in.ts';
import { type PageRequest, parsePage } from '../platform/page.ts';
import { ok, type Result, refused } from '../platform/result.ts';
import { isTypeId, type TypeIdPrefix } from '../platform/type-id.ts';
import type { Bridge, BridgeSide } from './bridge.ts';
import { type BridgeWallet, countsOn, type WalletsOf } from './bridge-wallet.ts';
import { walletIn, walletQuery } from './wallet-query.ts';

export type RecordFilter<Status extends string> = {
  readonly status?: Status;
  readonly bridgeId?: string;
  /** In lower case. */
  readonly wallet?: string;
};

export function recordQuery(statuses: readonly string[]): readonly RouteQueryDoc[] {
  return [
    { name: 'status', description: 'In this status only.', schema: () => z.enum(statuses) },
    { name: 'bridgeId', description: 'Over this bridge only.', schema: identifier },
    walletQuery('Of this linked wallet only; of another address there is nothing.'),
  ];
}

function parseFilter<Status extends string>(
  query: URLSearchParams,
  statuses: readonly Status[],
): Result<RecordFilter<Status>, 'bad-request'> {
  const problems: string[] = [];
  const once = onceIn(query, problems);
  const [wanted, bridgeId, wantedWallet] = [once('status'), once('bridgeId'), once('wallet')];
  const status = statuses.find((each) => each === wanted);
  if (wanted !== undefined && status === undefined) problems.push(`status must be one of ${statuses.join(', ')}`);
  if (bridgeId !== undefined && !identifierForm.test(bridgeId))
    problems.push('bridgeId must be 1 to 64 letters, digits, dots, hyphens and underscores');
  const wallet = walletIn(wantedWallet, problems);
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({
    ...(status !== undefined && { status }),
    ...(bridgeId !== undefined && { bridgeId }),
    ...(wallet !== undefined && { wallet }),
  });
}

/** The filter and the page of a list whose ids have this prefix (contract/conventions#lists). */
export function parseRecordList<Status extends string>(
  query: URLSearchParams,
  prefix: TypeIdPrefix,
  statuses: readonly Status[],
): Result<{ readonly filter: RecordFilter<Status>; readonly page: PageRequest }, 'bad-request'> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId(prefix, id) });
  const filter = parseFilter(query, statuses);
  if (!page.ok || !filter.ok)
    return refused('bad-request', [page, filter].flatMap((each) => (each.ok ? [] : (each.detail ?? []))).join('; '));
  return ok({ filter: filter.value, page: page.value });
}

/** A page of the records in which any of these places sends, or receives. */
export type RecordTerms<Status extends string> = {
  readonly senders: readonly RecordPlace[];
  readonly receivers: readonly RecordPlace[];
  readonly status?: Status;
  readonly page: PageRequest;
};

/** An address, and the bridge in whose records it is looked for. */
export type RecordPlace = { readonly address: string; readonly partition: string };

/** The caller's wallets on one side of each bridge: where they send from, or where they receive. */
export function placesOn(
  sideOf: (bridge: Bridge) => BridgeSide,
  bridges: readonly Bridge[],
  wallets: readonly BridgeWallet[],
  { bridgeId, wallet }: Omit<RecordFilter<string>, 'status'>,
): readonly RecordPlace[] {
  return bridges
    .filter((bridge) => bridgeId === undefined || bridge.bridgeId === bridgeId)
    .flatMap((bridge) =>
      wallets
        .filter((each) => (wallet === undefined || each.address === wallet) && countsOn(each, sideOf(bridge)))
        .map(({ address }) => ({ address, partition: bridge.bridgeId })),
    );
}

type Ends = Readonly<Record<'source' | 'destination', (bridge: Bridge) => BridgeSide>>;
type Sent = { readonly bridgeId: string; readonly from: string; readonly to: string };

/**
 * A record that the caller sees, with its bridge and the caller's wallets: one of these sends on its source, or receives on its destination. Undefined for another one, and for one of a bridge that
 * is not configured. Throws `Unavailable`.
 */
export async function visibleRecord<R extends Sent>(
  { bridges, walletsOf }: { readonly bridges: readonly Bridge[]; readonly walletsOf: WalletsOf },
  userId: string,
  find: () => Promise<R | undefined>,
  { source, destination }: Ends,
): Promise<{ readonly record: R; readonly bridge: Bridge; readonly wallets: readonly BridgeWallet[] } | undefined> {
  const [wallets, record] = await Promise.all([walletsOf(userId), find()]);
  const bridge = bridges.find(({ bridgeId }) => bridgeId === record?.bridgeId);
  if (record === undefined || bridge === undefined) return undefined;
  const isSeen = wallets.some(
    (wallet) =>
      (wallet.address === record.from && countsOn(wallet, source(bridge))) ||
      (wallet.address === record.to && countsOn(wallet, destination(bridge))),
  );
  return isSeen ? { record, bridge, wallets } : undefined;
}
