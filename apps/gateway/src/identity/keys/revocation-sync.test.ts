import { expect, test } from 'bun:test';
import type { PubSub } from '@flowgate/async/pub-sub';
import { Unavailable } from '@flowgate/base/unavailable';
import { createInProcessPubSub } from '@flowgate/testing/in-process-pub-sub';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { until } from '@flowgate/testing/until';
import { actorNamed } from '../../../test/fixtures/audited.ts';
import { mintApiKey } from './api-key.ts';
import { createPeppers } from './api-key-digest.ts';
import type { ApiKeyRecord } from './api-key-store.ts';
import { KeyCache } from './key-cache.ts';
import { createKeyVerifier } from './key-verifier.ts';
import { KnownKeys } from './known-keys.ts';
import { createLastUsed } from './last-used.ts';
import { createRevocationSync, maxPolled, pollOverlapMs, revocationTopic } from './revocation-sync.ts';
import { revokeKey } from './revoke-key.ts';

const random = (length: number) => crypto.getRandomValues(Buffer.alloc(length));
const peppers = createPeppers(['a pepper for tests']);

/** Nodes on one store, each with its own cache and, by default, a connection to one bus. */
function world() {
  const clock = createManualClock();
  const records = new Map<string, ApiKeyRecord>();
  const events: string[] = [];
  let storeAway = false;
  let looks = 0;
  const here = <T>(value: T): T => {
    if (storeAway) throw new Unavailable('database', 'gone');
    return value;
  };
  const store = {
    find: async (keyId: string) => {
      looks += 1;
      return here(records.get(keyId));
    },
    revoke: async (_owner: string, keyId: string, atMs: number) => {
      const record = here(records.get(keyId));
      if (record === undefined) return 'absent';
      records.set(keyId, { ...record, revokedAtMs: atMs });
      return 'revoked';
    },
    revokedSince: async (atMs: number, limit: number) =>
      here(
        [...records.values()]
          .flatMap(({ keyId, revokedAtMs = -1 }) => (revokedAtMs >= atMs ? [keyId] : []))
          .slice(-limit),
      ),
  } as const;
  const log = { info: (event: string) => events.push(event), warn: (event: string) => events.push(event) };
  const node = (pubSub?: PubSub, skewMs = 0) => {
    const known = new KnownKeys(new KeyCache(clock));
    const verifier = createKeyVerifier({
      store,
      peppers,
      known,
      lastUsed: createLastUsed({ touch: async () => undefined }),
    });
    const revocations = createRevocationSync({
      known,
      store,
      clock,
      log,
      ...(pubSub === undefined ? {} : { pubSub }),
    });
    const stop = revocations.start(3_600_000);
    const parts = { store, forget: revocations.forget, clock: { ...clock, now: () => clock.now() + skewMs } };
    return {
      ...revocations,
      verifier,
      known,
      stop,
      revoke: (keyId: string) => revokeKey(parts, actorNamed('alice'), keyId),
    };
  };
  const mint = () => {
    const key = mintApiKey(random);
    const record = { keyId: key.keyId, ownerId: 'alice', label: 'l', scopes: ['rpc'], createdAtMs: clock.now() };
    records.set(key.keyId, { ...record, ...peppers.digest(key) });
    return key;
  };
  return {
    clock,
    node,
    mint,
    events,
    looks: () => looks,
    storeAway: (yes: boolean) => {
      storeAway = yes;
    },
  };
}

const valid = { kind: 'valid' } as const;
const invalid = { kind: 'invalid' } as const;

test('a key revoked on one node is refused by the others as soon as the message arrives (contract/many-gateways#revocation)', async () => {
  const { node, mint } = world();
  const join = createInProcessPubSub();
  const [first, second] = [node(join()), node(join())];
  const key = mint();
  expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
  await first.revoke(key.keyId);
  expect(await second.verifier.verify(key.raw)).toEqual(invalid);
});

test('without a bus the next poll finds the revocation, also when clocks differ within the overlap', async () => {
  const { node, mint } = world();
  const second = node();
  for (const skewMs of [0, -pollOverlapMs, 3_600_000]) {
    const first = node(undefined, skewMs);
    const key = mint();
    expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
    await first.revoke(key.keyId);
    expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
    await second.poll();
    expect(await second.verifier.verify(key.raw)).toEqual(invalid);
  }
});

test('after a gap in the messages, every key is looked up again (contract/many-gateways#revocation)', async () => {
  const { node, mint } = world();
  const join = createInProcessPubSub();
  const bus = join();
  const [first, second] = [node(join()), node(bus)];
  const key = mint();
  await second.verifier.verify(key.raw);
  bus.disconnect();
  await first.revoke(key.keyId);
  expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
  bus.reconnect();
  expect(await second.verifier.verify(key.raw)).toEqual(invalid);
});

test('no message makes a revoked or unknown key valid, and malformed messages are ignored', async () => {
  const { node, mint } = world();
  const join = createInProcessPubSub();
  const [mouth, second] = [join(), node(join())];
  const [revoked, good] = [mint(), mint()];
  await second.revoke(revoked.keyId);
  await second.verifier.verify(good.raw);
  for (const payload of [{ keyId: revoked.keyId }, { keyId: good.keyId }, { keyId: 7 }, { keyId: '' }, {}])
    mouth.publish(revocationTopic, payload);
  expect(await second.verifier.verify(revoked.raw)).toEqual(invalid);
  expect(await second.verifier.verify(mintApiKey(random).raw)).toEqual(invalid);
  expect(await second.verifier.verify(good.raw)).toMatchObject(valid);
});

test('more revocations than a poll reads invalidate every key, once', async () => {
  const { node, mint } = world();
  const [revoking, polling] = [node(), node()];
  const keys = Array.from({ length: maxPolled + 1 }, () => mint());
  const [unseen] = keys;
  expect(await polling.verifier.verify(unseen?.raw ?? '')).toMatchObject({ kind: 'valid' });
  for (const { keyId } of keys) await revoking.revoke(keyId);
  const before = polling.known.changes;
  await polling.poll();
  expect(polling.known.changes).toBe(before + 1);
  expect(await polling.verifier.verify(unseen?.raw ?? '')).toMatchObject({ kind: 'invalid' });
  await polling.poll();
  expect(polling.known.changes).toBe(before + 1);
});

test('a revoked key in continuous use is not looked up after each poll', async () => {
  const { node, mint, looks } = world();
  const only = node();
  const key = mint();
  await only.revoke(key.keyId);
  for (let round = 0; round < 5; round++) {
    await only.poll();
    await only.verifier.verify(key.raw);
  }
  expect(looks()).toBe(1);
});

test('an unavailable store is logged once, and the next successful poll finds all revocations', async () => {
  const { node, mint, events, storeAway } = world();
  const [first, second] = [node(), node()];
  const key = mint();
  await second.verifier.verify(key.raw);
  await first.revoke(key.keyId);
  storeAway(true);
  await second.poll();
  await second.poll();
  expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
  storeAway(false);
  await second.poll();
  expect(await second.verifier.verify(key.raw)).toEqual(invalid);
  expect(events).toEqual(['revocations.poll-failed', 'revocations.poll-recovered']);
});

test('a failed poll is repeated before the next interval', async () => {
  const { node, storeAway, events } = world();
  const { poll, stop } = node();
  storeAway(true);
  await poll();
  storeAway(false);
  await until(() => events.includes('revocations.poll-recovered'));
  stop();
  expect(events).toEqual(['revocations.poll-failed', 'revocations.poll-recovered']);
});

test('without bus and poll, cache entries expire after 60 s (contract/limits)', async () => {
  const { node, mint, clock } = world();
  const [first, second] = [node(), node()];
  const key = mint();
  await second.verifier.verify(key.raw);
  await first.revoke(key.keyId);
  clock.advance(59_999);
  expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
  clock.advance(1);
  expect(await second.verifier.verify(key.raw)).toEqual(invalid);
});

test('a stopped node receives no messages', async () => {
  const { node, mint } = world();
  const join = createInProcessPubSub();
  const [first, second] = [node(join()), node(join())];
  const key = mint();
  await second.verifier.verify(key.raw);
  second.stop();
  await first.revoke(key.keyId);
  expect(await second.verifier.verify(key.raw)).toMatchObject(valid);
});
