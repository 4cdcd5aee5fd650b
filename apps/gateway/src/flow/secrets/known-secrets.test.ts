import { expect, test } from 'bun:test';
import { createMarkSearch } from '@flowgate/flow-format/secrets/mark-search';
import { createMarkKeys } from '@flowgate/flow-format/secrets/secret-mark';
import { createKnownSecrets } from './known-secrets.ts';
import type { SecretMarkStore } from './secret-mark-store.ts';

/** An in-memory store with the contract's guarantees for one owner; newest mark first. */
function markStore(): SecretMarkStore & { readonly writes: () => number } {
  let marks: readonly string[] = [];
  let writes = 0;
  return {
    find: async (_userId, _appId, max) => marks.slice(0, max),
    async remember(_owner, added, _atMs, max) {
      writes += 1;
      marks = [...new Set([...added, ...marks])].slice(0, max);
    },
    writes: () => writes,
  };
}

function known(store: SecretMarkStore) {
  const secrets = createKnownSecrets({ store, keysOf: createMarkKeys(['pepper']), clock: { now: () => 1 } });
  const holds = async (text: string) => createMarkSearch(await secrets.of('alice', 'acme/app'))?.(text) ?? false;
  return { remember: (...texts: string[]) => secrets.remember('alice', 'acme/app', texts), holds };
}

test('a secret that is submitted repeatedly is not displaced by newer ones (docs/decisions/0048)', async () => {
  const { remember, holds } = known(markStore());
  for (let at = 0; at < 1_200; at++) {
    await remember('the password', `code-${at}-of-once`);
    if (at % 100 === 0) expect([at, await holds('the password')]).toEqual([at, true]);
  }
  expect([await holds('the password'), await holds('code-1199-of-once'), await holds('code-0-of-once')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a known secret costs no write; a short secret counts only in the response to its submission', async () => {
  const store = markStore();
  const { remember, holds } = known(store);
  for (let at = 0; at < 10; at++) await remember('the password');
  expect(store.writes()).toBe(1);
  const now = await remember('abc');
  expect(store.writes()).toBe(1);
  expect([await holds('abc'), createMarkSearch(await now())?.('ABC')]).toEqual([false, true]);
  // A secret that was submitted in another session in the meantime is known, too.
  await remember('another one');
  expect(createMarkSearch(await now())?.('another one')).toBe(true);
});
