/** A user's wallets: a page of them, or one. */

import { isTypeId } from '@flowgate/base/ids';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { isEvmAddress } from '@flowgate/chain/evm-address';
import type { WalletStore } from './wallet-store.ts';
import { type wallet, walletView } from './wallet-wire.ts';

type View = BodyOf<typeof wallet>;

/** Newest first. Throws `Unavailable` when the store is unavailable. */
export async function listWallets(
  { store }: { readonly store: Pick<WalletStore, 'list'> },
  userId: string,
  query: URLSearchParams,
): Promise<Result<Page<View>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('wal', id) });
  if (!page.ok) return page;
  const { records, next } = await store.list(userId, page.value);
  return ok(pageOf(records.map(walletView), next));
}

/** An address of another form is nobody's. Throws `Unavailable` when the store is unavailable. */
export async function findWallet(
  { store }: { readonly store: Pick<WalletStore, 'find'> },
  userId: string,
  address: string,
): Promise<Result<View, 'not-found'>> {
  const record = isEvmAddress(address) ? await store.find(userId, address.toLowerCase()) : undefined;
  return record === undefined ? refused('not-found', noWallet) : ok(walletView(record));
}

export const noWallet = 'You have linked no such wallet.';
