/** Opens the listener for metrics, if `server.metrics` is configured: a port of its own, so that callers never see them. */

import { type HttpServer, startHttpServer } from '@flowgate/http1/server/http-server';
import { createWaitingBytes } from '@flowgate/http1/server/waiting-bytes';
import { sampleLoopDelay } from '@flowgate/telemetry/metrics/loop-delay';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import type { Config } from '../config/config.ts';
import { describe } from '../edge/contexts/answer-failure.ts';
import { createMetricsHandler } from '../edge/pages/metrics-handler.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Runtime } from './runtime.ts';

/** Prometheus reuses a connection for its scrapes, which are mostly at most a minute apart. */
const timeouts = {
  headMs: 10_000,
  idleMs: 300_000,
  writeMs: 10_000,
  minWriteBytesPerSecond: 8_192,
  maxWriteMs: 600_000,
  discardMs: 1_000,
};
const maxConnections = 64;

/** @throws with a sentence for the operator when the port is taken. */
export function openMetrics(config: Pick<Config, 'server'>, runtime: Runtime): { readonly hooks: ModuleHooks } {
  const { instruments, worker, clock } = runtime;
  if (instruments === undefined) return { hooks: moduleHooks() };
  // The supervisor reports the metrics of all workers.
  const server = worker === undefined ? listenForMetrics(config, runtime, instruments.snapshot) : undefined;
  const running = new AsyncDisposableStack();
  return {
    hooks: moduleHooks({
      start: () => running.defer(sampleLoopDelay(instruments.loopDelay, clock)),
      async close() {
        await running.disposeAsync();
        await server?.stop(0);
      },
    }),
  };
}

/** @throws with a sentence for the operator when the port is taken. */
export function listenForMetrics(
  { server: { metrics } }: Pick<Config, 'server'>,
  { clock, turns, log }: Pick<Runtime, 'clock' | 'turns' | 'log'>,
  read: () => MetricsSnapshot | Promise<MetricsSnapshot>,
): HttpServer | undefined {
  if (metrics === undefined) return undefined;
  const { host, port } = metrics;
  const server = startHttpServer({
    hostname: host,
    port,
    handler: createMetricsHandler(read),
    timeouts,
    maxConnections: maxConnections,
    maxConnectionsPerAddress: maxConnections,
    isTrusted: () => false,
    ...{ clock, turns, waitingBytes: createWaitingBytes({ clock, log }) },
    failed: (cause) => log.error('metrics.failed', { error: describe(cause) }),
  });
  log.info('metrics.listening', { host, port: server.port });
  return server;
}
