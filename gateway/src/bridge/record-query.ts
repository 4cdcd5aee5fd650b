/** The query of lists of deposits and of withdrawals: `?status=`, `?bridgeId=`, `?wallet=`, and where the caller's wallets are looked for (contract/bridge#wallets). */

import { z } from 'zod';
import { identifier } from '../api/body-members.ts';
import { evmAddressInput } from '../api/evm-address-member.ts';
import type { RouteQueryDoc } from '../api/route.ts';
import { isEvmAddress } from '../platform/evm-address.ts';
import { identifierForm } from '../platform/identifier.ts';
import { ok, type Result, refused } from '../platform/result.ts';
import type { Bridge, BridgeSide } from './bridge.ts';
import { type BridgeWallet, countsOn } from './bridge-wallet.ts';

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
    {
      name: 'wallet',
      description: 'Of this linked wallet only; of another address there is nothing.',
      schema: () => evmAddressInput('A wallet.'),
    },
  ];
}

export function parseRecordFilter<Status extends string>(
  query: URLSearchParams,
  statuses: readonly Status[],
): Result<RecordFilter<Status>, 'bad-request'> {
  const problems: string[] = [];
  const once = (name: string): string | undefined => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) problems.push(`${name} must be given once`);
    return value;
  };
  const [wanted, bridgeId, wallet] = [once('status'), once('bridgeId'), once('wallet')];
  const status = statuses.find((each) => each === wanted);
  if (wanted !== undefined && status === undefined) problems.push(`status must be one of ${statuses.join(', ')}`);
  if (bridgeId !== undefined && !identifierForm.test(bridgeId))
    problems.push('bridgeId must be 1 to 64 letters, digits, dots, hyphens and underscores');
  if (wallet !== undefined && !isEvmAddress(wallet))
    problems.push('wallet must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55');
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({
    ...(status !== undefined && { status }),
    ...(bridgeId !== undefined && { bridgeId }),
    ...(wallet !== undefined && { wallet: wallet.toLowerCase() }),
  });
}

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

/** Whether a record is one that the caller sees: a wallet of theirs sends on the one side, or receives on the other. */
export function isSeenBy(
  wallets: readonly BridgeWallet[],
  from: { readonly address: string; readonly side: BridgeSide },
  to: { readonly address: string; readonly side: BridgeSide },
): boolean {
  return wallets.some((wallet) =>
    [from, to].some(({ address, side }) => wallet.address === address && countsOn(wallet, side)),
  );
}
