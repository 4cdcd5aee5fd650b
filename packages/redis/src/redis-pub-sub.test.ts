import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { type FaultProxy, startFaultProxy } from '@flowgate/devkit/fault-proxy';
import { createInProcessPubSub } from '@flowgate/testing/in-process-pub-sub';
import { pubSubContract } from '@flowgate/testing/pub-sub-contract';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { createRedisPubSub, type RedisPubSub } from './redis-pub-sub.ts';

let redis: TestRedis;
let proxy: FaultProxy;
let names = 0;
const opened: RedisPubSub[] = [];
const quiet = { info: () => undefined, warn: () => undefined };

/** Without heartbeats, except in tests about them: a missed heartbeat counts as a dead connection, and a busy machine must not cause one. */
const never = 3_600_000;
const soon = 150;

async function node(namespace: string, url = redis.url, heartbeatMs = never): Promise<RedisPubSub> {
  names += 1;
  const pubSub = createRedisPubSub({
    url,
    namespace,
    nodeId: `node-${names}`,
    clock: systemClock,
    log: quiet,
    callTimeoutMs: 1_000,
    heartbeatMs,
  });
  opened.push(pubSub);
  await pubSub.tried;
  return pubSub;
}

/**
 * Two gateways, the second behind the proxy and with heartbeats as given. Resolves after the gaps that occur while they
 * discover each other.
 */
async function acquainted(heartbeatMs = never) {
  names += 1;
  const namespace = `n${names}`;
  const [first, second] = [
    await node(namespace),
    await node(namespace, `redis://127.0.0.1:${proxy.port}`, heartbeatMs),
  ];
  let heard = 0;
  second.subscribe('hello', () => {
    heard += 1;
  });
  first.publish('hello', {});
  await until(() => heard > 0);
  return { first, second, namespace };
}

pubSubContract('one process', async () => {
  const join = createInProcessPubSub();
  const [first, second] = [join(), join()];
  return {
    first,
    second,
    async cutSecondOff(meanwhile) {
      second.disconnect();
      meanwhile();
      second.reconnect();
    },
    close: async () => undefined,
  };
});

describe.skipIf(redisMissing !== undefined)('Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
    proxy = await startFaultProxy(redis.port);
  });
  afterEach(() => {
    for (const pubSub of opened.splice(0)) pubSub.close();
    proxy.set({ kind: 'none' });
  });
  afterAll(async () => {
    proxy.close();
    await redis.stop();
  });

  pubSubContract('Redis pub/sub', async () => {
    const { first, second } = await acquainted();
    return {
      first,
      second,
      async cutSecondOff(meanwhile) {
        proxy.set({ kind: 'reset' });
        proxy.resetAll();
        await until(() => second.epoch() === 0);
        meanwhile();
        proxy.set({ kind: 'none' });
        await until(() => second.epoch() > 0);
      },
      close: async () => undefined,
    };
  });

  test('a connection that is dead but open is detected by the heartbeat, and the gap is reported', async () => {
    const { second } = await acquainted(soon);
    const before = second.epoch();
    let gaps = 0;
    second.onGap(() => {
      gaps += 1;
    });
    proxy.set({ kind: 'reset' });
    proxy.halfOpen();
    await until(() => second.epoch() === 0);
    proxy.set({ kind: 'none' });
    await until(() => second.epoch() > before);
    expect(gaps).toBeGreaterThan(0);
  });

  test('a message lost between its publisher and Redis is a gap for the others at its next heartbeat', async () => {
    const { first, second } = await acquainted(soon);
    const [before, unbroken] = [second.epoch(), first.epoch()];
    let gaps = 0;
    first.onGap(() => {
      gaps += 1;
    });
    proxy.set({ kind: 'reset' });
    proxy.resetAll();
    await until(() => second.epoch() === 0);
    second.publish('topic', {});
    proxy.set({ kind: 'none' });
    await until(() => gaps > 0);
    await until(() => second.epoch() > before);
    expect(first.epoch()).toBe(unbroken);
  });

  test('a message that could not be sent after the other gateway had subscribed again is a gap for it', async () => {
    names += 1;
    const namespace = `n${names}`;
    const far = await startFaultProxy(redis.port);
    // Neither heartbeats nor an already known number may reveal the gap.
    const first = await node(namespace, `redis://127.0.0.1:${proxy.port}`);
    const second = await node(namespace, `redis://127.0.0.1:${far.port}`);
    const cutOff = async (cut: FaultProxy, pubSub: RedisPubSub) => {
      cut.set({ kind: 'reset' });
      cut.resetAll();
      await until(() => pubSub.epoch() === 0);
    };
    await Promise.all([cutOff(proxy, first), cutOff(far, second)]);
    proxy.set({ kind: 'none' });
    await until(() => first.epoch() > 0);
    let gaps = 0;
    first.onGap(() => {
      gaps += 1;
    });
    second.publish('topic', {});
    expect(gaps).toBe(0);
    far.set({ kind: 'none' });
    await until(() => gaps > 0);
    far.close();
  });

  test("a Redis that accepts everything and delivers nothing is detected: the gateway's own heartbeat does not come back", async () => {
    let connections = 0;
    const answers: readonly (readonly [command: string, reply: string])[] = [
      ['HELLO', '%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n'],
      ['SUBSCRIBE', '>3\r\n$9\r\nsubscribe\r\n$9\r\nmute:news\r\n:1\r\n'],
      ['PUBLISH', ':0\r\n'],
    ];
    const mute = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: () => {
          connections += 1;
        },
        data: (socket, piece) => {
          const text = piece.toString();
          for (const [command, reply] of answers)
            for (let times = text.split(`\n${command}\r`).length - 1; times > 0; times--) socket.write(reply);
        },
      },
    });
    const pubSub = await node('mute', `redis://127.0.0.1:${mute.port}`, soon);
    expect(pubSub.epoch()).toBe(1);
    await until(() => connections > 1);
    await until(() => pubSub.epoch() > 1);
    mute.stop(true);
  });

  test('a reconnection is one gap, not one more for each gateway that is heard again', async () => {
    const { first, second } = await acquainted();
    let gaps = 0;
    second.onGap(() => {
      gaps += 1;
    });
    const epoch = second.epoch();
    proxy.resetAll();
    await until(() => second.epoch() > epoch);
    let heard = 0;
    second.subscribe('topic', () => {
      heard += 1;
    });
    first.publish('topic', {});
    await until(() => heard > 0);
    expect(gaps).toBe(1);
  });

  test('messages of other applications on the channel are ignored', async () => {
    const { first, second, namespace } = await acquainted();
    const heard: unknown[] = [];
    second.subscribe('topic', (payload) => heard.push(payload));
    for (const rubbish of ['', 'x', '[]', 'null', '{}', '{"node":1,"number":"x","topic":"topic","payload":1}'])
      await redis.cli('PUBLISH', `${namespace}:news`, rubbish);
    first.publish('topic', { real: true });
    await until(() => heard.length > 0);
    expect(heard).toEqual([{ real: true }]);
  });
});
