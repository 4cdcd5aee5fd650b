/** Opens the HTTP edge: every module's routes behind one authenticator and one limiter, and the description of all routes. */

import { createOriginMatcher } from '@flowgate/http1/origin-pattern';
import { createAddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';
import type { Maintenance } from '../api/maintenance.ts';
import type { Route } from '../api/route.ts';
import type { Config } from '../config/config.ts';
import type { AccessControl } from '../edge/contexts/access-control.ts';
import { createAnswerFailure } from '../edge/contexts/answer-failure.ts';
import { createLargeAnswers } from '../edge/contexts/large-answers.ts';
import { createOpenStreams } from '../edge/contexts/open-streams.ts';
import { createEdge } from '../edge/edge.ts';
import { openApiDocument } from '../edge/openapi/openapi.ts';
import { referenceRoutes } from '../edge/openapi/reference/reference-routes.ts';
import { healthRoutes, type ReadinessChecks } from '../edge/pages/health-routes.ts';
import { landingRoutes } from '../edge/pages/landing-routes.ts';
import { protectedResourceRoutes } from '../edge/pages/protected-resource-routes.ts';
import { appRoutes } from '../flow/apps/app-routes.ts';
import { deliveryRoutes } from '../flow/events/delivery-routes.ts';
import { agentRoute } from '../mcp/mcp-routes.ts';
import { createBatchSplitter } from '../rpc/engine/split-batch.ts';
import { rpcRoutes } from '../rpc/rpc-routes.ts';
import type { Listener } from './listener.ts';
import type { Access } from './open-access.ts';
import type { Agents } from './open-agents.ts';
import { openBodies, unchargedDecoding } from './open-bodies.ts';
import { openConsole } from './open-console.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Rpc } from './open-rpc.ts';
import type { Sharing } from './open-sharing.ts';
import type { Storage } from './open-storage.ts';
import { openWebSockets } from './open-web-sockets.ts';
import type { Runtime } from './runtime.ts';

type Modules = {
  readonly storage: Storage;
  readonly sharing: Sharing;
  readonly ledgers: Ledgers;
  readonly access: Access;
  readonly listener: Listener;
  readonly rpc: Rpc;
  readonly agents: Agents;
  readonly maintenance: Maintenance;
  /** The routes of all modules. */
  readonly routes: readonly Route[];
};

export type Edge = {
  /** Whether this process can serve now. Never rejects. */
  readonly ready: () => Promise<boolean>;
  readonly hooks: ModuleHooks;
};

/** The edge answers requests once it is started. */
export function openEdge(config: Config, runtime: Runtime, modules: Modules): Edge {
  const { clock, timerWheel, log } = runtime;
  const { ledgers, access, listener, agents } = modules;
  const { server } = listener;
  const control: AccessControl = {
    authenticator: access.authenticator,
    limiter: modules.sharing.limiter,
    unchargedDecoding: unchargedDecoding(config, clock),
    clock,
  };
  const writeTimeoutMs = config.server.writeTimeoutSeconds * 1000;
  const streams = createOpenStreams({ ...control, stalledAfterMs: writeTimeoutMs });
  const largeAnswers = createLargeAnswers(ledgers.answerBudget);
  const cors = { allows: createOriginMatcher(config.server.cors.origins) };
  const ownOrigin = new URL(listener.url).origin;
  const checks: ReadinessChecks = {
    database: modules.storage.answers,
    identityProvider: access.hasIssuerKeys,
    accepting: server.accepting,
    unreadyWorkers: runtime.worker?.unreadyOthers ?? (async () => []),
  };
  const { bodyBudget, ...bodies } = openBodies(config, { timerWheel, clock });
  const webSockets = openWebSockets(config, runtime, { access, rpc: modules.rpc, bodyBudget, largeAnswers });
  const edge = createEdge({
    routes: allRoutes(config, runtime, modules, checks),
    rpcRoutes,
    agentRoute,
    services: {
      ...control,
      ...bodies,
      accepting: server.accepting,
      maintenance: modules.maintenance,
      targets: modules.rpc.targets,
      guards: modules.rpc.guards,
      maxBatch: config.limits.maxBatch,
      slices: runtime.timeSlices,
      streams,
      webSockets: webSockets.open,
      subscriptions: modules.rpc.subscriptions,
      splitSubscriptions: ({ reads }) =>
        createBatchSplitter({
          clock,
          budget: ledgers.answerBudget,
          timeoutMs: config.outbound.nodeTimeoutSeconds * 1000,
          reads,
        }),
      handler: agents.handler,
      allowsOrigin: (origin) => cors.allows(origin) || origin === ownOrigin,
      failed: createAnswerFailure(log),
    },
    notes: server,
    contexts: {
      ...{ cors, clock, largeAnswers },
      trustedProxies: createAddressRanges(config.server.trustedProxies),
    },
  });
  return {
    ready: async () => server.accepting() && (await checks.database()) && (await checks.identityProvider()),
    hooks: moduleHooks({
      start: () => server.serve(edge),
      async drain(handsOver) {
        // Streams end when the drain begins: their clients reconnect to another gateway.
        if (handsOver) streams.endAll();
        else streams.close();
        await webSockets.drain();
        // The server counts the calls that are cut off.
        return 0;
      },
      close: webSockets.close,
    }),
  };
}

/** The routes of all modules, and those that describe the gateway itself. */
function allRoutes(
  config: Config,
  { version, timeSlices }: Runtime,
  { listener, routes }: Modules,
  checks: ReadinessChecks,
): readonly Route[] {
  const { identity, limits } = config;
  const publicUrl = listener.url;
  const console = openConsole(config, { publicUrl, version });
  const described = [
    ...healthRoutes(checks),
    ...routes,
    ...protectedResourceRoutes({ publicUrl, issuer: identity.issuer, commandLine: identity.commandLine }),
    ...console.routes,
    ...landingRoutes({ publicUrl, issuer: identity.issuer, version, hasConsole: console.isThere }),
  ];
  const reference = referenceRoutes(
    (own) =>
      openApiDocument({
        routes: [...described, ...own],
        rpcRoutes,
        agentRoute,
        outgoingRoutes: [...appRoutes, ...deliveryRoutes],
        publicUrl,
        version,
        limits,
      }),
    timeSlices,
  );
  return [...described, ...reference];
}
