/**
 * A complete installation on loopback: gateways in separate processes, their stores, a load balancer, a fake issuer and
 * a fake node.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type FakeNode, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { flowgateCommand } from '../../apps/gateway/test/fixtures/flowgate-command.ts';
import { type FakeIssuer, startFakeIssuer } from '../../apps/gateway/test/fixtures/issuer.ts';
import { balancerService } from './balancer.ts';
import { type ProcessService, processService } from './service.ts';
import { steadyPort } from './steady-port.ts';

export type Storage = { readonly database: string; readonly redis?: string };

export type ClusterOptions = {
  readonly gateways: readonly string[];
  readonly storage: Storage;
  readonly userPerMinute: number;
  /** A deliberately different limit at one gateway, for the checker to find. */
  readonly planted?: Readonly<Record<string, number>>;
  readonly balanced?: boolean;
  /** Sections that are merged into every gateway's configuration, member by member. */
  readonly sections?: Readonly<Record<string, object>>;
};

export type GatewayService = ProcessService & {
  readonly name: string;
  readonly url: string;
  readonly configFile: string;
  readonly ready: () => Promise<boolean>;
};

export type Cluster = {
  readonly gateways: readonly GatewayService[];
  readonly gateway: (name: string) => GatewayService;
  readonly balancer: ProcessService | undefined;
  readonly issuer: FakeIssuer;
  readonly node: FakeNode;
  readonly allReady: () => Promise<boolean>;
  /** Ends all processes. */
  readonly stop: () => Promise<void>;
};

/** The secret that the gateways' configuration reads from the environment. */
export const pepper = 'pepper-for-tests-0123456789abcdefghijk';

/**
 * Milliseconds that a gateway waits for Redis. Longer than the default of 100, because the load, the checker and the
 * proxies may delay it.
 */
export const redisTimeoutMs = 800;

/** Starts the gateways at the same time, as after a power failure. Resolves when each is ready. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'flowgate-cluster-'));
  const issuer = await startFakeIssuer();
  const node = startFakeNode();
  const gateways = await Promise.all(
    options.gateways.map((name) => gatewayPart(name, directory, configurationOf(name, options, issuer, node))),
  );
  let balancer: Awaited<ReturnType<typeof balancerService>> | undefined;
  const stop = async () => {
    const services = balancer === undefined ? gateways : [balancer, ...gateways];
    await Promise.all([...services.map((service) => service.kill()), issuer.close(), node.stop()]);
    const directories = balancer === undefined ? [directory] : [directory, balancer.directory];
    await Promise.all(directories.map((each) => rm(each, { recursive: true, force: true })));
  };
  try {
    await Promise.all(gateways.map((gateway) => gateway.start()));
    if (options.balanced === true) {
      balancer = await balancerService(gateways.map(({ port }) => port));
      await balancer.start();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    gateways,
    gateway(name) {
      const found = gateways.find((each) => each.name === name);
      if (found === undefined) throw new Error(`there is no gateway ${name}`);
      return found;
    },
    balancer,
    issuer,
    node,
    allReady: async () => (await Promise.all(gateways.map((gateway) => gateway.ready()))).every(Boolean),
    stop,
  };
}

async function gatewayPart(name: string, directory: string, config: object): Promise<GatewayService> {
  const port = steadyPort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(directory, `${name}.yaml`);
  await Bun.write(file, stringify({ ...config, server: { host: '127.0.0.1', port, drainSeconds: 5 } }));
  const ready = async () => {
    const answer = await fetch(`${url}/readyz`, { keepalive: false, signal: AbortSignal.timeout(1_000) });
    return answer.status === 200;
  };
  const service = processService({
    name: `gateway-${name}`,
    command: [...flowgateCommand, 'start', '--config', file],
    port,
    directory,
    env: { PATH: process.env['PATH'], GATEWAY: name, FLOWGATE_PEPPER: pepper },
    ready,
  });
  return { ...service, name, url, configFile: file, ready: () => ready().catch(() => false) };
}

function configurationOf(name: string, options: ClusterOptions, issuer: FakeIssuer, node: FakeNode): object {
  const base: Record<string, object> = {
    identity: { issuer: issuer.issuer, audience: issuer.audience },
    storage: { redisTimeoutMs, ...options.storage },
    keys: { peppers: ['${FLOWGATE_PEPPER}'] },
    limits: {
      userPerMinute: options.planted?.[name] ?? options.userPerMinute,
      // High, because these tests constantly use revoked keys.
      invalidPerMinute: 1_000_000,
    },
    log: { level: 'info', requests: 'failures' },
    networks: [
      {
        dlt: 'ethereum',
        networkId: 'dev',
        chainId: 31337,
        default: true,
        nodes: [{ nodeId: 'dev-1', url: node.url }],
      },
    ],
  };
  for (const [section, members] of Object.entries(options.sections ?? {}))
    base[section] = Array.isArray(members) ? members : { ...base[section], ...members };
  return base;
}
