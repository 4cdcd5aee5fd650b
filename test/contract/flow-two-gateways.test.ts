/**
 * Events and deliveries with two gateways on PostgreSQL: clients of one see what the other commits, and each delivery
 * is made once.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { FlowEventPage } from '@flowgate/client/flow-wire';
import { postgresMissing } from '@flowgate/testing/postgres';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { openEventStream } from '../../apps/gateway/test/fixtures/event-stream.ts';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../apps/gateway/test/fixtures/webhook-receiver.ts';

for (const withRedis of [true, false])
  describe.skipIf(postgresMissing !== undefined || (withRedis && redisMissing !== undefined))(
    withRedis ? 'with Redis' : 'without Redis',
    () => {
      let [one, two]: RunningGateway[] = [];
      let app: FlowAppFixture;
      let redis: TestRedis | undefined;
      let receiver: WebhookReceiver;

      beforeAll(async () => {
        const database = await migratedDatabase();
        redis = withRedis ? await startRedis() : undefined;
        app = startFlowApp();
        receiver = startWebhookReceiver();
        const config = {
          ...reachesLoopback,
          limits: { userPerMinute: 100_000, sessionPerMinute: 100_000 },
          storage: { database, ...(redis === undefined ? {} : { redis: redis.url }) },
        };
        one = await startGateway({ config });
        const { issuer, audience } = one.issuer;
        two = await startGateway({ config: { ...config, identity: { issuer, audience } } });
        await publishFlowApp(one, app);
      });
      afterAll(async () => {
        await Promise.all([one?.stop(), two?.stop()]);
        await Promise.all([app.stop(), receiver.stop(), redis?.stop()]);
      });

      /** Both gateways accept tokens of the first one's issuer. */
      const clients = () => {
        if (one === undefined || two === undefined) throw new Error('nothing was started');
        const { fetch: fetchTwo, url } = two;
        return { here: flowClient(one), there: flowClient({ fetch: fetchTwo, token: one.token }), url };
      };

      test('a stream on one gateway has every event of steps that another gateway ran, once and in order', async () => {
        const { here, url } = clients();
        let session = await here.start();
        const stream = await openEventStream(`${url}/flow/sessions/${session.sessionId}/events`, here.headers);
        await stream.received(1);
        for (let step = 0; step < 5; step++) {
          const before = stream.events.length;
          session = await here.add(session);
          // Each event reaches the stream while it is open, not only at its end.
          await stream.received(before + 1);
        }
        await here.finish(session);
        await stream.ended;
        const response = await here.get(`/flow/sessions/${session.sessionId}/events?limit=100`);
        expect(stream.events.map(({ event }) => event)).toEqual([...((await response.json()) as FlowEventPage).data]);
      });

      test('a hundred copies of a start on two gateways make one session and call the app once (contract/flow-apps)', async () => {
        const { here, there } = clients();
        const before = app.requests.length;
        const ask = (at: number) =>
          (at % 2 === 0 ? here : there).post(
            '/flow/sessions',
            { appId: 'acme/counter' },
            { 'Idempotency-Key': 'one of a hundred' },
          );
        const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(at)));
        const bodies = new Set<string>();
        for (const answer of answers)
          if (answer.status === 201) bodies.add(await answer.text());
          else expect(await answer.json()).toMatchObject({ status: 409, retryable: true });
        expect(bodies.size).toBe(1);
        expect(app.requests.slice(before).filter(({ reason }) => reason === 'start')).toHaveLength(1);
        for (const at of [0, 1]) {
          const again = await ask(at);
          expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
          expect(bodies).toContain(await again.text());
        }
      });

      test('each event is delivered once to each endpoint, one at a time, while both gateways run steps', async () => {
        const { here, there } = clients();
        let [open, max] = [0, 0];
        receiver.answer(async () => {
          open += 1;
          max = Math.max(max, open);
          // Real time: a moment in which a second delivery could begin.
          await Bun.sleep(1);
          open -= 1;
          return new Response();
        });
        const subscribed = await here.post('/flow/apps/acme/counter/subscriptions', {
          eventType: 'counted',
          targetUrl: receiver.url,
        });
        expect(subscribed.status).toBe(201);
        const walk = async (client: typeof here) => {
          let session = await client.start();
          for (let step = 0; step < 10; step++) session = await client.add(session);
        };
        await Promise.all([walk(here), walk(there), walk(here), walk(there)]);
        await receiver.received(40);
        // A second copy of a delivery would be in flight while a later one starts and ends.
        await walk(there);
        const ids = (await receiver.received(50)).map(({ headers }) => headers['webhook-id']);
        expect(new Set(ids).size).toBe(50);
        expect(ids).toHaveLength(50);
        expect(max).toBe(1);
      });
    },
  );
