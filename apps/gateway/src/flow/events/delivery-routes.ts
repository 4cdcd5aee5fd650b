/** What the gateway asks of the endpoints that subscriptions name (contract/events#webhooks). */

import type { OutgoingRoute } from '../../api/outgoing-route.ts';
import { webhookBody } from './event-wire.ts';

export const deliveryRoutes: readonly OutgoingRoute[] = [
  {
    name: 'event',
    method: 'POST',
    url: '{targetUrl}',
    summary: 'An event of a session',
    description:
      'At least once: act on each `webhook-id` once. Anything but 2xx is tried again with growing pauses for a day, not before what `Retry-After` asks; 410 disables the subscription.',
    tag: 'Flow webhooks',
    idMeans: "The event's `id`: the same on every delivery.",
    headers: [],
    body: webhookBody,
    responses: [
      { status: 204, description: 'Taken. Any 2xx will do; the body is not read.' },
      { status: 410, description: 'No one is here any more: disables the subscription.' },
    ],
  },
];
