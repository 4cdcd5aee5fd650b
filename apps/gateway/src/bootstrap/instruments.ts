/** The instruments of this process, one for each metric of the catalogue; made only when `server.metrics` is configured. */

import type { Clock } from '@flowgate/base/clock';
import { type ProcessFigures, processFigures } from '@flowgate/telemetry/metrics/process-figures';
import { Registry } from '@flowgate/telemetry/metrics/registry';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import { metricCatalogue } from './metric-catalogue.ts';

export type Instruments = ReturnType<typeof createInstruments>;

export function createInstruments({ clock, version }: { readonly clock: Clock; readonly version: string }) {
  const registry = new Registry();
  const cpuSeconds = registry.counter(metricCatalogue.cpuSeconds).with();
  noteProcess(registry, { clock, version });
  return {
    requests: registry.counter(metricCatalogue.requests),
    requestSeconds: registry.histogram(metricCatalogue.requestSeconds),
    limited: registry.counter(metricCatalogue.limited),
    connections: registry.gauge(metricCatalogue.connections),
    waitingBytes: registry.gauge(metricCatalogue.waitingBytes),
    waitingRefused: registry.counter(metricCatalogue.waitingRefused),
    webSocketConnections: registry.gauge(metricCatalogue.webSocketConnections),
    webSocketSubscriptions: registry.gauge(metricCatalogue.webSocketSubscriptions),
    nodeRequests: registry.counter(metricCatalogue.nodeRequests),
    nodeState: registry.gauge(metricCatalogue.nodeState),
    nodeHead: registry.gauge(metricCatalogue.nodeHead),
    cacheHits: registry.counter(metricCatalogue.cacheHits),
    cacheMisses: registry.counter(metricCatalogue.cacheMisses),
    cacheCoalesced: registry.counter(metricCatalogue.cacheCoalesced),
    cacheBytes: registry.gauge(metricCatalogue.cacheBytes),
    storeSeconds: registry.histogram(metricCatalogue.storeSeconds),
    leader: registry.gauge(metricCatalogue.leader),
    indexer: {
      logs: registry.counter(metricCatalogue.indexerLogs),
      reorganisations: registry.counter(metricCatalogue.indexerReorganisations),
      errors: registry.counter(metricCatalogue.indexerErrors),
      lagBlocks: registry.gauge(metricCatalogue.indexerLagBlocks),
      readAge: registry.gauge(metricCatalogue.indexerReadAge),
    },
    usageDropped: registry.counter(metricCatalogue.usageDropped).with(),
    usageWaiting: registry.gauge(metricCatalogue.usageWaiting),
    webhookDeliveries: registry.counter(metricCatalogue.webhookDeliveries),
    flowClassifications: registry.counter(metricCatalogue.flowClassifications),
    flowSteps: registry.counter(metricCatalogue.flowSteps),
    loopDelay: registry.histogram(metricCatalogue.loopDelay).with(),
    snapshot(): MetricsSnapshot {
      cpuSeconds.value = processFigures.cpuSeconds();
      return registry.snapshot();
    },
  };
}

function noteProcess(
  registry: Registry,
  { clock, version }: { readonly clock: Clock; readonly version: string },
): void {
  const startSeconds = clock.now() / 1000;
  registry.gauge(metricCatalogue.buildInfo).add([version, Bun.version], () => 1);
  registry.gauge(metricCatalogue.startSeconds).add([], () => startSeconds);
  for (const figure of [
    'residentBytes',
    'virtualBytes',
    'openFds',
    'maxFds',
  ] as const satisfies (keyof ProcessFigures)[])
    registry.gauge(metricCatalogue[figure]).add([], processFigures[figure]);
}
