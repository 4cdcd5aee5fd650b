/** The manifests of deploy/kubernetes are consistent with each other and with the gateway. */

import { expect, test } from 'bun:test';
import { readConfig } from '../../apps/gateway/src/config/config-file.ts';
import { healthRoutes } from '../../apps/gateway/src/edge/pages/health-routes.ts';
import { at, deployFiles, deployText, deployYaml, isRecord, listAt, numberAt, textAt } from './deploy-files.ts';
import { exampleEnvironment, neededVariables } from './shipped-configs.ts';

const folder = 'kubernetes';
const manifests = (
  await Promise.all(
    deployFiles(`${folder}/**/*.yaml`)
      .filter((path) => !path.endsWith('/flowgate.yaml'))
      .map(deployYaml),
  )
).flat();
const configText = await deployText(`${folder}/flowgate.yaml`);
const config = (() => {
  const loaded = readConfig(configText, exampleEnvironment);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
})();

function only(kind: string): unknown {
  const found = manifests.filter((manifest) => at(manifest, 'kind') === kind);
  if (found.length !== 1) throw new Error(`${found.length} manifests of kind ${kind}`);
  return found[0];
}

const deployment = only('Deployment');
const pod = at(deployment, 'spec', 'template', 'spec');
const container = at(pod, 'containers', 0);
const podLabels = at(deployment, 'spec', 'template', 'metadata', 'labels');

/** Whether the pods have every label that the selector requires. */
function selectsPods(selector: unknown): boolean {
  return (
    isRecord(selector) &&
    isRecord(podLabels) &&
    Object.keys(selector).length > 0 &&
    Object.entries(selector).every(([key, value]) => podLabels[key] === value)
  );
}

function seconds(probe: string): number {
  return numberAt(container, probe, 'periodSeconds') * numberAt(container, probe, 'failureThreshold');
}

test('every manifest has a description, and kustomization.yaml lists all but the optional ones', async () => {
  for (const manifest of manifests) expect(textAt(manifest, 'apiVersion')).toMatch(/^([a-z0-9.]+\/)?v\d/);
  const files = deployFiles(`${folder}/*.yaml`).map((path) => path.slice(folder.length + 1));
  const listed = listAt(only('Kustomization'), 'resources').map(String);
  expect([...listed, 'flowgate.yaml', 'kustomization.yaml'].sort()).toEqual([...files]);
});

test('every selector matches the pods of the Deployment', () => {
  const selectors = [
    at(deployment, 'spec', 'selector', 'matchLabels'),
    at(only('Service'), 'spec', 'selector'),
    at(only('PodDisruptionBudget'), 'spec', 'selector', 'matchLabels'),
    at(only('NetworkPolicy'), 'spec', 'podSelector', 'matchLabels'),
    ...listAt(pod, 'topologySpreadConstraints').map((each) => at(each, 'labelSelector', 'matchLabels')),
  ];
  expect(selectors.map(selectsPods)).toEqual(selectors.map(() => true));
});

test('the port is the one that the gateway listens on, with one name from container to ingress', () => {
  const port = textAt(container, 'ports', 0, 'name');
  expect(numberAt(container, 'ports', 0, 'containerPort')).toBe(config.server.port);
  expect(config.server.host).toBe('0.0.0.0');
  const service = listAt(only('Service'), 'spec', 'ports');
  expect(service.map((each) => at(each, 'targetPort'))).toEqual([port]);
  expect(at(only('NetworkPolicy'), 'spec', 'ingress', 0, 'ports', 0, 'port')).toBe(port);
  const backend = at(only('Ingress'), 'spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service');
  expect(at(backend, 'name')).toBe(at(only('Service'), 'metadata', 'name'));
  expect(service.map((each) => at(each, 'name'))).toContain(at(backend, 'port', 'name'));
});

test('metrics are served at the port that the pod names, and only the namespace of Prometheus reaches them', () => {
  const [, metrics] = listAt(container, 'ports');
  expect(metrics).toEqual({ name: 'metrics', containerPort: config.server.metrics?.port });
  expect(config.server.metrics?.host).toBe('0.0.0.0');
  expect(at(deployment, 'spec', 'template', 'metadata', 'annotations')).toMatchObject({
    'prometheus.io/port': String(config.server.metrics?.port),
  });
  expect(at(only('PodMonitor'), 'spec', 'podMetricsEndpoints', 0, 'port')).toBe('metrics');
  expect(selectsPods(at(only('PodMonitor'), 'spec', 'selector', 'matchLabels'))).toBe(true);
  expect(at(only('NetworkPolicy'), 'spec', 'ingress', 1)).toEqual({
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    ports: [{ protocol: 'TCP', port: 'metrics' }],
  });
});

test('probes use existing routes, and only readiness depends on other services', () => {
  const routes = healthRoutes({
    database: async () => true,
    identityProvider: async () => true,
    accepting: () => true,
    unreadyWorkers: async () => [],
  }).map(({ path }) => path);
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    expect(routes).toContain(textAt(container, probe, 'httpGet', 'path'));
    expect(at(container, probe, 'httpGet', 'port')).toBe(textAt(container, 'ports', 0, 'name'));
  }
  expect(textAt(container, 'readinessProbe', 'httpGet', 'path')).toBe('/readyz');
  expect(textAt(container, 'startupProbe', 'httpGet', 'path')).toBe('/healthz');
  expect(textAt(container, 'livenessProbe', 'httpGet', 'path')).toBe('/healthz');
});

test('a pod survives an outage of the shared database for as long as its cached keys work (contract/keys#verification)', () => {
  expect(seconds('readinessProbe')).toBeGreaterThanOrEqual(config.keys.cacheTtlSeconds);
});

test('a pod has enough time for its drain, and leaves the Service before it begins', () => {
  const [command, pause] = listAt(container, 'lifecycle', 'preStop', 'exec', 'command');
  expect(command).toBe('sleep');
  const grace = numberAt(pod, 'terminationGracePeriodSeconds');
  expect(grace).toBeGreaterThanOrEqual(Number(pause) + config.server.drainSeconds + 5);
});

test('a rolling update or a drained machine takes at most one gateway at a time', () => {
  expect(at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable')).toBe(0);
  expect(at(only('PodDisruptionBudget'), 'spec', 'maxUnavailable')).toBe(1);
  expect(numberAt(deployment, 'spec', 'replicas')).toBeGreaterThanOrEqual(2);
  const scaler = at(only('HorizontalPodAutoscaler'), 'spec');
  expect(at(scaler, 'scaleTargetRef', 'name')).toBe(at(deployment, 'metadata', 'name'));
  expect(numberAt(scaler, 'minReplicas')).toBeGreaterThanOrEqual(2);
});

test('the gateway starts with the file in the ConfigMap', () => {
  const generated = at(only('Kustomization'), 'configMapGenerator', 0);
  const volume = listAt(pod, 'volumes').find((each) => at(each, 'configMap', 'name') === at(generated, 'name'));
  const mount = listAt(container, 'volumeMounts').find((each) => at(each, 'name') === at(volume, 'name'));
  const args = listAt(container, 'args');
  expect(args).toEqual(['start', '--config', `${textAt(mount, 'mountPath')}/${at(generated, 'files', 0)}`]);
  expect(at(container, 'image')).toBe(at(only('Kustomization'), 'images', 0, 'name'));
});

test('the example of the Secret has exactly the variables of the configuration', () => {
  const secret = only('Secret');
  expect(Object.keys(at(secret, 'stringData') ?? {}).sort()).toEqual([...neededVariables(configText)]);
  expect(at(container, 'envFrom', 0, 'secretRef', 'name')).toBe(at(secret, 'metadata', 'name'));
});

test('the pod passes the restricted pod security standard that its namespace enforces', () => {
  expect(at(only('Namespace'), 'metadata', 'labels', 'pod-security.kubernetes.io/enforce')).toBe('restricted');
  expect(at(pod, 'securityContext', 'runAsNonRoot')).toBe(true);
  expect(at(pod, 'securityContext', 'seccompProfile', 'type')).toBe('RuntimeDefault');
  expect(at(container, 'securityContext')).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('the ingress waits longer than the gateway, passes large bodies so that the gateway answers 413, and repeats no request', () => {
  const annotation = (name: string) =>
    textAt(only('Ingress'), 'metadata', 'annotations', `nginx.ingress.kubernetes.io/${name}`);
  const { server, outbound, limits, networks } = config;
  const slowest = outbound.nodeTimeoutSeconds * Math.max(...networks.map(({ nodes }) => nodes.length));
  expect(Number(annotation('proxy-read-timeout'))).toBeGreaterThan(server.bodyTimeoutSeconds + slowest);
  expect(Number.parseInt(annotation('proxy-body-size'), 10) * 1024 * 1024).toBeGreaterThan(limits.maxBodyBytes);
  expect(annotation('proxy-next-upstream').split(' ')).not.toContain('non_idempotent');
});
