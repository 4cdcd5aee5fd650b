/**
 * Webhook endpoints, one path for each subscription, that record every delivery from its arrival to its end and verify
 * it with the reference library.
 */

import type { WebhookBody } from '@flowgate/client/flow-wire';
import { Webhook } from 'standardwebhooks';
import type { Delivery, FlowRecorder } from './flow-history.ts';
import type { FlowRecordedClient } from './flow-recorded-client.ts';
import type { Target } from './recorded-client.ts';

export type RecordedReceiver = {
  /** Subscribes a new endpoint to the user's events of this type. */
  readonly subscribe: (client: FlowRecordedClient, target: Target, userId: string, eventType: string) => Promise<void>;
  /** The number of requests whose signature was missing or wrong. */
  readonly unsigned: () => number;
  /** Sets whether a delivery is refused, until the next call. */
  readonly refuse: (refuses: (delivery: Delivery) => boolean) => void;
  readonly inFlight: () => number;
  readonly stop: () => Promise<void>;
};

/**
 * Long enough that two concurrent deliveries would overlap, and that a killed gateway is often in the middle of one.
 */
const takesMs = 40;

export function startRecordedReceiver(recorder: FlowRecorder): RecordedReceiver {
  const secrets = new Map<string, Webhook>();
  let unsigned = 0;
  let inFlight = 0;
  let refuses: (delivery: Delivery) => boolean = () => false;

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const endpoint = new URL(request.url).pathname;
      const text = await request.text();
      const headers = Object.fromEntries(request.headers);
      try {
        secrets.get(endpoint)?.verify(text, headers);
      } catch {
        unsigned += 1;
        return new Response(null, { status: 401 });
      }
      const webhookId = headers['webhook-id'] ?? '';
      const body = JSON.parse(text) as WebhookBody;
      const startMs = recorder.now();
      const delivery: Delivery = { endpoint, webhookId, text, body, startMs, endMs: Infinity, accepted: false };
      recorder.add('deliveries', delivery);
      const end = () => {
        delivery.endMs = Math.min(delivery.endMs, recorder.now());
      };
      request.signal.addEventListener('abort', end, { once: true });
      inFlight += 1;
      const refused = refuses(delivery);
      // Real time: the duration of a delivery at the endpoint.
      await Bun.sleep(takesMs);
      inFlight -= 1;
      delivery.accepted = !refused;
      end();
      return new Response(null, { status: refused ? 500 : 204 });
    },
  });

  let endpoints = 0;
  return {
    async subscribe(client, target, userId, eventType) {
      endpoints += 1;
      const endpoint = `/${endpoints}/${userId}/${eventType}`;
      const targetUrl = `http://127.0.0.1:${server.port}${endpoint}`;
      const { secret } = await client.subscribe(target, userId, eventType, targetUrl);
      if (secret === undefined) throw new Error('a subscription without its secret');
      secrets.set(endpoint, new Webhook(secret));
      recorder.add('subscriptions', { endpoint, userId, eventType });
    },
    unsigned: () => unsigned,
    refuse(next) {
      refuses = next;
    },
    inFlight: () => inFlight,
    stop: () => server.stop(true),
  };
}
