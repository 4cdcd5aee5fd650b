/** The head of a network over HTTP with viem: cached, also when a node dies, and never decreasing (contract/heads). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { createPublicClient, http } from 'viem';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain();
chain.mine(20);
const nodes = [startSimNode(chain), startSimNode(chain)] as const;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  const simNodes = nodes.map(({ httpUrl: url }, at) => ({ nodeId: `sim-${at}`, url }));
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      health: { intervalSeconds: 3_600 },
      networks: [{ dlt: 'sim', networkId: 'two', chainId: 31337, nodes: simNodes, default: true }],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  for (const node of nodes) node.stop();
});

test('the head is cached, advances after its node died, and never decreases (contract/heads#the-head-never-goes-back)', async () => {
  const fetchOptions = { headers: { 'X-API-Key': key } };
  const client = createPublicClient({
    cacheTime: 0,
    transport: http(`${gateway.url}/dlts/sim/networks/two/rpc`, { fetchOptions, retryCount: 0 }),
  });
  const shown: bigint[] = [];
  const look = async () => {
    shown.push(await client.getBlockNumber());
    shown.push((await client.getBlock()).number);
  };
  await look();
  expect(shown).toEqual([20n, 20n]);
  nodes[1].lagBehind(1);
  for (let n = 0; n < 5; n++) {
    chain.mine();
    await until('the block is returned', async () => {
      await look();
      return shown.at(-1) === BigInt(chain.head().number);
    });
  }
  expect(nodes.flatMap((node) => node.askedFor('eth_blockNumber')).length).toBeLessThan(shown.length / 2 + 20);
  nodes[1].lagBehind(0);
  nodes[0].kill();
  chain.mine(2);
  await until('the other node reports it', async () => {
    await look();
    return shown.at(-1) === BigInt(chain.head().number);
  });
  expect(shown).toEqual(shown.toSorted((one, other) => Number(one - other)));
});
