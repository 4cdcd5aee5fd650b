/**
 * A steady mixed load on a cluster until the test stops it: calls, creations and revocations of keys, and uses of
 * revoked keys.
 */

import { systemClock } from '@flowgate/base/clock';
import { identified } from './history.ts';
import type { Key, RecordedClient, Target } from './recorded-client.ts';

export type Load = {
  /** Sends no new requests. Resolves when the last one has ended. */
  readonly stop: () => Promise<void>;
  /** Users with an acknowledged request, to be audited. */
  readonly owners: () => readonly string[];
  /** Acknowledged keys that no request tried to revoke. */
  readonly activeKeys: () => readonly Key[];
};

/** The maximum number of pending requests: a queue within the client would distort every measured time. */
const maxPending = 180;
/**
 * Milliseconds for which a revoked key is used at every gateway without a pause; later it is used together with the
 * other revoked keys.
 */
const watchedMs = 6_000;

export function startLoad(client: RecordedClient, targets: readonly Target[], gateways: readonly Target[]): Load {
  let running = true;
  let turn = 0;
  let serial = 0;
  const owners = new Set<string>();
  const unrevoked = new Map<string, Key>();
  const graveyard: Key[] = [];
  const next = <T>(from: readonly T[]): T => {
    turn += 1;
    const found = from[turn % from.length];
    if (found === undefined) throw new Error('no one to choose from');
    return found;
  };

  /** Sends `perSecond` requests a second without waiting for responses, as independent clients do. */
  async function openLoop(perSecond: number, send: () => Promise<unknown>): Promise<void> {
    const everyMs = 1000 / perSecond;
    const under = new Set<Promise<unknown>>();
    for (
      let dueMs = systemClock.monotonic();
      running;
      dueMs = Math.max(dueMs + everyMs, systemClock.monotonic() - 200)
    ) {
      if (client.pending() < maxPending) {
        const sending: Promise<unknown> = send().finally(() => under.delete(sending));
        under.add(sending);
      }
      // Real time: the pause between requests.
      await Bun.sleep(Math.max(1, dueMs + everyMs - systemClock.monotonic()));
    }
    await Promise.all(under);
  }

  async function keyFor(userId: string): Promise<Key | undefined> {
    const { key } = await client.mint(next(targets), userId);
    owners.add(userId);
    if (key !== undefined) unrevoked.set(key.keyId, key);
    return key;
  }

  async function withKey(userId: string, use: (key: Key) => Promise<void>): Promise<void> {
    let key: Key | undefined;
    while (running && key === undefined) {
      key = await keyFor(userId);
      // Real time: the pause between requests.
      if (key === undefined) await Bun.sleep(200);
    }
    if (key !== undefined) await use(key);
  }

  const caller = (userId: string, perSecond: number) =>
    withKey(userId, (key) => openLoop(perSecond, () => client.call(next(targets), key)));

  async function revoke(key: Key): Promise<boolean> {
    unrevoked.delete(key.keyId);
    const entry = await client.revoke(next(targets), key.userId, key.keyId);
    return entry.status === 204;
  }

  /** Uses the key at every gateway until each has refused it twice in succession. */
  async function watch(key: Key): Promise<void> {
    const untilMs = systemClock.monotonic() + watchedMs;
    await Promise.all(
      gateways.map(async (gateway) => {
        for (let refusals = 0; refusals < 2 && running && systemClock.monotonic() < untilMs; ) {
          const entry = await client.call(gateway, key);
          refusals = entry.outcome === 'answered' && !identified(entry) ? refusals + 1 : 0;
          // Real time: the pause between requests.
          await Bun.sleep(20);
        }
      }),
    );
    graveyard.push(key);
  }

  /** Repeatedly creates, uses and revokes a key, each time for another user. */
  async function churn(): Promise<void> {
    while (running) {
      serial += 1;
      const userId = `churn-${serial}`;
      const key = await keyFor(userId);
      if (key === undefined) {
        // Real time: the pause between requests.
        await Bun.sleep(200);
        continue;
      }
      await Promise.all(gateways.map((gateway) => client.call(gateway, key)));
      if (serial % 4 === 0) continue;
      await client.list(next(targets), userId);
      if (await revoke(key)) await watch(key);
      // Real time: the pause between requests.
      await Bun.sleep(150);
    }
  }

  /**
   * Stays at the limit of active keys: creates keys in pairs at two gateways, and revokes keys when the limit is
   * reached.
   */
  async function hoard(userId: string): Promise<void> {
    owners.add(userId);
    while (running) {
      const minted = await Promise.all([keyFor(userId), keyFor(userId)]);
      const own = [...unrevoked.values()].filter((key) => key.userId === userId);
      const oldest = own[0];
      if (minted.includes(undefined) && oldest !== undefined && (await revoke(oldest))) graveyard.push(oldest);
      // Real time: the pause between requests.
      await Bun.sleep(3_000);
    }
  }

  const everyone = Promise.all([
    ...['hot-1', 'hot-2'].map((userId) => caller(userId, 40)),
    ...Array.from({ length: 6 }, (_, at) => caller(`steady-${at}`, 0.8)),
    ...Array.from({ length: 3 }, churn),
    hoard('hoarder'),
    openLoop(8, async () => graveyard.length > 0 && client.call(next(gateways), next(graveyard))),
    openLoop(4, () => client.identify(next(targets), `visitor-${turn % 20}`)),
  ]);

  return {
    owners: () => [...owners],
    activeKeys: () => [...unrevoked.values()],
    async stop() {
      running = false;
      await everyone;
    },
  };
}
