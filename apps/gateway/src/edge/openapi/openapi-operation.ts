/** One route as an OpenAPI operation: its own description, and what the edge adds to every route of its kind. */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { Components, Direction } from '../../api/json-schema.ts';
import type { RefusalReason } from '../../api/refusal.ts';
import { type AccessLevel, type Route, type RouteHeaderDoc, takesBody } from '../../api/route.ts';
import { type RpcRoute, type rpcBodies, rpcRefusals } from '../../rpc/rpc-routes.ts';
import type { Envelope } from '../contexts/envelope.ts';
import { traceFlag } from '../pages/edge-wire.ts';
import type { Content, HeaderRef, Operation, Response, securitySchemes } from './openapi-document.ts';
import { curl, headerParametersOf, parametersOf, queryOf, shownPath } from './openapi-parameters.ts';
import {
  alwaysHeaders,
  headerRefs,
  limitHeaders,
  refusalExample,
  refusalResponses,
  traceHeaders,
} from './openapi-refusals.ts';

export type OperationContext = {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly components: Components;
};

/** The credentials that the access level permits, as OpenAPI security. */
const security: Readonly<
  Record<AccessLevel, readonly Partial<Record<keyof typeof securitySchemes, readonly string[]>>[]>
> = {
  public: [],
  caller: [{ accessToken: [] }, { apiKey: [] }, { apiKeyAsBearer: [] }],
  token: [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
};

const bodyRefusals: readonly RefusalReason[] = [
  'bad-request',
  'request-timeout',
  'too-large',
  'unsupported-media-type',
];
const everyRefusal: readonly RefusalReason[] = ['method-not-allowed', 'internal'];
const callerRefusals: readonly RefusalReason[] = [
  'credential-missing',
  'credential-invalid',
  'credential-unverifiable',
  'rate-limited',
  'unavailable',
];

/** What the edge adds to the agents' path: any authenticated caller, and a body. */
export const agentCommon = {
  security: security.caller,
  reasons: [...everyRefusal, ...callerRefusals, ...bodyRefusals],
};

export function routeOperation(route: Route, envelope: Envelope, context: OperationContext): Operation {
  const { doc, accessLevel, method } = route;
  const path = documentedPath(route.path);
  const reasons = [
    ...doc.refusals,
    ...everyRefusal,
    ...(accessLevel === 'public' ? [] : callerRefusals),
    ...(accessLevel === 'token' || accessLevel === 'admin' ? (['not-permitted'] as const) : []),
    ...(takesBody(method) ? bodyRefusals : []),
  ];
  const headers = accessLevel === 'public' ? alwaysHeaders : { ...alwaysHeaders, ...limitHeaders };
  const body =
    doc.body === undefined
      ? {}
      : {
          requestBody: {
            required: doc.bodyIsOptional !== true,
            content: contentOf(doc.body, 'input', context),
          },
        };
  return {
    operationId: operationId(method, path),
    summary: doc.summary,
    description: doc.description,
    tags: [doc.tag],
    ...(doc.deprecated && { deprecated: doc.deprecated }),
    security: security[accessLevel],
    parameters: [...parametersOf(path, doc.path), ...queryOf(route), ...headerParametersOf(doc.headers)],
    ...body,
    responses: {
      ...Object.fromEntries(
        doc.responses.map((answer) => [String(answer.status), responseOf(answer, headers, context)]),
      ),
      ...refusalResponses(
        {
          envelope,
          reasons,
          path: shownPath(path, doc.path),
          limited: accessLevel !== 'public',
          ...(doc.refusalHeaders === undefined ? {} : { further: doc.refusalHeaders }),
        },
        context.components,
      ),
    },
    'x-codeSamples': [curl(route, path, doc.path, exampleOf(doc.body, 'input', context), context.publicUrl)],
  };
}

const traceParameter: RouteHeaderDoc = {
  name: 'X-Flowgate-Trace',
  description: '`1`: the response names the node that answered and the number of nodes that were called.',
  required: false,
  schema: () => traceFlag,
};

/** JSON-RPC calls, single or in a batch; both forms of the answer. */
export function rpcOperation(
  route: RpcRoute,
  bodies: ReturnType<typeof rpcBodies>,
  context: OperationContext,
): Operation {
  const path = documentedPath(route.path);
  const { components } = context;
  const inHeader = [{ apiKey: [] }, { apiKeyAsBearer: [] }];
  const call = exampleOf(bodies.request, 'input', context);
  const element = refusalExample('rpc', 'unanswered', path).value;
  return {
    operationId: operationId('POST', path),
    summary: route.summary,
    description:
      'One JSON-RPC 2.0 request or a batch; networks of the family `bitcoin` also take JSON-RPC 1.0, and answer in the version of the request. Administrative, wallet and mining methods are never forwarded. `id` and `result` are returned byte for byte.\n\nA `GET` of the same path with `Connection: Upgrade`, `Upgrade: websocket` and `Sec-WebSocket-Version: 13` (RFC 6455) opens a WebSocket: it is refused like a call, or answered 101. Each text message has the form of the body here, and every refusal of a message is a JSON-RPC error. `eth_subscribe` and `eth_unsubscribe` work on WebSockets only. The connection closes with 4001 when its key is no longer valid, with 4008 when its caller does not read, and with 1012 when the gateway restarts: connect again.',
    tags: ['JSON-RPC'],
    security: route.keyInPath ? [] : inHeader,
    parameters: [...parametersOf(path, route.parameters), ...headerParametersOf([traceParameter])],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            oneOf: [bodies.request, bodies.request1, bodies.requests].map((body) => components.ref(body, 'input')),
          },
          examples: {
            call: { summary: 'One call', value: call },
            batch: { summary: 'A batch', value: [call, { jsonrpc: '2.0', id: 2, method: 'eth_chainId' }] },
          },
        },
      },
    },
    responses: {
      '200': {
        description:
          "The node's answer, or a batch's answers in order, with errors for its blocked and invalid elements.",
        headers: { ...alwaysHeaders, ...limitHeaders, ...traceHeaders },
        content: {
          'application/json': {
            schema: {
              oneOf: [bodies.response, bodies.response1, bodies.responses].map((body) =>
                components.ref(body, 'output'),
              ),
            },
            examples: {
              result: { summary: 'A result', value: exampleOf(bodies.response, 'output', context) },
              batch: {
                summary: 'A batch in which one message failed',
                value: [{ jsonrpc: '2.0', id: 2, result: '0x7a69' }, element],
              },
            },
          },
        },
      },
      '204': {
        description: 'The body contained only notifications.',
        headers: { ...alwaysHeaders, ...limitHeaders, ...traceHeaders },
      },
      ...refusalResponses(
        {
          envelope: 'rpc',
          reasons: [...rpcRefusals, ...bodyRefusals, ...everyRefusal],
          path: shownPath(path, route.parameters),
          limited: true,
        },
        components,
      ),
    },
    'x-codeSamples': [
      curl(
        { method: 'POST', accessLevel: route.keyInPath ? 'public' : 'caller' },
        path,
        route.parameters,
        call,
        context.publicUrl,
      ),
    ],
  };
}

/**
 * OpenAPI has no parameter that may be empty or spans two segments: `{apiKey?}` is written `{apiKey}`, and `{appId/2}`, whose slash may be sent as `%2F`, is
 * written `{appId}`.
 */
export function documentedPath(pattern: string): string {
  return pattern.replaceAll(/(?:\?|\/2|\*)\}/g, '}');
}

function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function responseOf(
  answer: Route['doc']['responses'][number],
  headers: Readonly<Record<string, HeaderRef>>,
  context: OperationContext,
): Response {
  return {
    description: answer.description,
    // Everything that is created has an address (contract/keys, contract/flow-apps).
    headers: { ...headers, ...headerRefs([...(answer.status === 201 ? ['Location'] : []), ...(answer.headers ?? [])]) },
    ...(answer.schema === undefined
      ? {}
      : {
          content: Object.fromEntries([
            ...[answer.schema, ...(answer.alternatives ?? [])].flatMap((body) =>
              Object.entries(contentOf(body, 'output', context)),
            ),
            ...(answer.streams === true ? Object.entries(streamContent) : []),
          ]),
        }),
  };
}

/** Server-Sent Events (WHATWG HTML 9.2). */
const streamContent: Content = {
  'text/event-stream': {
    schema: { type: 'string' },
    examples: {
      event: { summary: 'An event', value: 'id: 2\nevent: step_submitted\ndata: {"id":"evt_…","sequence":2,…}\n\n' },
    },
  },
};

function contentOf(body: BodySchema, direction: Direction, { components }: OperationContext): Content {
  const { contentMediaType = 'application/json', examples } = components.describe(body, direction);
  const example = examples?.[0];
  return {
    [contentMediaType]: {
      schema: components.ref(body, direction),
      ...(example === undefined ? {} : { examples: { example: { summary: 'Example', value: example } } }),
    },
  };
}

function exampleOf(body: BodySchema | undefined, direction: Direction, { components }: OperationContext): unknown {
  return body === undefined ? undefined : components.describe(body, direction).examples?.[0];
}
