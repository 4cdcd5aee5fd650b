/** Calls to a network of three real nodes of one chain, of which one misbehaves (contract/routing). */

import { afterEach, describe, expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { quietLog } from '@flowgate/testing/quiet-log';
import { endAll, endsWith } from '@flowgate/testing/raw-http1-server';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { until } from '@flowgate/testing/until';
import { nodeCaller } from '../../../test/fixtures/node-caller.ts';
import { createSimChain } from '../../../test/fixtures/sim-chain.ts';
import { type SimNode, startSimNode } from '../../../test/fixtures/sim-node.ts';
import type { Network } from '../networks/network.ts';
import { openNetworks } from '../networks/open-networks.ts';
import { defaultRouting, type RoutingSettings } from './routing-settings.ts';

afterEach(endAll);

const timerWheel = createTimerWheel(systemClock, 5);
const nodeTimeoutSeconds = 1.5;
const chance = chanceFrom(87);

function open(settings: Partial<RoutingSettings> = {}, intervalSeconds = 3_600) {
  const chain = createSimChain();
  for (let block = 0; block < 20; block++) chain.mine();
  const nodes = [startSimNode(chain), startSimNode(chain), startSimNode(chain)] as const;
  const networks = openNetworks(
    [
      {
        ...{ dlt: 'ethereum', networkId: 'sim', family: 'evm', chainId: 31337, default: true },
        nodes: nodes.map(({ httpUrl: url }, at) => ({ nodeId: `${at}`, url, headers: {} })),
        methods: { enable: [] },
        routing: { ...defaultRouting, ...settings },
      },
    ],
    { nodeTimeoutSeconds, maxResponseBytes: 1_000_000, maxConnectionsPerNode: 32 },
    {
      ...{ log: quietLog(), timerWheel, clock: systemClock, slices: createTimeSlices(systemClock) },
      turns: new TurnBudget(systemClock),
      ...{
        randomBytes: systemRandomBytes,
        random: () => chance(1_000_000) / 1_000_000,
        timers: createTimerWheel(systemClock, 1),
      },
      health: { intervalSeconds },
      answerBudget: new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 }),
    },
  );
  networks.start();
  endsWith(() => {
    networks.close();
    for (const node of nodes) node.stop();
  });
  const network = networks.directory.defaultNetwork;
  if (network === undefined) throw new Error('no network');
  return { chain, nodes, network };
}

const question = {
  method: 'eth_getBalance',
  params: rangeOf('["0x0000000000000000000000000000000000000001","latest"]'),
};
const read = (network: Network) => network.pool.send({ ...question, repeatable: true, caller: nodeCaller });
const askedOf = (node: SimNode) => node.askedFor(question.method).length;

/** Sends `count` reads, some at the same time. Returns the number without a result. */
async function lost(network: Network, count: number, atOnce = 10): Promise<number> {
  let failures = 0;
  for (let sent = 0; sent < count; sent += atOnce) {
    const replies = await Promise.all(Array.from({ length: atOnce }, () => read(network)));
    failures += replies.filter((reply) => !reply.ok || reply.answer.kind === 'error').length;
  }
  return failures;
}

describe('one of three nodes', () => {
  test('that is slow receives only calls that no faster node can take', async () => {
    const { nodes, network } = open();
    nodes[0].fail({ kind: 'slow', ms: 30 }, question.method);
    expect(await lost(network, 300)).toBe(0);
    expect(askedOf(nodes[0])).toBeLessThan(60);
  });

  test.each(['dead', 'silent', 'rubbish', 'other-id', 'half'] as const)(
    'that is %s costs no caller an answer',
    async (kind) => {
      const { nodes, network } = open();
      nodes[0].fail({ kind }, question.method);
      expect(await lost(network, 60)).toBe(0);
      expect(askedOf(nodes[0])).toBeGreaterThan(0);
      expect(askedOf(nodes[0])).toBeLessThan(30);
    },
  );

  test('that answers twice does not answer a call of another caller', async () => {
    const { nodes, network } = open();
    nodes[0].fail({ kind: 'twice' });
    expect(await lost(network, 60)).toBe(0);
  });

  test('that answers 429 to all calls is not called after at most ten calls', async () => {
    for (const strategy of ['ordered', 'fastest'] as const) {
      const { nodes, network } = open({ strategy });
      nodes[0].fail({ kind: 'status', status: 429 }, question.method);
      expect(await lost(network, 200, 1)).toBe(0);
      expect(askedOf(nodes[0])).toBeLessThanOrEqual(10);
    }
  });

  test('that sends Retry-After is not called at once', async () => {
    const { nodes, network } = open({ strategy: 'ordered' });
    nodes[0].fail({ kind: 'status', status: 429, retryAfter: '60' }, question.method);
    expect(await lost(network, 50, 1)).toBe(0);
    expect(askedOf(nodes[0])).toBe(1);
  });

  test('that stays at an old head is not called until it has caught up', async () => {
    const { chain, nodes, network } = open({}, 0.05);
    await until('all are healthy', () => network.nodes.every(({ status }) => status().status === 'healthy'));
    nodes[0].freeze();
    for (let block = 0; block < 10; block++) chain.mine();
    const asked = async () => {
      const before = askedOf(nodes[0]);
      expect(await lost(network, 30)).toBe(0);
      return askedOf(nodes[0]) - before;
    };
    await until('it is not called', async () => (await asked()) === 0);
    nodes[0].heal();
    await until('it is called again', async () => (await asked()) > 0);
  });

  test('that reports a made-up head excludes no other node', async () => {
    const { nodes, network } = open({}, 0.05);
    nodes[0].boast(1_000_000);
    await until('it has reported it', () => (network.nodes[0]?.status().blockHeight ?? 0) > 1_000_000);
    expect(await lost(network, 60)).toBe(0);
    for (const node of nodes.slice(1)) expect(askedOf(node)).toBeGreaterThan(5);
  });

  test('that is killed and returns is called again after two probes', async () => {
    const { nodes, network } = open({ strategy: 'ordered' });
    expect(await lost(network, 10)).toBe(0);
    nodes[0].kill();
    expect(await lost(network, 30)).toBe(0);
    nodes[0].revive();
    const before = askedOf(nodes[0]);
    await until('its circuit has closed', async () => {
      expect(await lost(network, 5, 1)).toBe(0);
      return askedOf(nodes[0]) > before + 5;
    });
  });
});

test('if all nodes refuse, three are asked, and the reply contains that number', async () => {
  const { nodes, network } = open();
  for (const node of nodes) node.fail({ kind: 'status', status: 503 }, question.method);
  expect(await read(network)).toMatchObject({ ok: false, failure: 'refused', maybeDelivered: true, attempts: 3 });
});

test('a slow node is hedged: the fast one answers, and both outcomes are recorded', async () => {
  const { nodes, network } = open({ strategy: 'ordered', hedge: { afterMs: 20, maxPercent: 100 } });
  nodes[0].fail({ kind: 'silent' }, question.method);
  for (let call = 0; call < 5; call++)
    expect(await read(network)).toMatchObject({ ok: true, nodeId: '1', attempts: 2 });
  nodes[0].release();
  expect([askedOf(nodes[0]), askedOf(nodes[1]), askedOf(nodes[2])]).toEqual([5, 5, 0]);
});

test('with strategy ordered, a percentile hedges after 20 answers of a method (contract/routing#hedging)', async () => {
  const { nodes, network } = open({ strategy: 'ordered', hedge: { afterMs: 'p90', maxPercent: 100 } });
  expect(await lost(network, 20, 1)).toBe(0);
  nodes[0].fail({ kind: 'silent' }, question.method);
  expect(await read(network)).toMatchObject({ ok: true, nodeId: '1', attempts: 2 });
  nodes[0].release();
});
