/**
 * The indexer with the local rollup: backfill, head, reorganization, unavailable chains, `GET /admin/indexers` and
 * `flowgate reindex` (contract/indexer#reading).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readMetrics } from '@flowgate/testing/metrics-text';
import { until } from '@flowgate/testing/until';
import { createWalletClient, http, parseEther } from 'viem';
import { metricCatalog } from '../../apps/gateway/src/bootstrap/metric-catalog.ts';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type RollupGateway,
  rollupAccount,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';

let all: RollupGateway;

beforeAll(async () => {
  all = await startRollupGateway({ config: { server: { metrics: { port: 0 } } } });
});
afterAll(() => all?.stop());

type Indexer = {
  readonly streamId: string;
  readonly nextBlock: number;
  readonly epoch: number;
  readonly lagBlocks?: number;
  readonly trouble?: string;
  readonly isLedHere: boolean;
  readonly isStale: boolean;
};

async function indexers(): Promise<readonly Indexer[]> {
  const answer = await all.gateway.fetch('/admin/indexers', {
    headers: { Authorization: `Bearer ${all.gateway.token('root', { roles: ['admin'] })}` },
  });
  expect(answer.status).toBe(200);
  return (await jsonBody(answer))['indexers'] as readonly Indexer[];
}
async function stream(streamId: string): Promise<Indexer> {
  const found = (await indexers()).find((each) => each.streamId === streamId);
  if (found === undefined) throw new Error(`no stream ${streamId}`);
  return found;
}
async function control(path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${all.rollup.bridge.controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

test('both chains of the bridge and the network of the pool are indexed up to their heads', async () => {
  let streams: readonly Indexer[] = [];
  await until('everything is indexed', async () => {
    streams = await indexers();
    return streams.every(({ lagBlocks, trouble }) => lagBlocks === 0 && trouble === undefined);
  });
  const { bridgeId } = all.rollup.bridge;
  expect(streams.map(({ streamId }) => streamId)).toEqual([`${bridgeId}/l1`, `${bridgeId}/l2`, 'swaps/ethereum/l2']);
  expect(streams).toEqual(streams.map(() => expect.objectContaining({ isLedHere: true, isStale: false, epoch: 1 })));
});

test('a wallet sees its deposit, and a reorganization removes it', async () => {
  const account = rollupAccount(all.rollup, 3);
  await all.link('ann', account);
  const wallet = createWalletClient({ account, transport: http(all.rollup.bridge.l1.url) });
  const to = all.rollup.bridge.contracts.l1StandardBridge as `0x${string}`;
  await wallet.sendTransaction({ account, chain: null, to, value: parseEther('0.01'), gas: 2_000_000n });
  const statuses = async () => {
    const list = (await jsonBody(await all.as('ann', 'GET', '/users/me/deposits')))['data'];
    return (list as readonly { readonly status: string }[]).map(({ status }) => status);
  };
  await until('the deposit arrives', async () => (await statuses())[0] === 'completed');
  const { bridgeId } = all.rollup.bridge;
  const { epoch } = await stream(`${bridgeId}/l1`);
  await control('/reorg', { chain: 'l1', blocks: 1 });
  await until('the reorganization is noticed', async () => (await stream(`${bridgeId}/l1`)).epoch > epoch);
});

test('reindexing while the gateway runs retains the records that it finds again', async () => {
  const { bridgeId } = all.rollup.bridge;
  const before = await stream(`${bridgeId}/l2`);
  const environment = { FLOWGATE_PEPPER: 'pepper-for-tests-0123456789abcdefghijk' };
  const command = (...args: string[]) =>
    runFlowgate(['reindex', ...args, '--config', all.gateway.configFile], environment);
  const asked = await command(bridgeId, '--from', '0', '--chain', 'l2', '--json');
  expect([asked.code, JSON.parse(asked.stdout)]).toEqual([0, { streams: [{ streamId: `${bridgeId}/l2`, from: 0 }] }]);
  await until('the blocks were indexed again', async () => {
    const now = await stream(`${bridgeId}/l2`);
    return now.epoch > before.epoch && now.lagBlocks === 0 && now.nextBlock >= before.nextBlock - 64;
  });
  const unknown = await command('nothing', '--from', '0');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no bridge nothing')]);
  const wrong = await command('swaps/ethereum/l2', '--from', '0', '--chain', 'l1');
  expect(wrong.code).toBe(2);
});

test('only administrators see the indexers', async () => {
  expect((await all.as('ann', 'GET', '/admin/indexers')).status).toBe(403);
});

test('while one chain is unavailable, the other is indexed', async () => {
  const { bridgeId } = all.rollup.bridge;
  await all.rollup.l2.stop();
  const before = await stream(`${bridgeId}/l1`);
  await until('the trouble is reported', async () => (await stream(`${bridgeId}/l2`)).trouble !== undefined);
  await fetch(all.rollup.bridge.l1.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }),
  });
  await until('L1 continues', async () => (await stream(`${bridgeId}/l1`)).nextBlock > before.nextBlock);
});

test('its metrics are exposed, each with its labels', async () => {
  const port = /"event":"metrics.listening".*?"port":(\d+)/.exec(all.gateway.output())?.[1];
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const families = readMetrics(text, 'prometheus').filter(({ name }) => name.startsWith('flowgate_indexer_'));
  const shown = families.map(({ name, samples }) => [name, Object.keys(samples[0]?.labels ?? {})]);
  const catalog = Object.values(metricCatalog).filter(({ name }) => name.startsWith('flowgate_indexer_'));
  expect(shown.sort()).toEqual(catalog.map(({ name, labels }) => [name, [...labels]]).sort());
});
