/** Opens linked wallets. */

import { createDistinctTimes } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { callPermitted } from '../prepared/permitted-call.ts';
import type { ContractQuestion } from '../wallets/contract-question.ts';
import { signInSite } from '../wallets/sign-in-site.ts';
import { createSqlWalletStore } from '../wallets/sql-wallet-store.ts';
import { walletRoutes } from '../wallets/wallet-routes.ts';
import type { WalletStore } from '../wallets/wallet-store.ts';
import type { Listener } from './listener.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export type Wallets = { readonly store: WalletStore; readonly hooks: ModuleHooks };

type Modules = {
  readonly storage: Storage;
  readonly firewall: OpenFirewall;
  readonly ledgers: Ledgers;
  readonly listener: Listener;
};

/** `isValidSignature(bytes32,bytes)` (EIP-1271). */
const selector = '0x1626ba7e';

export function openWallets(
  { clock, randomBytes }: Runtime,
  { storage, firewall: { firewall }, ledgers: { networks }, listener }: Modules,
): Wallets {
  const store = createSqlWalletStore(storage.database, storage.audited);
  const networkOf = (chainId: number) => networks.all.find((network) => network.chainId === chainId);
  return {
    store,
    hooks: moduleHooks({
      routes: walletRoutes({
        store,
        site: signInSite(listener.url),
        hasChain: (chainId) => networkOf(chainId) !== undefined,
        defaultChainId: networks.defaultNetwork?.chainId,
        async ask({ chainId, wallet, to, data, caller }: ContractQuestion) {
          const network = networkOf(chainId);
          if (network === undefined) return { kind: 'unavailable' };
          const outcome = await callPermitted(firewall, caller, network, { to, data, called: [wallet], selector });
          return outcome.kind === 'reverted' || outcome.kind === 'invalid' ? { kind: 'failed' } : outcome;
        },
        clock,
        creationTime: createDistinctTimes(clock),
        newTypeId: createTypeIds(clock, randomBytes),
        randomBytes,
      }),
    }),
  };
}
