/** What the gateway asks of others, as OpenAPI 3.1 webhooks: of Flow Apps, and of the endpoints that subscriptions name (contract/events#webhooks). */

import type { Schema } from '../../api/json-schema.ts';
import type { Content, Parameter, WebhookOperation } from './openapi-document.ts';
import { ref } from './schema-parts.ts';

const appsTag = 'Flow Apps';
const deliveriesTag = 'Flow webhooks';

export const webhookTags: Readonly<Record<string, string>> = {
  [appsTag]: 'What the gateway asks of a published app, below the `baseUrl` of its version.',
  [deliveriesTag]: "What the gateway sends to a subscription's `targetUrl`.",
};

const signed = (idMeans: string): readonly Parameter[] => [
  parameter('webhook-id', idMeans, { type: 'string' }),
  parameter(
    'webhook-timestamp',
    'When this attempt was signed: Unix time in seconds. Refuse what is five minutes off.',
    {
      type: 'string',
      pattern: '^\\d+$',
    },
  ),
  parameter(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>`. Several are separated by a blank.',
    { type: 'string' },
  ),
];

/** `renderStep` and `health` are paths below `baseUrl`; an event goes to the very `targetUrl`. */
export function webhookOperations(
  schemas: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Readonly<Record<string, WebhookOperation>>>> {
  const content = (schema: string): Content => ({
    'application/json': {
      schema: ref(schema),
      examples: { example: { summary: 'Example', value: schemas[schema]?.examples?.[0] } },
    },
  });
  return {
    renderStep: {
      post: {
        'x-url': '{baseUrl}/renderStep',
        operationId: 'renderStep',
        summary: 'Render a step',
        description:
          'A reducer: the state and a submission go in, the next step, state, app data and events come out. Signed with the version’s secret, limited in time and size. A 5xx, 429, time-out or broken connection is tried once more and then told to the caller as retryable; act once for each `submission.idempotencyKey`.',
        tags: [appsTag],
        security: [],
        parameters: [
          ...signed('Unique for each request.'),
          parameter('X-Request-Id', "The caller's request, as the gateway logs it.", { type: 'string' }),
        ],
        requestBody: { required: true, content: content('RenderRequest') },
        responses: {
          '200': { description: 'What comes next.', headers: {}, content: content('RenderResponse') },
          '401': { description: 'The signature is missing, wrong or too old.', headers: {} },
        },
      },
    },
    health: {
      get: {
        'x-url': '{baseUrl}/health',
        operationId: 'health',
        summary: 'Is the app alive?',
        description:
          'Signed over an empty body. Asked when a version is published and every 30 seconds; after three misses new sessions are refused.',
        tags: [appsTag],
        security: [],
        parameters: signed('Unique for each request.'),
        responses: { '200': { description: 'Alive.', headers: {} } },
      },
    },
    event: {
      post: {
        'x-url': '{targetUrl}',
        operationId: 'event',
        summary: 'An event of a session',
        description:
          'At least once: act on each `webhook-id` once. Anything but 2xx is tried again with growing pauses for a day, not before what `Retry-After` asks; 410 disables the subscription.',
        tags: [deliveriesTag],
        security: [],
        parameters: signed("The event's `id`: the same on every delivery."),
        requestBody: { required: true, content: content('WebhookBody') },
        responses: {
          '204': { description: 'Taken. Any 2xx will do; the body is not read.', headers: {} },
          '410': { description: 'Nobody is here any more: disables the subscription.', headers: {} },
        },
      },
    },
  };
}

function parameter(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: true, description, schema };
}
