/**
 * Usage on two gateways with one PostgreSQL: each counts its own requests, both report the sum, and a killed one loses
 * nothing that it has written (contract/usage#how-exact).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createFlowgate } from '@flowgate/client';
import { postgresMissing } from '@flowgate/testing/postgres';
import { until } from '@flowgate/testing/until';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

describe.skipIf(postgresMissing !== undefined)('two gateways', () => {
  const gateways: RunningGateway[] = [];
  beforeAll(async () => {
    const database = await migratedDatabase();
    const config = { limits: { userPerMinute: 10_000 }, storage: { database }, usage: { writeSeconds: 0.1 } };
    const one = await startGateway({ config });
    const { issuer, audience } = one.issuer;
    gateways.push(one, await startGateway({ config: { ...config, identity: { issuer, audience } } }));
  });
  afterAll(async () => {
    await Promise.all(gateways.map((each) => each.stop()));
  });

  test('the requests of both are added up, also after one is killed and returns with a new name', async () => {
    const [one, two] = gateways;
    if (one === undefined || two === undefined) throw new Error('two were started');
    const { apiKey } = await one.mint('alice');
    const call = (gateway: RunningGateway, id: number) =>
      gateway.rpc(apiKey, { jsonrpc: '2.0', id, method: 'eth_getBalance', params: ['0x1', 'latest'] });
    const reported = async (gateway: RunningGateway) => {
      const client = createFlowgate({ url: gateway.url, apiKey, fetch: checkedFetch, retry: false });
      const rows = await client.usage({ bucket: 'hour', by: 'method', network: 'ethereum/dev' });
      return rows.reduce((sum, { by, requests }) => sum + (by === 'eth_getBalance' ? requests : 0), 0);
    };
    const reaches = (count: number, at = one) =>
      until(`${count} are reported`, async () => (await reported(at)) === count);
    for (let id = 0; id < 6; id++) await call(id < 4 ? one : two, id);
    await Promise.all([reaches(6), reaches(6, two)]);
    expect([await reported(one), await reported(two)]).toEqual([6, 6]);
    await two.restart();
    for (let id = 0; id < 3; id++) await call(two, id);
    await Promise.all([reaches(9), reaches(9, two)]);
    expect([await reported(one), await reported(two)]).toEqual([9, 9]);
  });
});
