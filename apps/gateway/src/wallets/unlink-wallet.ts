/** Unlinks a wallet from its user. Whoever else linked it keeps it. */

import { ok, type Result, refused } from '@flowgate/base/result';
import { checksumAddress, isEvmAddress } from '@flowgate/chain/evm-address';
import type { Actor } from '../audit/audit-note.ts';
import { noWallet } from './list-wallets.ts';
import type { WalletStore } from './wallet-store.ts';

/** Throws `Unavailable` when the store is unavailable. */
export async function unlinkWallet(
  { store }: { readonly store: Pick<WalletStore, 'unlink'> },
  actor: Actor,
  address: string,
): Promise<Result<undefined, 'not-found'>> {
  const absent = refused('not-found', noWallet);
  if (!isEvmAddress(address)) return absent;
  const note = { actor, action: 'wallet.unlinked', target: checksumAddress(address), details: {} } as const;
  return (await store.unlink(actor.userId, address.toLowerCase(), note)) ? ok(undefined) : absent;
}
