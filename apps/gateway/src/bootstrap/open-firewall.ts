/** Opens the firewall: what this gateway knows of policies, and what they decide. */

import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Firewall } from '../api/firewall.ts';
import { createKnownPolicies, type KnownPolicies } from '../firewall/known-policies.ts';
import { createFirewall } from '../firewall/policy-firewall.ts';
import type { PolicyStore } from '../firewall/policy-store.ts';
import { createSqlPolicyStore } from '../firewall/sql-policy-store.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Sharing } from './open-sharing.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export type OpenFirewall = {
  readonly firewall: Firewall;
  readonly known: KnownPolicies;
  readonly store: PolicyStore;
  readonly hooks: ModuleHooks;
};

type Modules = { readonly storage: Storage; readonly sharing: Sharing };

/** While the policies cannot be read, what one could refuse is refused. */
export async function openFirewall({ clock, log }: Runtime, { storage, sharing }: Modules): Promise<OpenFirewall> {
  const store = createSqlPolicyStore(storage.database, storage.audited);
  const known = createKnownPolicies({ store, pubSub: sharing.pubSub, clock, log });
  await known.load().catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    log.warn('policies.not-loaded', { reason: messageOf(error) });
  });
  const running = new AsyncDisposableStack();
  return {
    firewall: createFirewall(known),
    known,
    store,
    hooks: moduleHooks({
      start() {
        running.defer(known.start());
      },
      close: () => running.disposeAsync(),
    }),
  };
}
