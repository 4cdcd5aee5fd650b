/** Revocations while the storage cannot write: on the node that received the request and on its peers. */

import { beforeEach, expect, test } from 'bun:test';
import type { PubSub } from '@flowgate/async/pub-sub';
import { Unavailable } from '@flowgate/base/unavailable';
import { createInProcessPubSub } from '@flowgate/testing/in-process-pub-sub';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { quietLog } from '@flowgate/testing/quiet-log';
import { actorNamed, auditNote } from '../../../test/fixtures/audited.ts';
import { mintApiKey } from './api-key.ts';
import { createPeppers } from './api-key-digest.ts';
import { keyRecord } from './api-key-store.contract.ts';
import type { ApiKeyRecord } from './api-key-store.ts';
import { KeyCache } from './key-cache.ts';
import { createKeyVerifier } from './key-verifier.ts';
import { KnownKeys } from './known-keys.ts';
import { createPendingRevocations, peerPendingMs } from './pending-revocations.ts';
import { revokeKey } from './revoke-key.ts';

/** One storage for all nodes; tests can make its writes fail, or all of its operations. */
let records: Map<string, ApiKeyRecord>;
let refuses: 'nothing' | 'writes' | 'everything';
let clock: ReturnType<typeof createManualClock>;
let pubSubOf: () => PubSub;

beforeEach(() => {
  records = new Map();
  refuses = 'nothing';
  clock = createManualClock();
  pubSubOf = createInProcessPubSub();
});

function node(cached: ReadonlyMap<string, string> = new Map()) {
  const forgotten: string[] = [];
  const forget = (keyId: string) => void forgotten.push(keyId);
  const pending = createPendingRevocations({
    store: {
      async find(keyId) {
        if (refuses === 'everything') throw new Unavailable('database', 'unavailable');
        return records.get(keyId);
      },
      async revoke(ownerId, keyId, atMs) {
        if (refuses !== 'nothing') throw new Unavailable('database', 'the disk is full');
        const record = records.get(keyId);
        if (record?.ownerId !== ownerId) return 'absent';
        if (record.revokedAtMs !== undefined) return 'already-revoked';
        records.set(keyId, { ...record, revokedAtMs: atMs });
        return 'revoked';
      },
    },
    known: { ownerOf: (keyId) => cached.get(keyId), forget },
    pubSub: pubSubOf(),
    clock,
    log: quietLog(),
  });
  const stop = pending.start(3_600_000);
  const revoke = (ownerId: string, keyId: string) =>
    revokeKey({ store: pending, forget, clock }, actorNamed(ownerId), keyId);
  const isRevoked = async (keyId: string) => (await pending.find(keyId))?.revokedAtMs !== undefined;
  return { pending, forgotten, stop, revoke, isRevoked };
}

function stored(ownerId = 'alice'): ApiKeyRecord {
  const record = keyRecord({ ownerId });
  records.set(record.keyId, record);
  return record;
}

test('a key whose revocation cannot be written is refused at once, here and at the peers, and the caller receives 503', async () => {
  const [one, other] = [node(), node()];
  const { keyId } = stored();
  refuses = 'writes';
  const answer = await one.revoke('alice', keyId);
  expect(answer).toMatchObject({
    ok: false,
    reason: 'unavailable',
    detail: expect.stringContaining('not yet written'),
  });
  expect(records.get(keyId)?.revokedAtMs).toBeUndefined();
  for (const each of [one, other]) {
    expect(await each.isRevoked(keyId)).toBe(true);
    expect(each.forgotten).toContain(keyId);
  }
  // The repetition has the same result.
  expect(await one.revoke('alice', keyId)).toMatchObject({ ok: false, reason: 'unavailable' });
});

test('the write is retried until it succeeds, with the time of the request', async () => {
  const one = node();
  const { keyId } = stored();
  refuses = 'writes';
  const atMs = clock.now();
  await one.revoke('alice', keyId);
  clock.advance(60_000);
  await one.pending.retry();
  expect(await one.isRevoked(keyId)).toBe(true);
  refuses = 'nothing';
  await one.pending.retry();
  expect(records.get(keyId)?.revokedAtMs).toBe(atMs);
  expect(await one.revoke('alice', keyId)).toEqual({ ok: true, value: undefined });
});

test('a caller who is not the known owner of a key cannot make a revocation pending', async () => {
  const one = node();
  const { keyId } = stored('bob');
  refuses = 'writes';
  expect(await one.revoke('alice', keyId)).toMatchObject({ ok: false, reason: 'not-found' });
  expect(await one.isRevoked(keyId)).toBe(false);
  refuses = 'everything';
  const [attempt] = await Promise.allSettled([one.revoke('bob', keyId)]);
  expect(attempt).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
  refuses = 'nothing';
  expect(await one.isRevoked(keyId)).toBe(false);
});

test('while the storage cannot be read, the cache determines the owner of the key', async () => {
  const { keyId } = stored();
  const one = node(new Map([[keyId, 'alice']]));
  refuses = 'everything';
  expect(await one.revoke('bob', keyId)).toMatchObject({ ok: false, reason: 'not-found' });
  expect(await one.revoke('alice', keyId)).toMatchObject({ ok: false, reason: 'unavailable' });
  refuses = 'writes';
  expect(await one.isRevoked(keyId)).toBe(true);
});

test('a pending revocation determines the owner of its key, also when the cache has no entry', async () => {
  const cached = new Map<string, string>();
  const one = node(cached);
  const { keyId } = stored();
  cached.set(keyId, 'alice');
  refuses = 'everything';
  for (const _ of ['first', 'again', 'and again']) {
    const answer = await one.revoke('alice', keyId);
    expect(answer).toMatchObject({ ok: false, detail: expect.stringContaining('not yet written') });
    // Like an expired entry of the node's cache.
    cached.delete(keyId);
  }
  expect(await one.revoke('bob', keyId)).toMatchObject({ ok: false, reason: 'not-found' });
});

test('a look-up that reads before the revocation is written and ends after it does not make the key valid', async () => {
  const peppers = createPeppers(['a pepper for tests']);
  const key = mintApiKey((length) => crypto.getRandomValues(Buffer.alloc(length)));
  const record = keyRecord({ ownerId: 'alice', keyId: key.keyId, ...peppers.digest(key) });
  let written: ApiKeyRecord = record;
  const slow = Promise.withResolvers<void>();
  let isSlow = false;
  const known = new KnownKeys(new KeyCache(clock));
  const pending = createPendingRevocations({
    store: {
      async find() {
        const snapshot = written;
        if (isSlow) await slow.promise;
        return snapshot;
      },
      async revoke(_ownerId, _keyId, revokedAtMs) {
        if (refuses !== 'nothing') throw new Unavailable('database', 'the disk is full');
        written = { ...record, revokedAtMs };
        return 'revoked';
      },
    },
    known,
    clock,
    log: quietLog(),
  });
  const verifier = createKeyVerifier({ store: pending, peppers, known, lastUsed: { record: () => {} } });
  refuses = 'writes';
  expect(await pending.revoke('alice', key.keyId, 77, auditNote())).toBe('pending');
  isSlow = true;
  const verifying = verifier.verify(key.raw);
  isSlow = false;
  refuses = 'nothing';
  await pending.retry();
  slow.resolve();
  expect(await verifying).toMatchObject({ kind: 'invalid' });
  expect(await verifier.verify(key.raw)).toMatchObject({ kind: 'invalid' });
});

test('a peer refuses the key while the message is repeated, and no longer than 30 s after the node has died', async () => {
  const [one, other] = [node(), node()];
  const { keyId } = stored();
  refuses = 'writes';
  await one.revoke('alice', keyId);
  clock.advance(peerPendingMs - 1);
  await one.pending.retry();
  clock.advance(peerPendingMs - 1);
  expect(await other.isRevoked(keyId)).toBe(true);
  clock.advance(1);
  expect(await other.isRevoked(keyId)).toBe(false);
  expect(await one.isRevoked(keyId)).toBe(true);
});
