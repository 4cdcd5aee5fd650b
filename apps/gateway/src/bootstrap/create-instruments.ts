/** The instruments of this process, one family for each metric of the catalog; created only when `server.metrics` is configured. */

import type { Clock } from '@flowgate/base/clock';
import { processFigures } from '@flowgate/telemetry/metrics/process-figures';
import { Registry } from '@flowgate/telemetry/metrics/registry';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import { metricCatalog } from './metric-catalog.ts';

export type Instruments = ReturnType<typeof createInstruments>;

export function createInstruments({ clock, version }: { readonly clock: Clock; readonly version: string }) {
  const registry = new Registry();
  const families = registry.families(metricCatalog);
  const cpuSeconds = families.cpuSeconds.with();
  const startSeconds = clock.now() / 1000;
  families.buildInfo.add([version, Bun.version], () => 1);
  families.startSeconds.add([], () => startSeconds);
  for (const figure of ['residentBytes', 'virtualBytes', 'openFds', 'maxFds'] as const)
    families[figure].add([], processFigures[figure]);
  return {
    ...families,
    usageDropped: families.usageDropped.with(),
    loopDelay: families.loopDelay.with(),
    snapshot(): MetricsSnapshot {
      cpuSeconds.value = processFigures.cpuSeconds();
      return registry.snapshot();
    },
  };
}
