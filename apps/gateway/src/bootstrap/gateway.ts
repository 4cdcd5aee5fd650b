/** The composition root: opens the modules in order. A new module is a file in this folder and a line here. */

import { errorPlace } from '@flowgate/base/text';
import type { Log } from '@flowgate/telemetry/log';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import type { Config } from '../config/config.ts';
import { unsafeSettings } from '../config/config-checks.ts';
import { configWarnings } from '../config/config-warnings.ts';
import { KnownUserLimits } from '../limits/user-limits.ts';
import { openListener } from './listener.ts';
import { openAccess } from './open-access.ts';
import { openAdministration } from './open-administration.ts';
import { openAgents } from './open-agents.ts';
import { openBridge } from './open-bridge.ts';
import { openDeployments } from './open-deployments.ts';
import { openEdge } from './open-edge.ts';
import { openEmbeddedApps } from './open-embedded-apps.ts';
import { openEngine } from './open-engine.ts';
import { openFirewall } from './open-firewall.ts';
import { openFlow } from './open-flow.ts';
import { openLedgers } from './open-ledgers.ts';
import { openMetrics } from './open-metrics.ts';
import { OpenModules } from './open-modules.ts';
import { openNodes } from './open-nodes.ts';
import { openPolicies } from './open-policies.ts';
import { openRpc } from './open-rpc.ts';
import { openSharing } from './open-sharing.ts';
import { openStakes } from './open-stakes.ts';
import { openStorage } from './open-storage.ts';
import { openSubscriptions } from './open-subscriptions.ts';
import { openTls } from './open-tls.ts';
import { openUsage } from './open-usage.ts';
import { openWallets } from './open-wallets.ts';
import { createRuntime, type Launch } from './runtime.ts';

export type Gateway = {
  readonly url: string;
  /**
   * Finishes calls in flight, writes data that is only in memory, and returns the number of calls cut off. `handsOver`: another process serves instead, so no
   * call is refused meanwhile.
   */
  readonly drain: (signal: string, handsOver?: boolean) => Promise<number>;
  /** Whether this process can serve now. Never rejects. */
  readonly ready: () => Promise<boolean>;
  /** Undefined when metrics are off. */
  readonly metrics: () => MetricsSnapshot | undefined;
  /** Reloads what does not need a new process: the certificate. */
  readonly reload: () => Promise<void>;
};

/**
 * Rejects with a message for the operator when a module cannot be opened: the database, an embedded app, the port. Everything opened before is closed first.
 */
export async function compose(config: Config, launch: Launch): Promise<Gateway> {
  const runtime = createRuntime(config, launch);
  const { log } = runtime;
  const opened = new OpenModules();
  try {
    opened.open(openMetrics(config, runtime));
    const storage = opened.open(await openStorage(config, runtime));
    const userLimits = new KnownUserLimits();
    const sharing = opened.open(await openSharing(config, runtime, userLimits));
    const access = opened.open(openAccess(config, runtime, { storage, sharing, userLimits }));
    const firewall = opened.open(await openFirewall(runtime, { storage, sharing }));
    const ledgers = opened.open(openLedgers(config, runtime, { firewall }));
    const nodes = opened.open(openNodes(config, runtime, { storage, sharing, firewall, ledgers, userLimits }));
    const usage = opened.open(openUsage(config, runtime, { storage }));
    const administration = opened.open(
      await openAdministration(config, runtime, { storage, sharing, access, ledgers, userLimits, usage }),
    );
    const deployments = opened.open(openDeployments(config, runtime, { storage, ledgers }));
    const apps = opened.open(await openEmbeddedApps(config, runtime, { storage }));
    opened.open(openPolicies(runtime, { storage, firewall, ledgers, nodes, apps, usage }));
    const tls = opened.open(await openTls(config, runtime));
    // The gateway listens from here on, so nothing below waits: calls that arrive meanwhile are answered once everything is open.
    const listener = opened.open(openListener(config, runtime, { tls, usage }));
    const wallets = opened.open(openWallets(runtime, { storage, firewall, ledgers, listener }));
    opened.open(openStakes(config, runtime, { ledgers, wallets, firewall }));
    opened.open(openBridge(config, runtime, { storage, ledgers, wallets, firewall }));
    opened.open(openFlow(config, runtime, { storage, sharing, ledgers, apps, firewall, listener }));
    const engine = opened.open(openEngine(config, runtime, { deployments, ledgers, sharing }));
    const { subscriptions } = opened.open(openSubscriptions(config, runtime));
    const rpc = opened.open(openRpc({ ledgers, nodes, firewall, engine, listener, subscriptions }));
    const agents = opened.open(openAgents(config, runtime));
    const { routes } = opened;
    const { maintenance } = administration;
    const modules = { storage, sharing, access, ledgers, listener, rpc, agents, maintenance, routes };
    const edge = opened.open(openEdge(config, runtime, modules));
    opened.start();
    warnOf(config, log);
    log.info('gateway.listening', {
      version: launch.version,
      host: config.server.host,
      port: listener.server.port,
      url: listener.url,
    });
    return {
      url: listener.url,
      drain: (signal, handsOver = false) => drain(opened, log, signal, handsOver),
      ready: edge.ready,
      metrics: () => runtime.instruments?.snapshot(),
      async reload() {
        const reloaded = await tls.reload();
        // A single process reads its configuration at start only: a change needs a restart.
        log.info('gateway.reloaded', {
          reloaded: reloaded.join(' '),
          notReloaded: 'the configuration file; restart the gateway for it, or set server.workers to 2 or more',
        });
      },
    };
  } catch (error) {
    await opened.close().catch((also: unknown) => log.error('gateway.close-failed', errorPlace(also)));
    log.flush();
    throw error;
  }
}

async function drain(opened: OpenModules, log: Log, signal: string, handsOver: boolean): Promise<number> {
  log.info('gateway.draining', { signal });
  try {
    const cutOff = await opened.drain(handsOver).finally(() => opened.close());
    log.info('gateway.stopped', { cutOff });
    return cutOff;
  } finally {
    log.flush();
  }
}

/** Settings that are legal but should be changed. */
function warnOf(config: Config, log: Log): void {
  for (const { path, message } of unsafeSettings(config))
    log.warn('config.unsafe', { path: path.join('.'), problem: message });
  for (const { path, message } of configWarnings(config)) log.warn('config.unwise', { path, advice: message });
}
