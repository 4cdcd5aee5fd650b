/**
 * Policies with two gateways on PostgreSQL: in force at once on the gateway that changes them, and on the other after a
 * message or a poll (contract/firewall#when-a-policy-is-in-force).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { postgresMissing } from '@flowgate/testing/postgres';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import { retryUnavailable } from '../../apps/gateway/test/fixtures/retry-unavailable.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

/** The contract's 5 s, plus time for a busy machine. */
const patienceMs = 15_000;

for (const withRedis of [true, false])
  describe.skipIf(postgresMissing !== undefined || (withRedis && redisMissing !== undefined))(
    withRedis ? 'with Redis' : 'without Redis',
    () => {
      let started: RunningGateway[] = [];
      let redis: TestRedis | undefined;
      let apiKey: string;

      beforeAll(async () => {
        const database = await migratedDatabase();
        redis = withRedis ? await startRedis() : undefined;
        const config = {
          limits: { userPerMinute: 1_000_000 },
          storage: { database, ...(redis === undefined ? {} : { redis: redis.url }) },
        };
        const one = await startGateway({ config });
        const { issuer, audience } = one.issuer;
        started = [one, await startGateway({ config: { ...config, identity: { issuer, audience } } })];
        ({ apiKey } = await one.mint('alice'));
      });
      afterAll(async () => {
        await Promise.all(started.map((each) => each.stop()));
        await redis?.stop();
      });

      const both = () => {
        const [one, two] = started;
        if (one === undefined || two === undefined) throw new Error('nothing was started');
        return { one, two };
      };
      const isDenied = async (gateway: RunningGateway) =>
        (await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status === 403;
      const change = async (gateway: RunningGateway, method: string, path: string, body?: object) => {
        const token = both().one.token(path.startsWith('/admin') ? 'root' : 'alice', { roles: ['admin'] });
        const request = {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        };
        // A change that is answered 503 is compensated (decisions/0064).
        const response = await retryUnavailable(() => gateway.fetch(path, request));
        expect(response.status).toBeLessThan(300);
        return method === 'DELETE' ? '' : String((await jsonBody(response))['policyId']);
      };

      const deny = { effect: 'deny', subjects: ['user:alice'], resource: { kind: 'network', id: '*' } };
      const follows = (gateway: RunningGateway, is: boolean) =>
        until(
          `the other gateway ${is ? 'denies' : 'allows'} it`,
          async () => (await isDenied(gateway)) === is,
          patienceMs,
        );

      test('a policy that is created or deleted on one gateway applies on the other', async () => {
        const { one, two } = both();
        const policyId = await change(one, 'POST', '/users/me/policies', deny);
        expect(await isDenied(one)).toBe(true);
        await follows(two, true);
        await change(one, 'DELETE', `/users/me/policies/${policyId}`);
        expect(await isDenied(one)).toBe(false);
        await follows(two, false);
      });

      // Without messages, each change would take a poll.
      if (withRedis)
        test.each(['/users/me/policies', '/admin/policies'])(
          '%s: a change on either gateway applies on both',
          async (path) => {
            const { one, two } = both();
            for (const [here, there] of [
              [one, two],
              [two, one],
            ] as const) {
              const policyId = await change(here, 'POST', path, deny);
              expect(await isDenied(here)).toBe(true);
              await follows(there, true);
              await change(there, 'PATCH', `${path}/${policyId}`, { methods: ['eth_call'] });
              expect(await isDenied(there)).toBe(false);
              await follows(here, false);
              await change(here, 'PATCH', `${path}/${policyId}`, { methods: null });
              expect(await isDenied(here)).toBe(true);
              await follows(there, true);
              await change(here, 'DELETE', `${path}/${policyId}`);
              await follows(there, false);
            }
          },
        );
    },
  );
