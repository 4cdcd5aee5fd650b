import { expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { type ApiKey, mintApiKey } from './api-key.ts';
import { createPeppers } from './api-key-digest.ts';
import type { ApiKeyRecord } from './api-key-store.ts';
import { KeyCache, type KeyCacheLimits } from './key-cache.ts';
import { createKeyVerifier } from './key-verifier.ts';
import { KnownKeys } from './known-keys.ts';
import { createLastUsed } from './last-used.ts';
import type { Verification } from './verification.ts';

const random = (length: number) => crypto.getRandomValues(Buffer.alloc(length));
const peppers = createPeppers(['a pepper for tests']);

function world(limits: Partial<KeyCacheLimits> = {}) {
  const time = { wallMs: 1_700_000_000_000, monotonicMs: 5_000 };
  const clock = { now: () => time.wallMs, monotonic: () => time.monotonicMs };
  const records = new Map<string, ApiKeyRecord>();
  const looks: string[] = [];
  let answer = async (keyId: string) => records.get(keyId);
  const store = {
    find: (keyId: string) => {
      looks.push(keyId);
      return answer(keyId);
    },
  };
  const cache = new KeyCache(clock, limits);
  const known = new KnownKeys(cache);
  const lastUsed = createLastUsed({ touch: async () => undefined });
  return {
    cache,
    known,
    looks,
    records,
    lastUsed,
    verifier: createKeyVerifier({ store, peppers, known, lastUsed }),
    /** Advances both clocks. */
    pass(ms: number) {
      time.wallMs += ms;
      time.monotonicMs += ms;
    },
    setWall(ms: number) {
      time.wallMs = ms;
    },
    now: clock.now,
    add(more: Partial<ApiKeyRecord> = {}): ApiKey {
      const key = mintApiKey(random);
      const record = {
        keyId: key.keyId,
        ownerId: 'alice',
        label: 'l',
        scopes: ['rpc'],
        ...peppers.digest(key),
        createdAtMs: time.wallMs,
        ...more,
      };
      records.set(key.keyId, record);
      return key;
    },
    revoke(key: ApiKey) {
      const record = records.get(key.keyId);
      if (record !== undefined) records.set(key.keyId, { ...record, revokedAtMs: time.wallMs });
    },
    answerWith(find: (keyId: string) => Promise<ApiKeyRecord | undefined>) {
      answer = find;
    },
    breakStore() {
      answer = async () => {
        throw new Unavailable('database', 'gone');
      };
    },
  };
}

/** The same keyId with another, well-formed secret. */
function forged(key: ApiKey): string {
  let bytes = [...key.keyId].map((character) =>
    '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(character),
  );
  return mintApiKey((length) => {
    const answer = bytes.length > 0 ? Buffer.from(Array.from({ length }, (_, at) => bytes[at] ?? 255)) : random(length);
    bytes = [];
    return answer;
  }).raw;
}

function isPromise(answer: Verification | Promise<Verification>): answer is Promise<Verification> {
  return answer instanceof Promise;
}

test('a valid key names its owner, and synchronously when it is cached (contract/keys#verification)', async () => {
  const { verifier, looks, add } = world();
  const key = add();
  const expected: Verification = {
    kind: 'valid',
    caller: { userId: 'alice', via: 'api-key', keyId: key.keyId, roles: [] },
  };
  expect(await verifier.verify(key.raw)).toEqual(expected);
  const again = verifier.verify(key.raw);
  expect(isPromise(again)).toBe(false);
  expect(again).toEqual(expected);
  expect(looks).toHaveLength(1);
});

test('a malformed or mistyped key is refused without a look-up (contract/keys#verification)', () => {
  const { verifier, looks, add } = world();
  const { raw } = add();
  for (const text of [
    '',
    'x',
    raw.slice(0, -1),
    `${raw.slice(0, -1)}${raw.endsWith('0') ? '1' : '0'}`,
    raw.replace('fk_', 'gk_'),
    'x'.repeat(69),
  ])
    expect(verifier.verify(text)).toEqual({ kind: 'invalid' });
  expect(looks).toEqual([]);
});

test('a wrong secret is invalid, cached key or not, and the right secret stays valid', async () => {
  const { verifier, looks, add } = world();
  const key = add();
  const wrong = forged(key);
  expect(wrong.slice(0, 20)).toBe(key.raw.slice(0, 20));
  expect(await verifier.verify(wrong)).toEqual({ kind: 'invalid' });
  expect(verifier.verify(wrong)).toEqual({ kind: 'invalid' });
  expect(verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
  expect(verifier.verify(wrong)).toEqual({ kind: 'invalid' });
  expect(verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
  expect(looks).toHaveLength(1);
});

test('1,000 concurrent verifications of an uncached key make one look-up (contract/keys#verification)', async () => {
  const { verifier, looks, add } = world();
  const key = add();
  const wrong = forged(key);
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) => verifier.verify(at % 10 === 0 ? wrong : key.raw)),
  );
  expect(answers.filter(({ kind }) => kind === 'valid')).toHaveLength(900);
  expect(looks).toHaveLength(1);
});

test('a cached key is looked up again once 60 s have passed since its look-up began (contract/limits)', async () => {
  const { verifier, looks, add, pass, revoke, records, answerWith } = world();
  const key = add();
  const slow = Promise.withResolvers<void>();
  answerWith(async (keyId) => {
    const record = records.get(keyId);
    await slow.promise;
    return record;
  });
  const first = verifier.verify(key.raw);
  pass(10_000);
  slow.resolve();
  expect(await first).toMatchObject({ kind: 'valid' });
  // Revoked on another node, which sends no message.
  revoke(key);
  pass(49_999);
  expect(verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
  pass(1);
  expect(await verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
  expect(looks).toHaveLength(2);
});

test('the configuration can shorten the 60 s, but not extend them', async () => {
  const { verifier, looks, add, pass } = world({ ttlMs: 3_600_000 });
  const key = add();
  await verifier.verify(key.raw);
  pass(60_000);
  expect(isPromise(verifier.verify(key.raw))).toBe(true);
  expect(looks).toHaveLength(2);
});

test('a cached key is not used after 60 s, also when the wall clock is set back or the machine is suspended', async () => {
  const { verifier, looks, add, pass, setWall, now } = world();
  const key = add();
  await verifier.verify(key.raw);
  setWall(now() - 3_600_000);
  pass(60_000);
  await verifier.verify(key.raw);
  expect(looks).toHaveLength(2);
  // The monotonic clock stops while the machine is suspended.
  setWall(now() + 60_000);
  await verifier.verify(key.raw);
  expect(looks).toHaveLength(3);
});

test('a key that expires while cached is refused from then on (contract/keys#verification)', async () => {
  const { verifier, looks, add, pass, now } = world();
  const key = add({ expiresAtMs: now() + 1_000 });
  await verifier.verify(key.raw);
  pass(999);
  expect(verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
  pass(1);
  expect(verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
  expect(looks).toHaveLength(1);
});

test('a revoked key is invalid, and repeated use makes one look-up', async () => {
  const { verifier, looks, add, revoke } = world();
  const key = add();
  revoke(key);
  for (let round = 0; round < 5; round++) expect(await verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
  expect(looks).toHaveLength(1);
});

test('after forget a cached key is looked up again (contract/keys#verification)', async () => {
  const { known, verifier, add, revoke } = world();
  const key = add();
  await verifier.verify(key.raw);
  revoke(key);
  known.forget(key.keyId);
  expect(await verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
});

test('after forgetAll every key is looked up again, and results of look-ups in progress are discarded (contract/keys#verification)', async () => {
  const { known, cache, verifier, looks, add, revoke, records, answerWith } = world();
  const [cached, inFlight] = [add(), add()];
  await verifier.verify(cached.raw);
  const gate = Promise.withResolvers<void>();
  answerWith(async (keyId) => {
    const seen = records.get(keyId);
    if (looks.length === 2) await gate.promise;
    return seen;
  });
  const pending = verifier.verify(inFlight.raw);
  revoke(cached);
  revoke(inFlight);
  known.forgetAll();
  expect(cache.size).toBe(0);
  gate.resolve();
  expect(await pending).toEqual({ kind: 'invalid' });
  expect(await verifier.verify(cached.raw)).toEqual({ kind: 'invalid' });
  expect(await verifier.verify(inFlight.raw)).toEqual({ kind: 'invalid' });
});

test('a look-up that began before the revocation does not answer valid and does not cache the key (contract/keys#revocation)', async () => {
  const { known, verifier, looks, add, revoke, records, answerWith } = world();
  const key = add();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  answerWith(async (keyId) => {
    const seen = records.get(keyId);
    await gates[looks.length - 1]?.promise;
    return seen;
  });
  const before = [verifier.verify(key.raw), verifier.verify(key.raw)];
  revoke(key);
  known.forget(key.keyId);
  const after = verifier.verify(key.raw);
  // The new look-up ends first. The result of the old one is discarded.
  gates[1]?.resolve();
  expect(await after).toEqual({ kind: 'invalid' });
  gates[0]?.resolve();
  expect(await Promise.all(before)).toEqual([{ kind: 'invalid' }, { kind: 'invalid' }]);
  expect(await verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
});

test('while the store is unavailable, uncached keys are unavailable, never invalid, and cached keys work within their 60 s (contract/keys#verification)', async () => {
  const { verifier, add, breakStore, answerWith, records, pass } = world();
  const [cached, cold] = [add(), add()];
  await verifier.verify(cached.raw);
  breakStore();
  expect(await Promise.all([verifier.verify(cold.raw), verifier.verify(cold.raw)])).toEqual([
    { kind: 'unavailable' },
    { kind: 'unavailable' },
  ]);
  expect(verifier.verify(cached.raw)).toMatchObject({ kind: 'valid' });
  pass(60_000);
  expect(await verifier.verify(cached.raw)).toEqual({ kind: 'unavailable' });
  answerWith(async (keyId) => records.get(keyId));
  expect(await verifier.verify(cold.raw)).toMatchObject({ kind: 'valid' });
  expect(await verifier.verify(cached.raw)).toMatchObject({ kind: 'valid' });
});

test('an exception of the store is thrown to every waiting caller and not cached', async () => {
  const { verifier, add, answerWith, records } = world();
  const key = add();
  answerWith(async () => {
    throw new Error('a bug');
  });
  const waiting = await Promise.allSettled([verifier.verify(key.raw), verifier.verify(key.raw)]);
  for (const each of waiting) expect(each).toMatchObject({ status: 'rejected', reason: { message: 'a bug' } });
  answerWith(async (keyId) => records.get(keyId));
  expect(await verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
});

test('an unknown key is cached for a few seconds only, and forget removes it at once (contract/keys#verification)', async () => {
  const { known, verifier, looks, add, records, pass } = world();
  const key = add();
  const record = records.get(key.keyId);
  records.clear();
  expect(await verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
  expect(verifier.verify(key.raw)).toEqual({ kind: 'invalid' });
  expect(looks).toHaveLength(1);
  if (record !== undefined) records.set(key.keyId, record);
  pass(5_000);
  expect(await verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });

  records.clear();
  known.forget(key.keyId);
  await verifier.verify(key.raw);
  if (record !== undefined) records.set(key.keyId, record);
  known.forget(key.keyId);
  expect(await verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
});

test('unknown keys are bounded and never evict real ones (contract/keys#verification)', async () => {
  const { verifier, cache, add, looks } = world({ maxKeys: 4, maxUnknown: 8 });
  const real = [add(), add(), add(), add()];
  for (const key of real) await verifier.verify(key.raw);
  for (let round = 0; round < 50; round++) await verifier.verify(mintApiKey(random).raw);
  expect(cache.unknownSize).toBe(8);
  expect(cache.size).toBe(4);
  looks.length = 0;
  for (const key of real) expect(verifier.verify(key.raw)).toMatchObject({ kind: 'valid' });
  expect(looks).toEqual([]);
});

test('the cache is bounded and evicts the oldest first', async () => {
  const { verifier, cache, add } = world({ maxKeys: 3 });
  const [oldest, ...younger] = [add(), add(), add(), add()];
  for (const key of [oldest, ...younger]) if (key !== undefined) await verifier.verify(key.raw);
  expect(cache.size).toBe(3);
  for (const key of younger) expect(isPromise(verifier.verify(key.raw))).toBe(false);
  if (oldest !== undefined) expect(isPromise(verifier.verify(oldest.raw))).toBe(true);
});

test('a valid use is recorded, an invalid one is not', async () => {
  const { verifier, add, lastUsed, pass, now, revoke } = world();
  const [key, revoked] = [add(), add()];
  revoke(revoked);
  await verifier.verify(revoked.raw);
  await verifier.verify(forged(key));
  expect(lastUsed.reader()(key.keyId)).toBeUndefined();
  await verifier.verify(key.raw);
  expect(lastUsed.reader()(key.keyId)).toBe(now());
  pass(7);
  verifier.verify(key.raw);
  expect(lastUsed.reader()(key.keyId)).toBe(now());
  expect(lastUsed.reader()(revoked.keyId)).toBeUndefined();
});
