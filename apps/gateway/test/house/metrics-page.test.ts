/** docs/metrics.md lists every metric that a gateway exposes. */

import { expect, test } from 'bun:test';
import { metricCatalogue } from '../../src/bootstrap/metric-catalogue.ts';
import { expectPart, table } from './document-part.ts';
import { sourceFiles } from './source-files.ts';

const catalogue = Object.values(metricCatalogue);

test('the table of metrics is the catalogue', async () => {
  const rows = catalogue.map(({ name, kind, labels, help }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  await expectPart('metrics.md', 'metrics', table(['metric', 'kind', 'labels', 'meaning'], rows));
});

test('names follow the advice of Prometheus: base units at the end, _total for counters alone', () => {
  for (const { name, kind } of catalogue) {
    expect(name).toMatch(/^(flowgate|process)_[a-z_]+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|percent|count|sum|bucket)(_total)?$/);
  }
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
});

test('every meaning is a sentence, and every histogram has rising bounds', () => {
  for (const { help, ...description } of catalogue) {
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    const bounds: readonly number[] = 'bounds' in description ? description.bounds : [];
    expect([...bounds].sort((one, other) => one - other)).toEqual([...bounds]);
    expect(bounds.length > 0).toBe(description.kind === 'histogram');
  }
});

test('who leads a job shows in the metrics', async () => {
  const leading = (await sourceFiles()).filter(({ text }) => /(?<!function )\brunWhileLeader\(/.test(text));
  expect(leading.length).toBeGreaterThan(1);
  expect(leading.filter(({ text }) => !text.includes('meteredLeadership(')).map(({ path }) => path)).toEqual([]);
});
