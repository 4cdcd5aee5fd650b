/** The metrics of a gateway over HTTP: what they count, and what they never contain (docs/reference/metrics.md). */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { promtoolMissing, type ReadFamily, readMetrics, sampleValue } from '@flowgate/testing/metrics-text';
import { until } from '@flowgate/testing/until';
import { metricCatalog } from '../../apps/gateway/src/bootstrap/metric-catalog.ts';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';
import { startWebhookReceiver } from '../../apps/gateway/test/fixtures/webhook-receiver.ts';

const userPerMinute = 40;
/** Not a read: reads make the gateway ask nodes for their heads, which would count, too. */
const call = { jsonrpc: '2.0', id: 1, method: 'custom_call' };

let gateway: RunningGateway;
let stop: FlowGateway['stop'];
let port: number;
beforeAll(async () => {
  ({ gateway, stop } = await startFlowGateway({
    server: { metrics: { port: 0 } },
    limits: { userPerMinute, invalidPerMinute: 5, sessionPerMinute: 100_000 },
  }));
  port = Number(/"event":"metrics.listening".*?"port":(\d+)/.exec(gateway.output())?.[1]);
});
afterAll(() => stop());
beforeEach(() => gateway.node.behave(wellBehaved));

const ask = (init: RequestInit = {}, path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`, init);
const read = async () => readMetrics(await (await ask()).text(), 'prometheus');

/** By how much a sample grows during `work`. */
async function growth(sample: string, labels: Readonly<Record<string, string>>, during: () => Promise<unknown>) {
  const before = sampleValue(await read(), sample, labels) ?? 0;
  await during();
  return (sampleValue(await read(), sample, labels) ?? 0) - before;
}

const requests = (surface: string, outcome: string, during: () => Promise<unknown>) =>
  growth('flowgate_requests_total', { surface, outcome }, during);

/** Every metric family with its sets of labels; histograms without their buckets. */
const seriesOf = (families: readonly ReadFamily[]) =>
  families.flatMap(({ samples }) =>
    samples.filter(({ name }) => !name.endsWith('_bucket')).map(({ name, labels }) => JSON.stringify([name, labels])),
  );

test('both formats contain the same, each in its own grammar; Prometheus text is the default', async () => {
  const plain = await ask();
  const open = await ask({ headers: { Accept: 'application/openmetrics-text;version=1.0.0,*/*;q=0.1' } });
  expect([plain.status, open.status]).toEqual([200, 200]);
  expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const inPlain = readMetrics(await plain.text(), 'prometheus');
  const inOpen = readMetrics(await open.text(), 'openmetrics');
  expect(seriesOf(inOpen)).toEqual(seriesOf(inPlain));
  expect(inOpen.map(({ help }) => help)).toEqual(inPlain.map(({ help }) => help));
});

test.skipIf(promtoolMissing !== undefined)('promtool reports no problem', async () => {
  const child = Bun.spawn(['promtool', 'check', 'metrics'], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' });
  child.stdin.write(await (await ask()).text());
  await child.stdin.end();
  expect(await new Response(child.stdout).text()).toBe('');
  expect(await new Response(child.stderr).text()).toBe('');
  expect(await child.exited).toBe(0);
});

test('every metric of the catalog is exposed, and no other, each with its labels', async () => {
  const families = await read();
  // Metrics of bridges and of a classifier exist where these are configured: bridge-indexer.test.ts,
  // flow-classifier.test.ts.
  const catalog = Object.values(metricCatalog).filter(
    ({ name }) => !name.startsWith('flowgate_indexer_') && name !== 'flowgate_flow_classifications_total',
  );
  expect(families.map(({ name }) => name).sort()).toEqual(catalog.map(({ name }) => name).sort());
  for (const { name, samples } of families) {
    const own = catalog.find((each) => each.name === name)?.labels ?? [];
    const shown = new Set(samples.flatMap(({ labels }) => Object.keys(labels)).filter((label) => label !== 'le'));
    expect([name, [...shown].sort()]).toEqual([name, [...own].sort()]);
  }
});

test('the listener answers only GET and HEAD of /metrics, and the port for callers has no metrics', async () => {
  expect((await ask({ method: 'HEAD' })).status).toBe(200);
  const posted = await ask({ method: 'POST', body: 'x' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  for (const path of ['/', '/metrics/', '/healthz', '/rpc', '/users/me/id'])
    expect((await ask({}, path)).status).toBe(404);
  expect((await gateway.fetch('/metrics')).status).toBe(404);
  const raw = await openRaw(port);
  raw.send('GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
  expect((await raw.next())?.status).toBe(400);
  raw.close();
});

test('requests count once, by surface and outcome, with their duration', async () => {
  const { apiKey } = await gateway.mint('counted');
  const bearer = { Authorization: `Bearer ${gateway.token('counted')}` };
  expect(await requests('rpc', 'ok', () => gateway.rpc(apiKey, call))).toBe(1);
  expect(await requests('rpc', 'ok', () => gateway.rpc(apiKey, [call, { ...call, method: 'admin_peers' }]))).toBe(1);
  expect(await requests('rpc', 'method-blocked', () => gateway.rpc(apiKey, { ...call, method: 'admin_peers' }))).toBe(
    1,
  );
  expect(await requests('rpc', 'parse-error', () => gateway.rpc(apiKey, '{'))).toBe(1);
  expect(await requests('rpc', 'credential-invalid', () => gateway.rpc(unknownKey(), call))).toBe(1);
  expect(await requests('rest', 'ok', () => gateway.fetch('/users/me/id', { headers: bearer }))).toBe(1);
  expect(await requests('rest', 'credential-missing', () => gateway.fetch('/users/me/id'))).toBe(1);
  expect(await requests('rest', 'not-found', () => gateway.fetch('/users/me/nothing'))).toBe(1);
  expect(await requests('flow', 'ok', () => gateway.fetch('/flow/sessions', { headers: bearer }))).toBe(1);
  expect(await requests('public', 'ok', () => gateway.fetch('/healthz'))).toBe(1);
  const seconds = (surface: string, during: () => Promise<unknown>) =>
    growth('flowgate_request_duration_seconds_count', { surface }, during);
  expect(await seconds('rpc', () => gateway.rpc(apiKey, call))).toBe(1);
  const broken = async () => {
    const raw = await openRaw(gateway.port);
    raw.send('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    expect((await raw.next())?.status).toBe(400);
    raw.close();
  };
  expect(await requests('rest', 'bad-request', broken)).toBe(1);
});

test('refused requests count by their limit', async () => {
  const bearer = { Authorization: `Bearer ${gateway.token('hasty')}` };
  const over = await growth('flowgate_limited_total', { surface: 'rest', limit: 'requests' }, async () => {
    for (let at = 0; at < userPerMinute + 3; at++) await gateway.fetch('/users/me/id', { headers: bearer });
  });
  expect(over).toBe(3);
  const guesses = await growth('flowgate_limited_total', { surface: 'rpc', limit: 'credentials' }, async () => {
    for (let at = 0; at < 12; at++) await gateway.rpc(unknownKey(), call);
  });
  expect(guesses).toBeGreaterThanOrEqual(7);
});

test('metrics show the answers of nodes and the state of nodes', async () => {
  const { apiKey } = await gateway.mint('nodes');
  const [labels, tries] = [{ network: 'ethereum/dev', node: 'dev-1' }, 'flowgate_node_requests_total'];
  const grown = (outcome: string, during: () => Promise<unknown>) => growth(tries, { ...labels, outcome }, during);
  expect(await grown('answered', () => gateway.rpc(apiKey, call))).toBe(1);
  expect(await grown('answered', () => gateway.rpc(apiKey, [call, call, call]))).toBe(1);
  expect(sampleValue(await read(), 'flowgate_node_state', { ...labels, state: 'healthy' })).toBe(1);
  await until('a check has found the head', async () => sampleValue(await read(), 'flowgate_node_head', labels) === 16);
  gateway.node.behave((body) => {
    const { id } = JSON.parse(body) as { id: unknown };
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32000, message: 'reverted' } });
  });
  expect(await grown('error', () => gateway.rpc(apiKey, call))).toBe(1);
  gateway.node.behave(() => new Response('<html>', { status: 200 }));
  const failing = () => Promise.all(Array.from({ length: 20 }, () => gateway.rpc(apiKey, call)));
  expect(await grown('unusable', failing)).toBe(20);
  const states = (families: readonly ReadFamily[]) =>
    ['healthy', 'unhealthy', 'resting', 'out'].map((state) =>
      sampleValue(families, 'flowgate_node_state', { ...labels, state }),
    );
  expect(states(await read())).toEqual([0, 0, 1, 0]);
  gateway.node.behave(wellBehaved);
  let users = 0;
  await until('it has recovered', async () => {
    // Only calls of users probe the node. Each is of another user, so that no rate limit applies.
    const { apiKey: ofAnother } = await gateway.mint(`prober-${users++}`);
    await gateway.rpc(ofAnother, call);
    return states(await read())[0] === 1;
  });
});

test('metrics show steps, deliveries, statements and leaders', async () => {
  const receiver = startWebhookReceiver();
  const user = flowClient(gateway, 'stepper');
  const made = await user.post('/flow/apps/acme/counter/subscriptions', {
    eventType: 'session_completed',
    targetUrl: `${receiver.url}/hook`,
  });
  expect(made.status).toBe(201);
  const deliveries = await growth('flowgate_webhook_deliveries_total', { outcome: 'delivered' }, async () => {
    const steps = await growth('flowgate_flow_steps_total', { outcome: 'committed' }, async () => {
      const session = await user.add(await user.start());
      await user.finish(session);
      const other = await user.start();
      await gateway.fetch(`/flow/sessions/${other.sessionId}`, { method: 'DELETE', headers: { ...user.headers } });
    });
    expect(steps).toBe(2);
    await receiver.received(1);
    const outcome = { outcome: 'delivered' };
    await until(
      'it is counted',
      async () => (sampleValue(await read(), 'flowgate_webhook_deliveries_total', outcome) ?? 0) > 0,
    );
  });
  expect(deliveries).toBe(1);
  const families = await read();
  for (const operation of ['query', 'transaction'])
    expect(
      sampleValue(families, 'flowgate_store_duration_seconds_count', { engine: 'sqlite', operation }),
    ).toBeGreaterThan(0);
  await until(
    'it leads',
    async () => sampleValue(await read(), 'flowgate_leader', { job: 'flow session expiry' }) === 1,
  );
  await receiver.stop();
});

test('open connections of callers are counted, connections to the metrics listener are not', async () => {
  const open = async () => sampleValue(await read(), 'flowgate_connections') ?? 0;
  const before = await open();
  const raw = await openRaw(gateway.port);
  raw.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await raw.next();
  expect(await open()).toBe(before + 1);
  raw.close();
  await until('it is closed', async () => (await open()) === before);
});

test('each series occurs once, because a scraper refuses a page with duplicates', async () => {
  const text = await (await ask()).text();
  const names = text
    .split('\n')
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.replace(/ \S+$/, '')]));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('metrics contain no data of a caller: no user, key, path or method, and callers create no series', async () => {
  const { apiKey, keyId } = await gateway.mint('mallory-the-user');
  const before = seriesOf(await read());
  for (const method of ['eth_chainId', 'madeUp_method', 'x'.repeat(500), 'a"b\\n'])
    await gateway.rpc(apiKey, { ...call, method });
  await gateway.fetch(`/rpc/${apiKey}`, { method: 'POST', body: JSON.stringify(call) });
  await gateway.fetch('/some/made-up/path?and=query');
  await gateway.rpc(apiKey, call, '/dlts/nothing/networks/nowhere/rpc');
  const text = await (await ask()).text();
  expect(seriesOf(readMetrics(text, 'prometheus'))).toEqual(before);
  for (const secret of [
    'mallory',
    keyId,
    apiKey.slice(apiKey.indexOf('.') + 1),
    'made',
    'madeUp',
    gateway.node.url,
    '127.0.0.1',
  ])
    expect(text).not.toContain(secret);
});
