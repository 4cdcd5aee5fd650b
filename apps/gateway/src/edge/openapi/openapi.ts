/** The OpenAPI 3.1 document, built from the route tables that the router uses, so that both always have the same routes. */

import { withoutTrailing } from '@flowgate/base/text';
import { jsonRpcError, standardError } from '../../api/error-wire.ts';
import { createComponents } from '../../api/json-schema.ts';
import type { OutgoingRoute } from '../../api/outgoing-route.ts';
import { problemDetails } from '../../api/problem-wire.ts';
import type { Route } from '../../api/route.ts';
import type { AgentRoute } from '../../mcp/mcp-routes.ts';
import { type RpcRoute, rpcBodies } from '../../rpc/rpc-routes.ts';
import { envelopeOf } from '../contexts/failure-body.ts';
import { agentOperation } from './openapi-agents.ts';
import { type OpenApiDocument, type Operation, securitySchemes } from './openapi-document.ts';
import { headerComponents } from './openapi-headers.ts';
import {
  agentCommon,
  documentedPath,
  type OperationContext,
  routeOperation,
  rpcOperation,
} from './openapi-operation.ts';
import { webhookOperations, webhookTags } from './openapi-webhooks.ts';

/** The configured limits that callers can reach. */
export type DocumentedLimits = {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  readonly invalidPerMinute: number;
  readonly maxBatch: number;
  readonly maxBodyBytes: number;
};

export type OpenApiOptions = {
  readonly routes: readonly Route[];
  readonly rpcRoutes: readonly RpcRoute[];
  readonly agentRoute: AgentRoute;
  readonly outgoingRoutes: readonly OutgoingRoute[];
  /** The address at which callers reach the gateway. */
  readonly publicUrl: string;
  readonly version: string;
  readonly limits: DocumentedLimits;
};

/** Yields after each operation, because all of them take a tenth of a second. @throws when two bodies have the same name. */
export function* openApiDocument({
  routes,
  rpcRoutes,
  agentRoute,
  outgoingRoutes,
  publicUrl,
  version,
  limits,
}: OpenApiOptions): Generator<undefined, OpenApiDocument> {
  const base = withoutTrailing(publicUrl, '/');
  const components = createComponents();
  const context: OperationContext = { publicUrl: base, components };
  // The reference's table of errors shows the three envelopes.
  for (const body of [standardError, jsonRpcError, problemDetails]) components.ref(body, 'output');
  yield;
  const messages = rpcBodies(limits.maxBatch);
  const operations: { readonly path: string; readonly method: string; readonly operation: Operation }[] = [];
  for (const route of rpcRoutes) {
    const operation = rpcOperation(route, messages, context);
    operations.push({ path: documentedPath(route.path), method: 'post', operation });
    yield;
  }
  operations.push({
    path: agentRoute.path,
    method: 'post',
    operation: agentOperation(agentRoute, agentCommon, context),
  });
  for (const route of routes) {
    const operation = routeOperation(route, envelopeOf(route.path), context);
    operations.push({ path: documentedPath(route.path), method: route.method.toLowerCase(), operation });
    yield;
  }
  const paths = [...Map.groupBy(operations, ({ path }) => path)].map(
    ([path, at]): [string, Record<string, Operation>] => [
      path,
      Object.fromEntries(at.map(({ method, operation }) => [method, operation])),
    ],
  );
  const asked = webhookOperations(outgoingRoutes, components);
  const webhooks = Object.values(asked).flatMap((at) => Object.values(at).map((operation) => ({ operation })));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Flowgate',
      version,
      description: introduction(limits),
      contact: { name: 'The operator of this gateway', url: base },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base }],
    tags: tagsOf([...operations, ...webhooks].flatMap(({ operation }) => operation.tags)),
    paths: Object.fromEntries(paths),
    webhooks: asked,
    components: { schemas: components.schemas, headers: headerComponents, securitySchemes },
  };
}

const tagDescriptions: Readonly<Record<string, string>> = {
  'JSON-RPC': 'Calls to blockchain networks and nodes, with an API key in a header or in the path.',
  Users: 'The authenticated caller.',
  Agents: 'Tools for AI agents, over the Model Context Protocol.',
  'API keys': 'Mint, list and revoke keys. This requires an access token; API keys cannot manage keys.',
  'Flow registry': 'Flow Apps and their versions: register, publish, look up, retire.',
  'Flow sessions': 'Walk through an app step by step. Each submission is executed once, and every change is an event.',
  'Flow queries': 'Read data of the caller from an app, without a step.',
  'Flow subscriptions': "Webhooks for events of the caller's own sessions.",
  ...webhookTags,
  Ledgers: 'The ledgers, networks and providers of this gateway.',
  Nodes: 'Nodes of users and of the operator: who may call them, and their health.',
  Contracts: 'Contracts that the operator configures, and contracts that the caller deployed.',
  Wallets: "The caller's wallets, each proved by a signed message.",
  Usage: "The caller's usage over time.",
  Stakes: "Stakes and rewards of the caller's wallets, and unsigned transactions that change them.",
  Bridges: 'Deposits, withdrawals and swaps: their status, and unsigned transactions.',
  Policies: 'Rules for the use of networks, nodes, contracts and apps.',
  Administration: 'For administrators: a token with the role `admin`.',
  Gateway: 'Announcements to every caller.',
  Operation: 'Health, readiness, the console, and this document.',
};

function tagsOf(names: readonly string[]): OpenApiDocument['tags'] {
  return [...new Set(names)].map((name) => ({ name, description: tagDescriptions[name] ?? '' }));
}

function introduction(limits: DocumentedLimits): string {
  const count = (value: number) => value.toLocaleString('en-US');
  return [
    'A gateway in front of blockchains: JSON-RPC, REST and Flow Apps.',
    `A user may make ${count(limits.userPerMinute)} requests in any 60 seconds (each message of a batch counts), and ${count(limits.sessionPerMinute)} to one Flow session; one user's keys and tokens share the limit. An address that sent ${count(limits.invalidPerMinute)} invalid credentials in 60 seconds gets 429 for further ones.`,
    `A JSON-RPC batch has at most ${count(limits.maxBatch)} messages, a request body at most ${count(limits.maxBodyBytes)} bytes.`,
    'Every response has `X-Request-Id`. The gateway uses the one that you send (1 to 128 of `A-Z a-z 0-9 . _ -`). HEAD answers like GET, OPTIONS is the CORS preflight; JSON-RPC paths may be called from any origin, the others from configured ones. An unknown path is 404, with or without credentials.',
    'Bytes that are not a valid HTTP/1.1 request are refused with 400, 408, 414, 417, 431, 501 or 505 at every path, with the error envelope of the path, and the connection closes.',
  ].join('\n\n');
}
