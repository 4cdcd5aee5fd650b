/** Opens linked wallets. */

import { createDistinctTimes } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import type { ContractQuestion } from '../access/wallets/contract-question.ts';
import { signInSite } from '../access/wallets/sign-in-site.ts';
import { walletRoutes } from '../access/wallets/wallet-routes.ts';
import type { WalletStore } from '../access/wallets/wallet-store.ts';
import { callPermitted } from '../ledgers/permitted-call.ts';
import { createSqlWalletStore } from '../stores/sql/wallets/wallet-store.ts';
import type { OpenFirewall } from './firewall.ts';
import type { Ledgers } from './ledgers.ts';
import type { Listener } from './listener.ts';
import { type Part, part } from './part.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

export type Wallets = { readonly store: WalletStore; readonly part: Part };

type Rooms = {
  readonly storage: Storage;
  readonly firewall: OpenFirewall;
  readonly ledgers: Ledgers;
  readonly listener: Listener;
};

/** `isValidSignature(bytes32,bytes)` (EIP-1271). */
const selector = '0x1626ba7e';

export function openWallets(
  { clock, randomBytes }: Surroundings,
  { storage, firewall: { firewall }, ledgers: { networks }, listener }: Rooms,
): Wallets {
  const store = createSqlWalletStore(storage.database, storage.audited);
  const networkOf = (chainId: number) => networks.all.find((network) => network.chainId === chainId);
  return {
    store,
    part: part({
      routes: walletRoutes({
        store,
        site: signInSite(listener.url),
        hasChain: (chainId) => networkOf(chainId) !== undefined,
        defaultChainId: networks.defaultNetwork?.chainId,
        async ask({ chainId, wallet, to, data, caller }: ContractQuestion) {
          const network = networkOf(chainId);
          if (network === undefined) return { kind: 'unasked' };
          const outcome = await callPermitted(firewall, caller, network, { to, data, called: [wallet], selector });
          return outcome.kind === 'reverted' || outcome.kind === 'rubbish' ? { kind: 'failed' } : outcome;
        },
        clock,
        creationTime: createDistinctTimes(clock),
        newTypeId: createTypeIds(clock, randomBytes),
        randomBytes,
      }),
    }),
  };
}
