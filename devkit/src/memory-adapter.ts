/** oidc-provider's storage, in memory: sessions and sign-ins in progress may be lost with the process, tokens and keys are not kept here. */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Beyond this the oldest entry goes; expiry is checked by oidc-provider itself. */
const maxEntries = 10_000;

/** One store for all of a provider's models, so that it can be handed on when the provider is rebuilt with new keys. */
export function createMemoryAdapter(): AdapterFactory {
  const entries = new Map<string, AdapterPayload>();
  return (model) => adapterFor(model, entries);
}

function adapterFor(model: string, entries: Map<string, AdapterPayload>): Adapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const findWhere = (matches: (payload: AdapterPayload) => boolean) => {
    for (const [key, payload] of entries) if (key.startsWith(`${model}:`) && matches(payload)) return payload;
    return undefined;
  };
  return {
    upsert: async (id, payload) => {
      entries.set(keyOf(id), payload);
      const oldest = entries.keys().next();
      if (entries.size > maxEntries && oldest.done !== true) entries.delete(oldest.value);
    },
    find: async (id) => entries.get(keyOf(id)),
    findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = entries.get(keyOf(id));
      if (payload !== undefined) entries.set(keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
    },
    destroy: async (id) => {
      entries.delete(keyOf(id));
    },
    revokeByGrantId: async (grantId) => {
      // Asked of each kind of token. A sign-in in progress names the grant, too, and outlives it: somebody else may be signing in.
      for (const [key, payload] of entries)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key);
    },
  };
}
