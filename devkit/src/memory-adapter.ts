/** oidc-provider's storage in memory. Sessions and sign-ins in progress are lost with the process; signing keys are stored elsewhere. */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Above this number the oldest entry is dropped. oidc-provider itself checks expiry. */
const maxEntries = 10_000;

/** One store for all models of a provider; a provider that is rebuilt with new keys gets the same store. */
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
      // oidc-provider calls this for each kind of token. A sign-in in progress also refers to the grant and remains: another user may be signing in.
      for (const [key, payload] of entries)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key);
    },
  };
}
