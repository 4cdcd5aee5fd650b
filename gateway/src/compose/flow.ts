/** The part of the composition root that builds everything about Flow Apps. */

import { toolNames } from '../agents/tool-names.ts';
import type { Route } from '../api/route.ts';
import type { Config } from '../config/config.ts';
import { createEmbeddedApps, type LoadedApp } from '../flow/apps/embedded-app.ts';
import { createOpenFlowApp, type OpenFlowApp } from '../flow/apps/flow-app.ts';
import { loadEmbeddedApps, registerEmbeddedApps } from '../flow/apps/load-embedded-apps.ts';
import { createRemoteApps } from '../flow/apps/remote-app.ts';
import { createContentFilter } from '../flow/content-filter/content-filter.ts';
import { createWebhookDelivery, type WebhookDelivery } from '../flow/events/deliver-webhooks.ts';
import { eventRoutes } from '../flow/events/event-routes.ts';
import { webhookQueue } from '../flow/events/event-store.ts';
import { createPostWebhook } from '../flow/events/post-webhook.ts';
import { createSessionWatch, type SessionWatch } from '../flow/events/session-watch.ts';
import { subscriptionRoutes } from '../flow/events/subscription-routes.ts';
import { createLedgerAccess } from '../flow/payments/ledger-access.ts';
import { createPaymentGate } from '../flow/payments/payment.ts';
import { openFacilitator } from '../flow/payments/payment-facilitator.ts';
import type { PaymentGate } from '../flow/payments/payment-gate.ts';
import type { AskHealth } from '../flow/registry/app-health.ts';
import { registryRoutes } from '../flow/registry/registry-routes.ts';
import type { RegistryStore } from '../flow/registry/registry-store.ts';
import { signingSecretContext } from '../flow/registry/version.ts';
import { createKnownSecrets } from '../flow/secrets/known-secrets.ts';
import { createMarkKeys } from '../flow/secrets/secret-mark.ts';
import { createFindFollowedSession } from '../flow/sessions/find-followed-session.ts';
import { maxAppDataBytes, maxAppDataNames } from '../flow/sessions/kept-bounds.ts';
import { queryRoutes } from '../flow/sessions/query-routes.ts';
import type { SessionParts } from '../flow/sessions/session-parts.ts';
import { sessionRoutes } from '../flow/sessions/session-routes.ts';
import { createFilterKeptData } from '../flow/validation/filter-kept-data.ts';
import { matchPatternsBy } from '../flow/validation/match-patterns.ts';
import { createReadResponse } from '../flow/validation/read-large-responses.ts';
import { createValidationQueue, type ValidationQueue } from '../flow/validation/validation-queue.ts';
import type { NetworkDirectory } from '../ledgers/network.ts';
import type { Clock } from '../platform/clock.ts';
import type { PubSub } from '../platform/coordination/pub-sub.ts';
import type { Leadership } from '../platform/coordination/run-while-leader.ts';
import { createDistinctTimes } from '../platform/distinct-times.ts';
import { errorPlace } from '../platform/json/error-place.ts';
import type { Log } from '../platform/log.ts';
import { createRequestIds } from '../platform/request-id.ts';
import { createSafeFetch, type SafeFetch } from '../platform/safe-fetch/safe-fetch.ts';
import { createSealer, type Sealer } from '../platform/sealed-text.ts';
import { createTimerWheel, type TimerWheel } from '../platform/timer-wheel.ts';
import { createTypeIds } from '../platform/type-id.ts';
import { createSqlOutboxStore } from '../stores/sql/coordination/outbox-store.ts';
import type { Database } from '../stores/sql/engine/database.ts';
import { createSqlEventStore } from '../stores/sql/flow/flow-event-store.ts';
import { createSqlPaymentStore } from '../stores/sql/flow/flow-payment-store.ts';
import { createSqlRegistryStore } from '../stores/sql/flow/flow-registry-store.ts';
import { createSqlSecretMarkStore } from '../stores/sql/flow/flow-secret-mark-store.ts';
import { createSqlSessionStore } from '../stores/sql/flow/flow-session-store.ts';
import { createSqlStartStore } from '../stores/sql/flow/flow-start-store.ts';
import { createSqlSubscriptionStore } from '../stores/sql/flow/flow-subscription-store.ts';
import { flowJobs } from './flow-jobs.ts';

/** How late a stream learns of another node's events: without news on PostgreSQL always, otherwise only when news was lost. */
const watchPollMs = { alone: 1_000, withPubSub: 5_000 };

/** Parsing five times as much, as callers of JSON-RPC may send, would hold everybody up for 0.2 s. */
const maxBodyBytes = 1_048_576;

/** A settlement waits for its chain's confirmation. */
const facilitatorTimeouts = { verifyTimeoutMs: 10_000, settleTimeoutMs: 30_000 };

export type FlowParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomBytes: (size: number) => Buffer;
  /** Names this process, new with each start. */
  readonly nodeId: string;
  /** Where what became of a payment is looked up. */
  readonly networks: NetworkDirectory;
  /** The gateway's own address, known once it listens. */
  readonly urlOf: () => string;
  /** Absent without Redis. */
  readonly pubSub?: PubSub | undefined;
};

export type Flow = {
  readonly routes: readonly Route[];
  /** Background jobs begin. */
  readonly start: () => void;
  /** Ends what would hold a drain up: streams are closed, their clients come back elsewhere. */
  readonly drain: () => void;
  /** Background jobs end; resolves when none writes any more. */
  readonly close: () => Promise<void>;
};

/** Rejects with a message for the operator when an embedded app cannot be run. */
export async function openFlow(config: Config, parts: FlowParts): Promise<Flow> {
  const { database, clock, log, randomBytes } = parts;
  const creationTime = createDistinctTimes(clock);
  const timerWheel = createTimerWheel(clock);
  const sealer = createSealer(config.keys.peppers, randomBytes);
  const newTypeId = createTypeIds(clock, randomBytes);
  const filtering = { ...config.flow.contentFilter, toolNames };
  const contentFilter = createContentFilter(filtering);
  const validation = createValidationQueue({
    settings: filtering,
    clock,
    timerWheel,
    onTrouble: (appId, trouble) => log.error('flow.reading.failed', { appId, trouble }),
  });
  const safeFetch = createSafeFetch({ allowPrivateHosts: config.outbound.allowPrivateHosts, timerWheel, clock });

  const registry = createSqlRegistryStore(database);
  const events = createSqlEventStore(database);
  const subscriptions = createSqlSubscriptionStore(database);
  const embeddedApps = await loadEmbeddedApps(config.flow.embeddedApps);
  await registerEmbeddedApps({ store: registry, randomBytes, creationTime }, embeddedApps);
  const openFlowApp = openApps(config, parts, { embeddedApps, safeFetch, sealer, timerWheel });
  const askHealth: AskHealth = (version) => openFlowApp(version).health();
  const watch = createSessionWatch({ events, pubSub: parts.pubSub, log, pollMs: watchPollOf(parts) });
  const webhooks = createWebhookDelivery({
    outbox: createSqlOutboxStore(database, webhookQueue, 'one-at-a-time'),
    events,
    subscriptions,
    post: createPostWebhook({ request: safeFetch.request, sealer, clock }),
    chance: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    log,
  });
  const sessions: SessionParts & { readonly registry: RegistryStore } = {
    store: createSqlSessionStore(database),
    starts: createSqlStartStore(database),
    secrets: createKnownSecrets({
      store: createSqlSecretMarkStore(database),
      keysOf: createMarkKeys(config.keys.peppers),
      clock,
    }),
    registry,
    openApp: openFlowApp,
    readResponse: createReadResponse(contentFilter, validation),
    matchPatterns: matchPatternsBy(validation),
    payments: paymentGate(config, parts),
    changed(sessionId) {
      watch.changed(sessionId);
      webhooks.wake();
    },
    clock,
    creationTime,
    newSessionId: () => newTypeId('ses'),
    newEventId: () => newTypeId('evt'),
    newHolder: () => `${parts.nodeId} ${randomBytes(12).toString('base64url')}`,
    log,
    leaseMs: config.flow.leaseSeconds * 1000,
    inHand: new Set(),
    sessionTtlMs: config.flow.sessionTtlSeconds * 1000,
    maxActiveSessions: config.flow.maxActiveSessions,
    bounds: { appDataBytes: maxAppDataBytes, appDataNames: maxAppDataNames, userBytes: config.flow.maxUserBytes },
  };
  const { vetUrl } = safeFetch;
  return {
    routes: [
      ...registryRoutes({ store: registry, askHealth, contentFilter, sealer, randomBytes, clock, creationTime }),
      ...sessionRoutes(sessions),
      ...eventRoutes({ findSession: createFindFollowedSession(sessions.store), events, watch, timerWheel }),
      ...queryRoutes({ ...sessions, filterKept: createFilterKeptData(contentFilter, validation) }),
      ...subscriptionRoutes({
        subscriptions,
        registry,
        vetUrl,
        sealer,
        newId: newTypeId,
        creationTime,
        randomBytes,
      }),
    ].map((route) => ({ ...route, maxBodyBytes })),
    ...running(parts, sessions, { watch, webhooks, validation, safeFetch, retentionDays: config.flow.retentionDays }),
  };
}

function openApps(
  { flow: { renderTimeoutSeconds } }: Config,
  { clock, log, randomBytes }: FlowParts,
  by: { embeddedApps: readonly LoadedApp[]; safeFetch: SafeFetch; sealer: Sealer; timerWheel: TimerWheel },
): OpenFlowApp {
  const renderTimeoutMs = renderTimeoutSeconds * 1000;
  return createOpenFlowApp({
    embedded: createEmbeddedApps(by.embeddedApps, {
      renderTimeoutMs,
      onError: (appId, error) => log.error('flow.embedded-app.failed', { appId, ...errorPlace(error) }),
    }),
    http: createRemoteApps({
      safeFetch: by.safeFetch,
      openSecret: (version) => by.sealer.open(version.sealedSecret, signingSecretContext(version)),
      clock,
      timerWheel: by.timerWheel,
      renderTimeoutMs,
      newRequestId: createRequestIds(randomBytes),
    }),
  });
}

function watchPollOf({ pubSub, database }: FlowParts): number {
  return pubSub === undefined && database.dialect.engine === 'postgres' ? watchPollMs.alone : watchPollMs.withPubSub;
}

type Running = {
  readonly watch: SessionWatch;
  readonly webhooks: WebhookDelivery;
  readonly validation: ValidationQueue;
  readonly safeFetch: SafeFetch;
  readonly retentionDays: number;
};

/** What goes on beside the requests: streams, deliveries, and the jobs that one gateway does for all. */
function running(
  parts: FlowParts,
  sessions: SessionParts & { readonly registry: RegistryStore },
  { watch, webhooks, validation, safeFetch, retentionDays }: Running,
): Omit<Flow, 'routes'> {
  const leaders = flowJobs(parts, sessions, retentionDays);
  let jobs: readonly Leadership[] = [];
  let stopWatching = () => {};
  return {
    start() {
      jobs = leaders.map((begin) => begin());
      stopWatching = watch.start();
      webhooks.start();
    },
    drain() {
      // The deliveries under way have the time of the drain to end.
      void webhooks.close();
    },
    async close() {
      stopWatching();
      await Promise.all([webhooks.close(), ...jobs.map((each) => each.stop())]);
      validation.close();
      safeFetch.close();
    },
  };
}

function paymentGate(
  { flow: { facilitatorUrl } }: Config,
  { database, networks, urlOf, clock, randomBytes, log }: FlowParts,
): PaymentGate {
  return createPaymentGate({
    payments: createSqlPaymentStore(database),
    facilitator:
      facilitatorUrl === undefined ? undefined : openFacilitator({ url: facilitatorUrl, ...facilitatorTimeouts }),
    ledger: createLedgerAccess(networks),
    urlOf,
    clock,
    randomBytes,
    log,
  });
}
