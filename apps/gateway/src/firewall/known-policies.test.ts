import { afterEach, expect, test } from 'bun:test';
import type { PubSub } from '@flowgate/async/pub-sub';
import { Unavailable } from '@flowgate/base/unavailable';
import { createInProcessPubSub } from '@flowgate/testing/in-process-pub-sub';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { quietLog } from '@flowgate/testing/quiet-log';
import { until } from '@flowgate/testing/until';
import type { Caller } from '../api/caller.ts';
import { createKnownPolicies } from './known-policies.ts';
import type { PolicyRecord } from './policy.ts';
import { createFirewall } from './policy-firewall.ts';
import { policyRecord } from './policy-store.contract.ts';
import type { ChangedOwner, StoredPolicy } from './policy-store.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const hourMs = 3_600_000;
const caller = (userId: string): Caller => ({ userId, via: 'api-key', keyId: `key-of-${userId}`, roles: [] });
const network = { kind: 'network', key: 'ethereum/dev' } as const;
const deny = (ownerId: string, subject = '*') => policyRecord({ ownerId, subjects: [subject] });

/** A store in memory that gateways share. It counts its calls, and can be unavailable or slow. */
function world() {
  const clock = createManualClock();
  const asked: string[] = [];
  const policies = new Map<string, StoredPolicy>();
  const owners = new Map<string, ChangedOwner>();
  let revision = 0;
  let isUnavailable = false;
  let blocked: Promise<void> = Promise.resolve();
  const answer = async <T>(question: string, value: () => T): Promise<T> => {
    asked.push(question);
    if (isUnavailable) throw new Unavailable('database', 'gone');
    const now = value();
    if (question.startsWith('policies of')) await blocked;
    return now;
  };
  const store = {
    readRevision: () => answer('revision', () => revision),
    changedSince: (since: number, limit: number) =>
      answer('owners', () =>
        [...owners.values()]
          .filter((each) => each.revision > since && (since > 0 || each.policies > 0))
          .sort((one, other) => one.revision - other.revision)
          .slice(0, limit),
      ),
    writtenSince: (ownerId: string, since: number, limit: number) =>
      answer(`policies of ${ownerId}`, () =>
        [...policies.values()]
          .filter((each) => each.policy.ownerId === ownerId && each.revision > since)
          .sort((one, other) => one.revision - other.revision)
          .slice(0, limit),
      ),
    idsOf: (ownerId: string) =>
      answer(`ids of ${ownerId}`, () =>
        [...policies.values()].filter(({ policy }) => policy.ownerId === ownerId).map(({ policy }) => policy.policyId),
      ),
    keysOf: (userId: string, keyIds: readonly string[]) =>
      answer('keys', () => keyIds.filter((keyId) => keyId === `key-of-${userId}`)),
  };
  const stamp = (ownerId: string) => {
    const count = [...policies.values()].filter(({ policy }) => policy.ownerId === ownerId).length;
    owners.set(ownerId, { ownerId, revision, policies: count });
  };
  return {
    clock,
    asked,
    gateway(pubSub?: PubSub, maxBytes?: number) {
      const known = createKnownPolicies({
        store,
        pubSub,
        clock,
        log: quietLog(),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      });
      const firewall = createFirewall(known);
      return {
        known,
        firewall,
        begin: (pollMs = hourMs) => ends.push(known.start(pollMs)),
        async allows(userId: string, ownerIds: readonly string[] = []) {
          const rules = await firewall.rulesFor(caller(userId), ownerIds);
          return rules === 'unavailable' ? rules : rules.allows(network, { method: 'eth_call' });
        },
      };
    },
    write(policy: PolicyRecord) {
      revision += 1;
      policies.set(policy.policyId, { policy, revision });
      stamp(policy.ownerId);
      return policy;
    },
    remove({ policyId, ownerId }: PolicyRecord) {
      revision += 1;
      policies.delete(policyId);
      stamp(ownerId);
    },
    setUnavailable: (is: boolean) => {
      isUnavailable = is;
    },
    holdLookUps() {
      const { promise, resolve } = Promise.withResolvers<void>();
      blocked = promise;
      return resolve;
    },
    lookUps: () => asked.filter((each) => each.startsWith('policies of ') && each !== 'policies of '),
  };
}

test('without any policy the firewall is idle, nothing is looked up, and all is allowed', async () => {
  const { gateway, asked } = world();
  const { firewall, known, allows } = gateway();
  expect(firewall.isIdle).toBe(false);
  await known.load();
  expect(firewall.isIdle).toBe(true);
  const before = asked.length;
  expect(await allows('alice')).toBe(true);
  expect(firewall.rulesFor(caller('alice'))).not.toBeInstanceOf(Promise);
  expect(asked.length).toBe(before);
});

test('before policies are loaded, no use that a policy could refuse is decided (contract/firewall#when-the-store-is-unavailable)', async () => {
  const { gateway, setUnavailable } = world();
  const { allows, known } = gateway();
  setUnavailable(true);
  await expect(known.load()).rejects.toThrow(Unavailable);
  expect(await allows('alice')).toBe('unavailable');
});

test('users without policies are never looked up, and users with policies once for concurrent requests', async () => {
  const { gateway, write, lookUps, holdLookUps } = world();
  write(deny('bob', 'key:key-of-bob'));
  const { known, firewall, allows } = gateway();
  await known.load();
  expect(firewall.isIdle).toBe(false);
  expect(firewall.rulesFor(caller('alice'))).not.toBeInstanceOf(Promise);
  const release = holdLookUps();
  const all = Promise.all(Array.from({ length: 50 }, () => allows('bob')));
  release();
  expect(new Set(await all)).toEqual(new Set([false]));
  expect(lookUps()).toEqual(['policies of bob']);
  expect(firewall.rulesFor(caller('bob'))).not.toBeInstanceOf(Promise);
});

test('a request about many owners looks up a few of them at a time, each once', async () => {
  const { gateway, write, lookUps, holdLookUps, setUnavailable } = world();
  const owners = Array.from({ length: 200 }, (_, at) => `owner-${at}`);
  for (const owner of owners) write(deny(owner, 'user:unknown'));
  const { known, allows } = gateway();
  await known.load();
  const release = holdLookUps();
  const all = Promise.all(Array.from({ length: 10 }, () => allows('alice', owners)));
  await until(() => lookUps().length > 0);
  await Bun.sleep(0);
  expect(lookUps().length).toBeLessThanOrEqual(16);
  release();
  expect(new Set(await all)).toEqual(new Set([true]));
  expect(lookUps()).toHaveLength(200);
  const fresh = gateway();
  await fresh.known.load();
  setUnavailable(true);
  const before = lookUps().length;
  expect(await fresh.allows('alice', owners)).toBe('unavailable');
  expect(lookUps().length - before).toBeLessThanOrEqual(16);
});

test('a change applies here when `changed` has resolved, and on other gateways when the message has arrived (contract/firewall#when-a-policy-is-in-force)', async () => {
  const { gateway, write, remove } = world();
  const join = createInProcessPubSub();
  const [here, there] = [gateway(join()), gateway(join())];
  for (const each of [here, there]) {
    each.begin();
    await each.known.load();
  }
  for (const ownerId of ['bob', '']) {
    const policy = write(deny(ownerId, 'user:bob'));
    await here.known.changed(ownerId);
    expect(await here.allows('bob')).toBe(false);
    await until(async () => (await there.allows('bob')) === false);
    write({ ...policy, subjects: ['user:cem'] });
    await here.known.changed(ownerId);
    expect(await here.allows('bob')).toBe(true);
    await until(async () => (await there.allows('bob')) === true);
    write({ ...policy, subjects: ['user:bob'] });
    await here.known.changed(ownerId);
    expect(await here.allows('bob')).toBe(false);
    remove(policy);
    await here.known.changed(ownerId);
    expect([await here.allows('bob'), here.firewall.isIdle]).toEqual([true, true]);
    await until(() => there.firewall.isIdle);
  }
});

test('without messages a poll finds the change, a deletion too (contract/many-gateways#shared-copies)', async () => {
  const { gateway, write, remove } = world();
  const there = gateway();
  await there.known.load();
  there.begin(5);
  const [one, two] = [write(deny('', 'user:bob')), write(deny('', 'user:bob'))];
  await until(async () => (await there.allows('bob')) === false);
  remove(one);
  write(deny('', 'user:cem'));
  await until(async () => (await there.allows('cem')) === false);
  expect(await there.allows('bob')).toBe(false);
  remove(two);
  await until(async () => (await there.allows('bob')) === true);
});

test('the result of a look-up that began before a change is discarded', async () => {
  const { gateway, write, holdLookUps } = world();
  const policy = write(deny('bob'));
  const { known, allows } = gateway();
  await known.load();
  const release = holdLookUps();
  const early = allows('bob');
  write({ ...policy, subjects: ['user:unknown'] });
  await known.changed('bob');
  release();
  expect(await early).toBe(true);
});

test('while the store is unavailable, the last known policies are used for exactly 60 seconds (contract/firewall#when-the-store-is-unavailable)', async () => {
  const { gateway, write, setUnavailable, clock } = world();
  write(deny('', 'user:mallory'));
  write(deny('bob'));
  const { known, allows } = gateway();
  await known.load();
  expect([await allows('alice'), await allows('bob'), await allows('mallory')]).toEqual([true, false, false]);
  setUnavailable(true);
  clock.advance(59_999);
  expect([await allows('alice'), await allows('bob'), await allows('mallory')]).toEqual([true, false, false]);
  clock.advance(1);
  expect([await allows('alice'), await allows('bob'), await allows('mallory')]).toEqual([
    'unavailable',
    'unavailable',
    'unavailable',
  ]);
  setUnavailable(false);
  await known.load();
  expect([await allows('alice'), await allows('bob'), await allows('mallory')]).toEqual([true, false, false]);
});

test("a user's policies that change while the store cannot be read: the last known ones apply for 60 seconds", async () => {
  const { gateway, write, setUnavailable, clock } = world();
  const policy = write(deny('bob'));
  const { known, allows } = gateway();
  await known.load();
  expect(await allows('bob')).toBe(false);
  write({ ...policy, subjects: ['user:unknown'] });
  setUnavailable(true);
  await expect(known.changed('bob')).rejects.toThrow(Unavailable);
  expect(await allows('bob')).toBe(false);
  clock.advance(59_999);
  expect(await allows('bob')).toBe(false);
  setUnavailable(false);
  clock.advance(1_000);
  await known.load();
  expect(await allows('bob')).toBe(true);
});

test('an unknown user is refused while the store is unavailable, and looked up at most once a second', async () => {
  const { gateway, write, setUnavailable, clock, lookUps } = world();
  write(deny('bob'));
  const { known, allows } = gateway();
  await known.load();
  setUnavailable(true);
  for (let at = 0; at < 20; at++) expect(await allows('bob')).toBe('unavailable');
  expect(lookUps()).toHaveLength(1);
  clock.advance(1_000);
  setUnavailable(false);
  expect(await allows('bob')).toBe(false);
});

test('a gateway without policies refuses after 60 seconds without an answer of the store', async () => {
  const { gateway, setUnavailable, clock } = world();
  const { known, firewall, allows, begin } = gateway();
  await known.load();
  begin(5);
  setUnavailable(true);
  clock.advance(30_000);
  await until(() => !firewall.isIdle);
  expect(await allows('alice')).toBe(true);
  clock.advance(30_000);
  expect(await allows('alice')).toBe('unavailable');
  setUnavailable(false);
  await until(() => firewall.isIdle);
});

test("an owner's policies decide about the owner's resources, and distinguish the owner's keys from others'", async () => {
  const { gateway, write } = world();
  const node = { kind: 'node', key: 'node_1', ownerId: 'bob' } as const;
  write(
    policyRecord({
      ownerId: 'bob',
      effect: 'allow',
      subjects: ['key:key-of-cem'],
      resource: { kind: 'node', id: 'node_1' },
    }),
  );
  const { known, firewall } = gateway();
  await known.load();
  const asks = async (userId: string) => {
    const rules = await firewall.rulesFor(caller(userId), ['bob']);
    if (rules === 'unavailable') throw new Error('unavailable');
    return [rules.isNamed(node), rules.allows(node, {}), rules.concerns('node'), rules.concerns('contract')];
  };
  expect(await asks('cem')).toEqual([true, true, true, false]);
  expect(await asks('dan')).toEqual([false, false, true, false]);
  expect(await asks('bob')).toEqual([false, true, true, false]);
});

test('cached policies of users are bounded in bytes, and evicted ones are looked up again', async () => {
  const { gateway, write, lookUps } = world();
  const users = Array.from({ length: 50 }, (_, at) => `user-${at}`);
  for (const user of users) write(deny(user));
  const { known, allows } = gateway(undefined, 20_000);
  await known.load();
  for (let round = 0; round < 2; round++) for (const user of users) expect(await allows(user)).toBe(false);
  expect(lookUps()).toHaveLength(100);
});
