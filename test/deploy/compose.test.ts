/** compose.yaml, its configuration and the container file are consistent. */

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../apps/gateway/src/config/config-file.ts';
import {
  at,
  deployFiles,
  deployText,
  deployYaml,
  isRecord,
  listAt,
  numberAt,
  repository,
  secondsOf,
  textAt,
} from './deploy-files.ts';
import { exampleEnvironment, neededVariables } from './shipped-configs.ts';

const [compose] = await deployYaml('compose/compose.yaml');
const services = at(compose, 'services');
if (!isRecord(services)) throw new Error('no services');
const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway-'));
const [, gateway] = gateways[0] ?? [];
const configText = await deployText('compose/flowgate.yaml');
const balancer = await deployText('compose/haproxy.cfg');

function config() {
  const loaded = readConfig(configText, exampleEnvironment);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const variablesOf = (text: string) => [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);

test('there are three gateways, and the load balancer has exactly these, at the port that they listen on', () => {
  expect(gateways.map(([name]) => name)).toEqual(['gateway-1', 'gateway-2', 'gateway-3']);
  for (const backend of ['ready', 'alive']) {
    const section =
      new RegExp(`^backend ${backend}\\n([\\s\\S]*?)(?=^\\S|$(?![\\s\\S]))`, 'm').exec(balancer)?.[1] ?? '';
    const servers = [...section.matchAll(/^ {4}server (\S+) (\S+)$/gm)].map(
      ([, name, address]) => `${name} ${address}`,
    );
    expect(servers).toEqual(gateways.map(([name]) => `${name} ${name}:${config().server.port}`));
  }
});

test('every file that a service mounts or a secret names exists or is made by create-secrets', async () => {
  const mounted = Object.values(services).flatMap((service) =>
    (at(service, 'volumes') === undefined ? [] : listAt(service, 'volumes'))
      .map((volume) => String(volume).split(':')[0] ?? '')
      .filter((source) => source.startsWith('.')),
  );
  expect(mounted.length).toBeGreaterThan(3);
  expect(mounted.filter((source) => !existsSync(join(repository, 'deploy/compose', source)))).toEqual([]);
  const secrets = Object.entries(at(compose, 'secrets') ?? {});
  const script = await deployText('compose/create-secrets');
  expect(secrets.map(([name, secret]) => [name, at(secret, 'file')])).toEqual(
    secrets.map(([name]) => [name, `./secrets/${name}`]),
  );
  expect(secrets.filter(([name]) => !new RegExp(`\\b${name}\\b`).test(script))).toEqual([]);
  for (const service of Object.values(services)) {
    const used = at(service, 'secrets') === undefined ? [] : listAt(service, 'secrets');
    expect(used.filter((name) => !secrets.some(([known]) => known === name))).toEqual([]);
  }
  expect(existsSync(join(repository, 'deploy/compose', textAt(gateway, 'build', 'context'), 'Dockerfile'))).toBe(true);
});

test('a gateway has every variable of its configuration, as environment or as a secret', async () => {
  const environment = Object.keys(at(gateway, 'environment') ?? {});
  const given = [...environment, ...listAt(gateway, 'secrets').map(String)];
  expect([...new Set(variablesOf(configText))].filter((name) => !given.includes(name))).toEqual([]);
  const example = await deployText('compose/.env.example');
  const set = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(environment.sort()).toEqual(set.filter((name) => name !== 'HTTPS_PORT').sort());
  expect(neededVariables(configText).filter((name) => exampleEnvironment[name] === undefined)).toEqual([]);
});

test('only the load balancer is trusted with X-Forwarded-For (contract/limits)', () => {
  const address = textAt(services, 'load-balancer', 'networks', 'edge', 'ipv4_address');
  expect(config().server.trustedProxies).toEqual([address]);
  expect(balancer).toContain('http-request del-header X-Forwarded-For');
  expect(balancer.match(/^ {4}option forwardfor$/gm)).toHaveLength(2);
});

test('Prometheus scrapes every gateway at its metrics port, with the shipped alerts, and no metrics port is published', async () => {
  const { metrics } = config().server;
  const [scraping] = await deployYaml('compose/prometheus.yaml');
  const targets = listAt(scraping, 'scrape_configs', 0, 'static_configs', 0, 'targets');
  expect(targets).toEqual(gateways.map(([name]) => `${name}:${metrics?.port}`));
  expect(metrics?.host).toBe('0.0.0.0');
  const mounts = listAt(services, 'prometheus', 'volumes').map((volume) => String(volume).split(':')[1]);
  expect(mounts).toEqual(expect.arrayContaining(listAt(scraping, 'rule_files').map(String)));
  for (const [, service] of gateways) expect(at(service, 'ports')).toBeUndefined();
});

test('databases have no inbound and no outbound access from outside', () => {
  expect(at(compose, 'networks', 'storage', 'internal')).toBe(true);
  for (const name of ['postgres', 'redis']) {
    expect(at(services, name, 'ports')).toBeUndefined();
    expect(at(services, name, 'networks')).toEqual(['storage']);
  }
});

test('a gateway has enough time for its drain, in compose and in systemd', async () => {
  const needed = config().server.drainSeconds + 5;
  expect(secondsOf(textAt(gateway, 'stop_grace_period'))).toBeGreaterThan(needed);
  const unit = await deployText('systemd/flowgate.service');
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(needed);
  expect(unit).toContain('\nKillSignal=SIGTERM\n');
  expect(unit).toContain('\nRestartPreventExitStatus=2\n');
});

test('the load balancer waits longer than the slowest response of a gateway', () => {
  const timeout = secondsOf(/^ {4}timeout server (\S+)$/m.exec(balancer)?.[1] ?? '');
  const { server, outbound, networks } = config();
  const slowest = outbound.nodeTimeoutSeconds * Math.max(...networks.map(({ nodes }) => nodes.length));
  expect(timeout).toBeGreaterThan(server.bodyTimeoutSeconds + slowest);
});

test('the load balancer may open the two file descriptors that each of its connections needs', () => {
  const connections = Number(/^ {4}maxconn (\d+)$/m.exec(balancer)?.[1]);
  expect(numberAt(services, 'load-balancer', 'ulimits', 'nofile')).toBeGreaterThan(2 * connections + 1_000);
});

test('Redis loses no counter, neither by eviction nor in a restart', async () => {
  const redis = await deployText('compose/redis.conf');
  expect(redis).toContain('\nmaxmemory-policy noeviction\n');
  expect(redis).toContain('\nappendonly yes\n');
});

test('no deployment file names a registry, or an image without a version', async () => {
  const container = await Bun.file(join(repository, 'Dockerfile')).text();
  const images = [
    ...[...container.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
    ...Object.values(services).map((service) => textAt(service, 'image')),
  ];
  expect(
    images.filter((image) => !/^([a-z]+\/)?[a-z]+:[0-9a-z][0-9a-z.-]+$/.test(image) || image.endsWith(':latest')),
  ).toEqual([]);
  const texts = await Promise.all(deployFiles('**/*').map(deployText));
  for (const text of [container, ...texts])
    expect(text).not.toMatch(/\/work\/|\/root\/|registry\.|\.io\/[a-z]+\/[a-z]+:/);
});
