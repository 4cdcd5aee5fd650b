/** The OpenAPI 3.1 document, made from the route tables that the router is made from: neither can have a route that the other lacks. */

import { withoutTrailing } from '@flowgate/base/text';
import { jsonRpcError, standardError } from '../../api/error-wire.ts';
import { createComponents } from '../../api/json-schema.ts';
import type { OutgoingRoute } from '../../api/outgoing-route.ts';
import { problemDetails } from '../../api/problem-wire.ts';
import type { Route } from '../../api/route.ts';
import type { AgentRoute } from '../../mcp/mcp-routes.ts';
import { type RpcRoute, rpcBodies } from '../../rpc/rpc-routes.ts';
import { envelopeOf } from '../contexts/envelopes.ts';
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

/** The configured limits that callers can meet. */
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
  /** Where callers reach the gateway. */
  readonly publicUrl: string;
  readonly version: string;
  readonly limits: DocumentedLimits;
};

/** Yields after each operation: all of them take the event loop a tenth of a second. Throws when two bodies have the same name. */
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
      contact: { name: 'Who runs this gateway', url: base },
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
  Users: 'Who is calling.',
  Agents: 'Tools for AI agents, over the Model Context Protocol.',
  'API keys': 'Minting, listing and revoking keys. A signed-in person does this; API keys cannot manage keys.',
  'Flow registry': 'Flow Apps and their versions: register, publish, look up, retire.',
  'Flow sessions':
    'Walking through an app step by step; each submission is executed once, every change can be followed.',
  'Flow queries': 'App data of the caller, read without a step.',
  'Flow subscriptions': "Webhooks for events of the caller's own sessions.",
  ...webhookTags,
  Ledgers: 'Which ledgers, networks and providers this gateway serves.',
  Nodes: "Nodes that people register, and the operator's: who may call which, and how each is.",
  Contracts: 'Contracts that the operator names, and those that the caller deployed.',
  Wallets: "The caller's wallets, each proved by a signed message.",
  Usage: 'What the caller used, over time.',
  Stakes: "What the caller's wallets have staked and earned, and transactions that change it.",
  Bridges: 'Deposits, withdrawals and swaps: what became of them, and transactions to be signed.',
  Policies: 'Who may use which networks, nodes, contracts and apps.',
  Administration: 'For administrators: a token with the role `admin`.',
  Gateway: 'What the gateway announces to every caller.',
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
    'Every response has `X-Request-Id`; one that you send (1 to 128 of `A-Z a-z 0-9 . _ -`) is used. HEAD answers like GET, OPTIONS is the CORS preflight; JSON-RPC paths may be called from any origin, the others from configured ones. An unknown path is 404, with or without credentials.',
    'What is no valid HTTP/1.1 request is refused with 400, 408, 414, 417, 431, 501 or 505 at every path, in its kind of error, and the connection closes.',
  ].join('\n\n');
}
