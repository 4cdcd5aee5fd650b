/** docs/reference/metrics.md lists every metric that a gateway exposes. */

import { expect, test } from 'bun:test';
import { metricCatalog } from '../../apps/gateway/src/bootstrap/metric-catalog.ts';
import { expectPage, referencePage, table } from './doc-pages.ts';
import { metricLabels } from './metric-labels.ts';
import { sourceFiles } from './source-files.ts';

const catalog = Object.values(metricCatalog);
const code = (text: string) => `\`${text}\``;

test('the page is generated from the catalog', async () => {
  const metrics = catalog.map(({ name, kind, labels, help }) => [
    ...[code(name), kind, labels.map(code).join(', '), help],
  ]);
  const labels = metricLabels.map(({ label, metrics: of, values }) => [code(label), of.map(code).join(', '), values]);
  await expectPage(
    'reference/metrics.md',
    referencePage(
      'Metrics',
      '`GET /metrics` on the listener `server.metrics` returns these metrics in the text formats of Prometheus and OpenMetrics 1.0 ([Observe](../operate/observe.md)). No label contains a user, key, address, URL or method name.',
      table(['Metric', 'Type', 'Labels', 'Description'], metrics),
      '## Labels',
      'Each label has a closed set of values. With `server.workers`, gauges have the additional label `worker`: its number, or `supervisor`.',
      table(['Label', 'Metrics', 'Values'], labels),
    ),
  );
});

test('the list of labels has each label of each metric once', () => {
  const listed = metricLabels.flatMap(({ label, metrics }) => metrics.map((metric) => `${metric} ${label}`));
  const used = catalog.flatMap(({ name, labels }) => labels.map((label) => `${name} ${label}`));
  expect(listed.sort()).toEqual(used.sort());
});

test('names follow the conventions of Prometheus: base units at the end, _total only for counters', () => {
  for (const { name, kind } of catalog) {
    expect(name).toMatch(/^(flowgate|process)_[a-z_]+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|percent|count|sum|bucket)(_total)?$/);
  }
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
});

test('every description is a sentence, and every histogram has ascending bounds', () => {
  for (const { help, ...description } of catalog) {
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    const bounds: readonly number[] = 'bounds' in description ? description.bounds : [];
    expect([...bounds].sort((one, other) => one - other)).toEqual([...bounds]);
    expect(bounds.length > 0).toBe(description.kind === 'histogram');
  }
});

test('metrics show which gateway leads a job', async () => {
  const leading = (await sourceFiles()).filter(({ text }) => /(?<!function )\brunWhileLeader\(/.test(text));
  expect(leading.length).toBeGreaterThan(1);
  expect(leading.filter(({ text }) => !text.includes('meteredLeadership(')).map(({ path }) => path)).toEqual([]);
});
