/** Opens Flow Apps: the registry, sessions, their events, and the background work. */

import { createRequestIds, createTypeIds } from '@flowgate/base/ids';
import { createFractions } from '@flowgate/base/random';
import { errorPlace } from '@flowgate/base/text';
import { createContentFilter, createTables } from '@flowgate/content-filter/content-filter';
import { createMarkKeys } from '@flowgate/flow-format/secrets/secret-mark';
import { createSafeFetch, type SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import { createEncryptionAtRest, type EncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import type { Config } from '../config/config.ts';
import { createEmbeddedApps, type LoadedApp } from '../flow/apps/embedded-app.ts';
import { createOpenFlowApp, type OpenFlowApp } from '../flow/apps/flow-app.ts';
import { createRemoteApps } from '../flow/apps/remote-app.ts';
import { createClassifyTexts } from '../flow/classifier/classify-texts.ts';
import { eventRoutes } from '../flow/events/event-routes.ts';
import { webhookQueue } from '../flow/events/event-store.ts';
import { meteredPostWebhook } from '../flow/events/metered-post-webhook.ts';
import { createPostWebhook } from '../flow/events/post-webhook.ts';
import { createSessionWatch } from '../flow/events/session-watch.ts';
import { createSqlEventStore } from '../flow/events/sql-event-store.ts';
import { createSqlSubscriptionStore } from '../flow/events/sql-subscription-store.ts';
import { subscriptionRoutes } from '../flow/events/subscription-routes.ts';
import { createWebhookDelivery } from '../flow/events/webhook-delivery.ts';
import { createPaymentGate } from '../flow/payments/create-payment-gate.ts';
import { createLedgerAccess } from '../flow/payments/ledger-access.ts';
import { openFacilitator } from '../flow/payments/payment-facilitator.ts';
import type { PaymentGate } from '../flow/payments/payment-gate.ts';
import { createSqlPaymentStore } from '../flow/payments/sql-payment-store.ts';
import type { AskHealth } from '../flow/registry/app-health.ts';
import { registryRoutes } from '../flow/registry/registry-routes.ts';
import type { RegistryStore } from '../flow/registry/registry-store.ts';
import { signingSecretContext } from '../flow/registry/version.ts';
import { createKnownSecrets } from '../flow/secrets/known-secrets.ts';
import { createSqlSecretMarkStore } from '../flow/secrets/sql-secret-mark-store.ts';
import { maxAppDataBytes, maxAppDataNames } from '../flow/sessions/app-data-bounds.ts';
import { createFindFollowedSession } from '../flow/sessions/find-followed-session.ts';
import { meteredSessionStore } from '../flow/sessions/metered-session-store.ts';
import { queryRoutes } from '../flow/sessions/query-routes.ts';
import type { SessionDeps } from '../flow/sessions/session-deps.ts';
import { sessionRoutes } from '../flow/sessions/session-routes.ts';
import { createSqlSessionStore } from '../flow/sessions/sql-session-store.ts';
import { createSqlStartStore } from '../flow/sessions/sql-start-store.ts';
import { classifiedFilterAppData, classifiedReadResponse } from '../flow/validation/classify-responses.ts';
import { createFilterAppData } from '../flow/validation/filter-app-data.ts';
import { matchPatternsBy } from '../flow/validation/match-patterns.ts';
import { createReadResponse } from '../flow/validation/read-large-responses.ts';
import { createValidationQueue } from '../flow/validation/validation-queue.ts';
import { toolNames } from '../mcp/tool-names.ts';
import { flowJobs } from './flow-jobs.ts';
import type { Listener } from './listener.ts';
import type { EmbeddedApps } from './open-embedded-apps.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Sharing } from './open-sharing.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

/** Milliseconds until a stream learns of another node's events: always without pub/sub on PostgreSQL, otherwise only when a message was lost. */
const watchPollMs = { alone: 1_000, withPubSub: 5_000 };

/** Parsing five times as much, which JSON-RPC allows, would block the event loop for 0.2 s. */
const maxBodyBytes = 1_048_576;

/** A settlement waits for confirmation on its chain. */
const facilitatorTimeouts = { verifyTimeoutMs: 10_000, settleTimeoutMs: 30_000 };

export type FlowModules = {
  readonly storage: Storage;
  readonly sharing: Sharing;
  /** To look up what became of a payment. */
  readonly ledgers: Ledgers;
  readonly apps: EmbeddedApps;
  readonly firewall: OpenFirewall;
  readonly listener: Listener;
};

export function openFlow(config: Config, runtime: Runtime, modules: FlowModules): { readonly hooks: ModuleHooks } {
  const { clock, timerWheel, turns, log, randomBytes, nodeId, instruments } = runtime;
  const { database } = modules.storage;
  const { registry, creationTime } = modules.apps;
  const { firewall } = modules.firewall;
  const encryption = createEncryptionAtRest(config.keys.peppers, randomBytes);
  const newTypeId = createTypeIds(clock, randomBytes);
  const { classifier, ...rules } = config.flow.contentFilter;
  const filtering = { ...rules, toolNames };
  const contentFilter = createContentFilter(filtering);
  // Where there are no apps, no text may ever come.
  if (modules.apps.hasActiveVersions) createTables(contentFilter);
  const validation = createValidationQueue({
    settings: filtering,
    clock,
    timerWheel,
    onTrouble: (appId, trouble) => log.error('flow.reading.failed', { appId, trouble }),
  });
  const safeFetch = createSafeFetch({ allowPrivateHosts: config.outbound.allowPrivateHosts, timerWheel, turns, clock });
  const classify =
    classifier &&
    createClassifyTexts({
      ...{ settings: classifier, request: safeFetch.request, clock, log },
      newRequestId: createRequestIds(randomBytes),
      outcomes: instruments?.flowClassifications,
    });

  const events = createSqlEventStore(database);
  const subscriptions = createSqlSubscriptionStore(database);
  const openFlowApp = openApps(config, runtime, { embeddedApps: modules.apps.loaded, safeFetch, encryption });
  const askHealth: AskHealth = (version) => openFlowApp(version).health();
  const watch = createSessionWatch({ events, pubSub: modules.sharing.pubSub, log, pollMs: watchPollOf(modules) });
  const webhooks = createWebhookDelivery({
    outbox: createSqlOutboxStore(database, webhookQueue, 'one-at-a-time'),
    events,
    subscriptions,
    post: meteredPostWebhook(
      createPostWebhook({ request: safeFetch.request, encryption, clock }),
      instruments?.webhookDeliveries,
    ),
    chance: createFractions(randomBytes),
    log,
  });
  const sessions: SessionDeps & { readonly registry: RegistryStore } = {
    store: meteredSessionStore(createSqlSessionStore(database), instruments?.flowSteps),
    starts: createSqlStartStore(database),
    secrets: createKnownSecrets({
      store: createSqlSecretMarkStore(database),
      keysOf: createMarkKeys(config.keys.peppers),
      clock,
    }),
    registry,
    firewall,
    openApp: openFlowApp,
    readResponse: classifiedReadResponse(createReadResponse(contentFilter, validation), classify),
    matchPatterns: matchPatternsBy(validation),
    payments: paymentGate(config, runtime, modules, safeFetch),
    changed(sessionId) {
      watch.changed(sessionId);
      webhooks.wake();
    },
    clock,
    creationTime,
    newSessionId: () => newTypeId('ses'),
    newEventId: () => newTypeId('evt'),
    newHolder: () => `${nodeId} ${randomBytes(12).toString('base64url')}`,
    log,
    leaseMs: config.flow.leaseSeconds * 1000,
    inFlight: new Set(),
    sessionTtlMs: config.flow.sessionTtlSeconds * 1000,
    maxActiveSessions: config.flow.maxActiveSessions,
    bounds: { appDataBytes: maxAppDataBytes, appDataNames: maxAppDataNames, userBytes: config.flow.maxUserBytes },
  };
  const { vetUrl } = safeFetch;
  const jobs = flowJobs({ ...runtime, database }, sessions, config.flow.retentionDays);
  const running = new AsyncDisposableStack();
  running.defer(safeFetch.close);
  running.defer(validation.close);
  return {
    hooks: moduleHooks({
      routes: [
        ...registryRoutes({
          store: registry,
          firewall,
          askHealth,
          contentFilter,
          classify,
          encryption,
          randomBytes,
          clock,
          creationTime,
        }),
        ...sessionRoutes(sessions),
        ...eventRoutes({ findSession: createFindFollowedSession(sessions), events, watch, timerWheel }),
        ...queryRoutes({
          ...sessions,
          filterAppData: classifiedFilterAppData(createFilterAppData(contentFilter, validation), classify),
        }),
        ...subscriptionRoutes({
          subscriptions,
          registry,
          firewall,
          vetUrl,
          encryption,
          newId: newTypeId,
          creationTime,
          randomBytes,
        }),
      ].map((route) => ({ ...route, maxBodyBytes })),
      start() {
        const leaderships = jobs.map((begin) => begin());
        running.defer(async () => {
          await Promise.all([webhooks.close(), ...leaderships.map((each) => each.stop())]);
        });
        running.defer(watch.start());
        webhooks.start();
      },
      drain() {
        // Deliveries in flight have the time of the drain to finish.
        void webhooks.close();
        return 0;
      },
      close: () => running.disposeAsync(),
    }),
  };
}

function openApps(
  { flow: { renderTimeoutSeconds } }: Config,
  { clock, timerWheel, log, randomBytes }: Runtime,
  by: { embeddedApps: readonly LoadedApp[]; safeFetch: SafeFetch; encryption: EncryptionAtRest },
): OpenFlowApp {
  const renderTimeoutMs = renderTimeoutSeconds * 1000;
  return createOpenFlowApp({
    embedded: createEmbeddedApps(by.embeddedApps, {
      renderTimeoutMs,
      onError: (appId, error) => log.error('flow.embedded-app.failed', { appId, ...errorPlace(error) }),
    }),
    http: createRemoteApps({
      safeFetch: by.safeFetch,
      openSecret: (version) => by.encryption.open(version.sealedSecret, signingSecretContext(version)),
      clock,
      timerWheel,
      renderTimeoutMs,
      newRequestId: createRequestIds(randomBytes),
    }),
  });
}

function watchPollOf({ sharing, storage }: FlowModules): number {
  return sharing.pubSub === undefined && storage.database.dialect.engine === 'postgres'
    ? watchPollMs.alone
    : watchPollMs.withPubSub;
}

function paymentGate(
  { flow: { facilitatorUrl } }: Config,
  { clock, randomBytes, log }: Runtime,
  { storage, ledgers, listener }: FlowModules,
  { request }: SafeFetch,
): PaymentGate {
  return createPaymentGate({
    payments: createSqlPaymentStore(storage.database),
    facilitator:
      facilitatorUrl === undefined
        ? undefined
        : openFacilitator({ url: facilitatorUrl, request, ...facilitatorTimeouts }),
    ledger: createLedgerAccess(ledgers.networks),
    gatewayUrl: listener.url,
    clock,
    randomBytes,
    log,
  });
}
