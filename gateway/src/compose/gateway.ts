/** The composition root: the only file that names an adapter and stacks the wrappers. A list, not logic. */

import { randomBytes } from 'node:crypto';
import { createPeppers } from '../access/api-key-digest.ts';
import { createAuthenticator } from '../access/authenticator.ts';
import { createHeldRevocations } from '../access/held-revocations.ts';
import { KeyCache } from '../access/key-cache.ts';
import { KnownKeys } from '../access/known-keys.ts';
import { createLastUsed } from '../access/last-used.ts';
import { createRevocationSync } from '../access/revocation-sync.ts';
import { accessRoutes } from '../access/routes.ts';
import { createTokenVerifier } from '../access/tokens.ts';
import { createKeyVerifier } from '../access/verify-key.ts';
import { createAgentHandler } from '../agents/answer-message.ts';
import { agentRoute } from '../agents/routes.ts';
import type { Route } from '../api/route.ts';
import type { Config } from '../config/config.ts';
import { unsafeSettings } from '../config/config-checks.ts';
import { configSecrets } from '../config/config-secrets.ts';
import { configWarnings } from '../config/config-warnings.ts';
import { createAnswerFailure } from '../http/answer-failure.ts';
import { createEdge } from '../http/edge.ts';
import { landingRoutes } from '../http/landing-routes.ts';
import { createLargeAnswers } from '../http/large-answers.ts';
import { createOpenStreams } from '../http/open-streams.ts';
import { openApiDocument } from '../http/openapi/openapi.ts';
import { healthRoutes } from '../http/openapi/operation-routes.ts';
import { referenceRoutes } from '../http/openapi/reference-routes.ts';
import { openServer } from '../http/server.ts';
import { openNetworks } from '../ledgers/open-networks.ts';
import { ledgerRoutes } from '../ledgers/routes.ts';
import { ByteBudget, byteBudgetSizes } from '../platform/bytes/byte-budget.ts';
import { systemClock } from '../platform/clock.ts';
import { createDistinctTimes } from '../platform/distinct-times.ts';
import { createLog } from '../platform/log.ts';
import { createOriginMatcher } from '../platform/origin-pattern.ts';
import { createRedactor } from '../platform/redaction/redact.ts';
import { createRequestIds } from '../platform/request-id.ts';
import { createAddressRanges } from '../platform/safe-fetch/address-ranges.ts';
import { createTimeSlices } from '../platform/time-slices.ts';
import { createTimerWheel } from '../platform/timer-wheel.ts';
import { rpcRoutes } from '../rpc/routes.ts';
import { createRpcTargets } from '../rpc/target.ts';
import { createSqlApiKeyStore } from '../stores/sql/keys/api-key-store.ts';
import { openBodies, unpaidDecoding } from './bodies.ts';
import { openFlow } from './flow.ts';
import { openDatabase, openSharing } from './storage.ts';

/** How often last-used times are written. */
const lastUsedFlushMs = 5_000;

export type Surroundings = {
  readonly version: string;
  /** Takes whole lines of the structured log. */
  readonly writeLog: (lines: string) => void;
};

export type Gateway = {
  readonly url: string;
  /** Finishes calls in flight, writes what is held in memory, and answers how many calls had to be cut off. */
  readonly drain: (signal: string) => Promise<number>;
};

/** Rejects with a message for the operator when the port is taken or the database cannot be opened. */
export async function compose(config: Config, { version, writeLog }: Surroundings): Promise<Gateway> {
  const clock = systemClock;
  const log = createLog({
    level: config.log.level,
    clock,
    redact: createRedactor(configSecrets(config), 'all'),
    write: writeLog,
  });
  const timerWheel = createTimerWheel(clock);

  const database = await openDatabase(config.storage, (reason) =>
    reason === undefined ? log.info('database.recovered') : log.error('database.failed', { reason }),
  );
  const nodeId = randomBytes(12).toString('base64url');
  const sharing = openSharing(config, { clock, log, nodeId });
  const store = createSqlApiKeyStore(database);
  const peppers = createPeppers(config.keys.peppers);
  const lastUsed = createLastUsed(store);
  const known = new KnownKeys(new KeyCache(clock, { ttlMs: config.keys.cacheTtlSeconds * 1000 }));
  const held = createHeldRevocations({
    store,
    known,
    pubSub: sharing.pubSub,
    clock,
    log,
  });
  const verifier = createKeyVerifier({ store: held, peppers, known, lastUsed });
  const revocations = createRevocationSync({ known, store, pubSub: sharing.pubSub, clock, log });
  const tokens = createTokenVerifier({ ...config.identity, clock, log });
  const answerBudget = new ByteBudget(
    byteBudgetSizes(config.limits.maxAnswerBytesInFlight, config.outbound.maxResponseBytes),
  );
  const networks = openNetworks(config.networks, config.outbound, {
    ...{ log, timerWheel, clock, answerBudget },
    health: config.health,
  });

  const { host } = config.server;
  let port = config.server.port;
  const urlOf = () => config.server.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const flow = await openFlow(config, {
    ...{ database, clock, log, randomBytes, nodeId, pubSub: sharing.pubSub },
    networks: networks.directory,
    urlOf,
  });

  let accepting = true;
  const door = {
    authenticator: createAuthenticator({
      keys: verifier,
      known,
      tokens,
      invalidPerMinute: config.limits.invalidPerMinute,
      clock,
    }),
    limiter: sharing.limiter,
    unpaid: unpaidDecoding(config, clock),
    clock,
    trustedProxies: createAddressRanges(config.server.trustedProxies),
  };
  const writeTimeoutMs = config.server.writeTimeoutSeconds * 1000;
  const streams = createOpenStreams({ ...door, stalledAfterMs: writeTimeoutMs });
  const largeAnswers = createLargeAnswers({ budget: answerBudget, timerWheel, writeTimeoutMs });
  const { readBody, readStrangersBody } = openBodies(config, { door, timerWheel, clock });
  const routes: readonly Route[] = [
    ...healthRoutes({
      database: () => settles(database.ping()),
      identityProvider: tokens.ready,
      accepting: () => accepting,
    }),
    ...accessRoutes({
      store: { ...store, revoke: held.revoke },
      forget: revocations.forget,
      peppers,
      lastUsed,
      clock,
      creationTime: createDistinctTimes(clock),
      randomBytes,
    }),
    ...ledgerRoutes({ directory: networks.directory, providers: config.providers }),
    ...flow.routes,
    ...landingRoutes(() => ({ publicUrl: urlOf(), issuer: config.identity.issuer, version })),
    ...referenceRoutes(() =>
      openApiDocument({ routes, rpcRoutes, agentRoute, publicUrl: urlOf(), version, limits: config.limits }),
    ),
  ];
  const cors = { allows: createOriginMatcher(config.server.cors.origins) };
  await sharing.tried;
  const stopRevocations = revocations.start();
  const stopHolding = held.start();
  const server = openServer({
    hostname: host,
    port,
    requestLogging: config.log.requests,
    bodyTimeoutSeconds: config.server.bodyTimeoutSeconds,
    clock,
    log,
    newRequestId: createRequestIds(randomBytes),
  });
  port = server.port;
  const edge = createEdge({
    routes,
    rpcRoutes,
    agentRoute,
    rpc: {
      door,
      readBody,
      readStrangersBody,
      targets: createRpcTargets(networks.directory, createTimeSlices(clock)),
      maxBatch: config.limits.maxBatch,
    },
    rest: {
      door,
      readBody,
      streams,
    },
    agents: {
      door,
      readBody,
      handler: createAgentHandler({
        version,
        onError: (error) => log.debug('agents.refused', { error: error.message }),
      }),
      allowsOrigin: (origin) => cors.allows(origin) || origin === new URL(urlOf()).origin,
      failed: createAnswerFailure(log),
    },
    contexts: { cors, clock, largeAnswers, connections: server },
    accepting: () => accepting,
  });
  server.serve(edge);
  tokens.start();
  networks.start();
  flow.start();
  const stopFlushing = lastUsed.start(lastUsedFlushMs);
  for (const { path, message } of unsafeSettings(config))
    log.warn('config.unsafe', { path: path.join('.'), problem: message });
  for (const { path, message } of configWarnings(config)) log.warn('config.unwise', { path, advice: message });
  const url = urlOf();
  log.info('gateway.listening', { version, host, port, url });

  return {
    url,
    async drain(signal) {
      log.info('gateway.draining', { signal });
      accepting = false;
      flow.drain();
      streams.close();
      const cutOff = await server.drain(config.server.drainSeconds * 1000);
      await flow.close();
      stopFlushing();
      if (!(await lastUsed.flush())) log.warn('last-used.lost');
      tokens.close();
      networks.close();
      stopRevocations();
      await held.retry();
      stopHolding();
      sharing.close();
      await database.close();
      log.info('gateway.stopped', { cutOff });
      log.flush();
      return cutOff;
    },
  };
}

async function settles(pending: Promise<unknown>): Promise<boolean> {
  try {
    await pending;
    return true;
  } catch {
    return false;
  }
}
