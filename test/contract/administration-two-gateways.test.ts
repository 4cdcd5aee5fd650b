/**
 * Maintenance and limits of users on two gateways with one PostgreSQL: a change on one takes effect on the other
 * (contract/administration).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { postgresMissing } from '@flowgate/testing/postgres';
import { frame, opcodes, openRawWebSocket } from '@flowgate/testing/raw-web-socket';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

for (const withRedis of [true, false])
  describe.skipIf(postgresMissing !== undefined || (withRedis && redisMissing !== undefined))(
    withRedis ? 'with Redis' : 'without Redis, by polls',
    () => {
      let [one, two]: RunningGateway[] = [];
      let redis: TestRedis | undefined;

      beforeAll(async () => {
        const database = await migratedDatabase();
        redis = withRedis ? await startRedis() : undefined;
        const config = {
          limits: { userPerMinute: 10_000 },
          storage: { database, ...(redis === undefined ? {} : { redis: redis.url }) },
        };
        one = await startGateway({ config });
        const { issuer, audience } = one.issuer;
        two = await startGateway({ config: { ...config, identity: { issuer, audience } } });
      });
      afterAll(async () => {
        await Promise.all([one?.stop(), two?.stop()]);
        await redis?.stop();
      });

      function gateways() {
        if (one === undefined || two === undefined) throw new Error('nothing was started');
        const { token } = one;
        const as = (gateway: RunningGateway, sub: string, path: string, init: RequestInit = {}) =>
          gateway.fetch(path, {
            ...init,
            headers: {
              Authorization: `Bearer ${token(sub, sub === 'root' ? { roles: ['admin'] } : {})}`,
              'Content-Type': 'application/json',
            },
          });
        const put = async (path: string, body: unknown) => {
          const response = await as(here, 'root', path, { method: 'PUT', body: JSON.stringify(body) });
          expect(response.status).toBe(200);
        };
        const [here, there] = [one, two];
        return { here, there, as, put };
      }

      test('maintenance that one gateway begins and ends takes effect on the other', async () => {
        const { here, there, as, put } = gateways();
        const status = async (gateway: RunningGateway) => (await as(gateway, 'alice', '/flow/registry/apps')).status;
        for (const [active, expected] of [
          [true, 503],
          [false, 200],
        ] as const) {
          await put('/admin/maintenance', { active, surfaces: ['flow'] });
          expect(await status(here)).toBe(expected);
          // Without Redis, each change takes a poll of some seconds, so only the first one is tested.
          if (active || withRedis)
            await until(`the other gateway answers ${expected}`, async () => (await status(there)) === expected);
        }
      });

      test('a limit set on one gateway applies on the other, and to both together when they share counters', async () => {
        const { here, there, as, put } = gateways();
        const look = async (gateway: RunningGateway) => {
          const { status, headers } = await as(gateway, 'bob', '/users/me/id');
          return { status, limit: Number(headers.get('x-ratelimit-limit')) };
        };
        await put('/admin/users/bob/limits', { userPerMinute: 40 });
        expect(await look(here)).toEqual({ status: 200, limit: 40 });
        let looks = 1;
        let before = 0;
        await until('the other gateway reports the limit', async () => {
          const { limit } = await look(there);
          if (limit === 40) looks += 1;
          else before += 1;
          return limit === 40;
        });
        // Without shared counters each gateway counts its own.
        const counted = withRedis ? looks + before : looks - 1 + before;
        const more = await Promise.all(Array.from({ length: 60 }, () => look(there)));
        const room = Math.max(0, 40 - counted);
        expect(more.filter(({ status }) => status === 200)).toHaveLength(room);
        expect(more.every(({ limit }) => limit === 40)).toBe(true);
      });

      test('a key that one gateway revokes closes its WebSockets on both (contract/websocket#closing)', async () => {
        const { here, there, as } = gateways();
        const [ended, stays] = [await here.mint('socket'), await here.mint('socket')];
        const open = (gateway: RunningGateway, apiKey: string) => openRawWebSocket(gateway.port, `/rpc/${apiKey}`);
        const closing = [await open(here, ended.apiKey), await open(there, ended.apiKey)];
        const other = await open(there, stays.apiKey);
        await as(here, 'socket', `/users/me/api-keys/${ended.keyId}`, { method: 'DELETE' });
        for (const socket of closing) {
          expect(await socket.closing()).toStartWith('4001 ');
          socket.close();
        }
        other.send(frame(opcodes.text, '{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}'));
        expect(await other.nextText()).toBe('{"jsonrpc":"2.0","id":1,"result":[]}');
        other.close();
      });

      test('both gateways append to one audit log, which is valid', async () => {
        const { here, there, as } = gateways();
        const mint = (at: number) =>
          as(at % 2 === 0 ? here : there, `user ${at}`, '/users/me/api-keys', {
            method: 'POST',
            body: '{"label":"x"}',
          });
        const minted = await Promise.all(Array.from({ length: 16 }, (_, at) => mint(at)));
        expect(minted.map(({ status }) => status)).toEqual(minted.map(() => 201));
        const checked = await runFlowgate(['verify-audit', '--json', here.configFile], {
          FLOWGATE_PEPPER: 'pepper-for-tests-0123456789abcdefghijk',
        });
        expect([checked.code, JSON.parse(checked.stdout)]).toEqual([
          0,
          { sound: true, chains: expect.any(Number), entries: expect.any(Number) },
        ]);
        expect(JSON.parse(checked.stdout).entries).toBeGreaterThanOrEqual(19);
      });
    },
  );
