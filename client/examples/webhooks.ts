/**
 * An endpoint for webhooks: subscribes, receives a session's end once, and refuses requests that the gateway did not sign. `bun client/examples/webhooks.ts`,
 * see README.md.
 */

import { createServer } from 'node:http';
import { createFlowgate } from '@flowgate/client';
import { verifyWebhook, WebhookError } from '@flowgate/client/webhooks';
import { readSettings } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const { flow } = createFlowgate({ url, apiKey });
const appId = 'flowgate/token-transfer';
const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

/** In production: a database table, so that a restart loses nothing. */
const seen = new Set<string>();
const ended = Promise.withResolvers<string>();

const endpoint = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', async () => {
    try {
      // The raw bytes, before any parser changes them.
      const event = await verifyWebhook({ headers: request.headers, body: Buffer.concat(pieces) }, { secret });
      // Deliveries arrive at least once: act on each event once.
      if (!seen.has(event.id)) console.log(`received: ${event.type} of ${event.data.appId}`);
      seen.add(event.id);
      response.writeHead(204).end();
      ended.resolve(String(event.data.sessionId));
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      console.log(`[refused] ${error.problem}: ${error.message}`);
      response.writeHead(400).end();
    }
  });
});
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
const address = endpoint.address();
const targetUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hooks`;

const { subscriptionId } = await flow.subscriptions.create(appId, {
  eventType: 'session_cancelled',
  targetUrl,
  secret,
});
try {
  const { sessionId } = await flow.sessions.start({ appId });
  await flow.sessions.cancel(sessionId);
  console.log(`the session that was cancelled: ${(await ended.promise) === sessionId}`);
  const forged = await fetch(targetUrl, {
    method: 'POST',
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
    body: '{}',
  });
  console.log(`a forged delivery is answered ${forged.status}`);
} finally {
  await flow.subscriptions.remove(appId, subscriptionId);
  endpoint.close();
  endpoint.closeAllConnections();
}
