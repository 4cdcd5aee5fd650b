/** The query of lists of deposits and withdrawals: `?status=`, `?bridgeId=`, `?transactionHash=` and the shared parameters; and where the caller's wallets are searched (contract/bridge#wallets). */

import { identifierForm } from '@flowgate/base/identifier';
import { isTypeId, type TypeIdPrefix } from '@flowgate/base/ids';
import { ok, type Result, refused } from '@flowgate/base/result';
import { identifier } from '@flowgate/body-schema/body-members';
import { z } from 'zod';
import { onceIn } from '../../api/once-in.ts';
import type { RouteQueryDoc } from '../../api/route.ts';
import type { Bridge, BridgeSide } from '../bridges/bridge.ts';
import { type BridgeWallet, countsOn, type WalletsOf } from '../bridges/bridge-wallet.ts';
import { type ListQuery, listQuery, parseListQuery } from './list-query.ts';

export type RecordFilter<Status extends string> = ListQuery & {
  /** Any of these statuses. */
  readonly statuses?: readonly Status[];
  readonly bridgeId?: string;
  /** A transaction of the record on either chain, in lower case. */
  readonly transactionHash?: string;
};

export function recordQuery(statuses: readonly string[]): readonly RouteQueryDoc[] {
  const each = statuses.join('|');
  return listQuery([
    {
      name: 'status',
      description: `Only records in this status, or in any of several, separated by commas: ${statuses.join(', ')}.`,
      schema: () => z.string().meta({ pattern: `^(?:${each})(?:,(?:${each}))*$` }),
    },
    { name: 'bridgeId', description: 'Only records of this bridge.', schema: identifier },
    {
      name: 'transactionHash',
      description: 'Only records that this transaction belongs to, on either chain.',
      schema: () => z.string().meta({ pattern: '^0x[0-9a-fA-F]{64}$' }),
    },
  ]);
}

const own = ['status', 'bridgeId', 'transactionHash'] as const;

/** The filter and the page of a list whose ids have this prefix (contract/bridge#lists). */
export function parseRecordList<Status extends string>(
  query: URLSearchParams,
  prefix: TypeIdPrefix,
  all: readonly Status[],
): Result<RecordFilter<Status>, 'bad-request'> {
  const problems: string[] = [];
  const list = parseListQuery(query, own, (id) => isTypeId(prefix, id), problems);
  const once = onceIn(query, problems);
  const [wanted, bridgeId, transactionHash] = [once('status'), once('bridgeId'), once('transactionHash')];
  const names = wanted?.split(',', all.length + 1);
  const statuses = names && all.filter((each) => names.includes(each));
  if (names?.some((name) => !statuses?.some((each) => each === name)))
    problems.push(`status must be one or several of ${all.join(', ')}, with commas between them`);
  if (bridgeId !== undefined && !identifierForm.test(bridgeId))
    problems.push('bridgeId must be 1 to 64 letters, digits, dots, hyphens and underscores');
  if (transactionHash !== undefined && !/^0x[0-9a-f]{64}$/i.test(transactionHash))
    problems.push('transactionHash must be 0x and 64 hexadecimal digits');
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({
    ...list,
    ...(statuses !== undefined && { statuses }),
    ...(bridgeId !== undefined && { bridgeId }),
    ...(transactionHash !== undefined && { transactionHash: transactionHash.toLowerCase() }),
  });
}

/** A page of the records in which any of these places sends or receives. */
export type RecordTerms<Status extends string> = Pick<
  RecordFilter<Status>,
  'statuses' | 'transactionHash' | 'newerThanMs' | 'page'
> & {
  readonly senders: readonly RecordPlace[];
  readonly receivers: readonly RecordPlace[];
};

/** An address, and the bridge whose records are searched. */
export type RecordPlace = { readonly address: string; readonly partition: string };

/** The caller's wallets on one side of each bridge: those that send there, or those that receive there. */
export function placesOn(
  sideOf: (bridge: Bridge) => BridgeSide,
  bridges: readonly Bridge[],
  wallets: readonly BridgeWallet[],
  { bridgeId, wallet }: Pick<RecordFilter<string>, 'bridgeId' | 'wallet'>,
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
 * A record that the caller may see, with its bridge and the caller's wallets: one of them sends on its source or receives on its destination. Undefined for other records
 * and for a bridge that is not configured. Throws `Unavailable`.
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
