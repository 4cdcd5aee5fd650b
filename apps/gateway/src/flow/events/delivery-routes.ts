/** The requests of the gateway to the endpoints of subscriptions (contract/events#webhooks). */

import type { OutgoingRoute } from '../../api/outgoing-route.ts';
import { webhookBody } from './event-wire.ts';

export const deliveryRoutes: readonly OutgoingRoute[] = [
  {
    name: 'event',
    method: 'POST',
    url: '{targetUrl}',
    summary: 'An event of a session',
    description:
      'Delivered at least once: act on each `webhook-id` once. Any status other than 2xx is retried with growing pauses for a day, not before the time of `Retry-After`. Status 410 disables the subscription.',
    tag: 'Flow webhooks',
    idMeans: "The event's `id`: the same on every delivery.",
    headers: [],
    body: webhookBody,
    responses: [
      { status: 204, description: 'Accepted. Any 2xx status is accepted; the body is not read.' },
      { status: 410, description: 'The endpoint no longer exists: disables the subscription.' },
    ],
  },
];
