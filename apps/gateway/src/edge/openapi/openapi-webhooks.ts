/** The requests that the gateway sends, as OpenAPI 3.1 webhooks: signed as Standard Webhooks (contract/events#webhooks). */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { Components, Direction, Schema } from '../../api/json-schema.ts';
import type { OutgoingRoute } from '../../api/outgoing-route.ts';
import type { Content, Parameter, WebhookOperation } from './openapi-document.ts';
import { headerParametersOf } from './openapi-parameters.ts';

export const webhookTags: Readonly<Record<string, string>> = {
  'Flow Apps': 'Requests that the gateway sends to a published app, below the `baseUrl` of its version.',
  'Flow webhooks': "Requests that the gateway sends to a subscription's `targetUrl`.",
};

const signed = (idMeans: string): readonly Parameter[] => [
  parameter('webhook-id', idMeans, { type: 'string' }),
  parameter(
    'webhook-timestamp',
    'When this attempt was signed: Unix time in seconds. Refuse a request that is off by more than five minutes.',
    {
      type: 'string',
      pattern: '^\\d+$',
    },
  ),
  parameter(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>`. Several signatures are separated by a space.',
    { type: 'string' },
  ),
];

/** By name, then by method in lower case. */
export function webhookOperations(
  routes: readonly OutgoingRoute[],
  components: Components,
): Readonly<Record<string, Readonly<Record<string, WebhookOperation>>>> {
  return Object.fromEntries(
    routes.map((route) => [route.name, { [route.method.toLowerCase()]: webhookOperation(route, components) }]),
  );
}

function webhookOperation(
  { name, url, summary, description, tag, idMeans, headers, body, responses }: OutgoingRoute,
  components: Components,
): WebhookOperation {
  const content = (of: BodySchema, direction: Direction): Content => ({
    'application/json': {
      schema: components.ref(of, direction),
      examples: {
        example: { summary: 'Example', value: components.describe(of, direction).examples?.[0] },
      },
    },
  });
  return {
    'x-url': url,
    operationId: name,
    summary,
    description,
    tags: [tag],
    security: [],
    parameters: [...signed(idMeans), ...headerParametersOf(headers)],
    // From the point of view of the receiver: the gateway's output is the receiver's input.
    ...(body === undefined ? {} : { requestBody: { required: true as const, content: content(body, 'output') } }),
    responses: Object.fromEntries(
      responses.map(({ status, description: means, schema }) => [
        String(status),
        {
          description: means,
          headers: {},
          ...(schema === undefined ? {} : { content: content(schema, 'input') }),
        },
      ]),
    ),
  };
}

function parameter(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: true, description, schema };
}
