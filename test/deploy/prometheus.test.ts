/**
 * The alert rules and the dashboard query existing metrics, in valid expressions, and every alert leads to an entry of
 * docs/operate/incidents.md.
 */

import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promtoolMissing } from '@flowgate/testing/metrics-text';
import { metricCatalog } from '../../apps/gateway/src/bootstrap/metric-catalog.ts';
import { page } from '../repository/doc-pages.ts';
import { deployText, deployYaml, isRecord, listAt, repository, textAt } from './deploy-files.ts';

const rulesFile = 'prometheus/flowgate.rules.yaml';
const [file] = await deployYaml(rulesFile);
const rules = listAt(file, 'groups', 0, 'rules');
const dashboard: unknown = JSON.parse(await deployText('grafana/flowgate.json'));
/** A time range that Grafana fills in, and the selection of gateways. */
const filledIn = (expression: string) => expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
const queries = listAt(dashboard, 'panels')
  .flatMap((panel) => (isRecord(panel) && panel['type'] !== 'row' ? listAt(panel, 'targets') : []))
  .map((target) => filledIn(textAt(target, 'expr')));
const expressions = [...rules.map((rule) => textAt(rule, 'expr')), ...queries];

/** The name of every series that a gateway exposes. */
const exposed = Object.values(metricCatalog).flatMap(({ name, kind }) =>
  kind === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name],
);

test('every queried metric is exposed, and nearly every exposed metric is queried', () => {
  const asked = new Set(expressions.flatMap((text) => text.match(/\b(?:flowgate|process)_[a-z_]+/g) ?? []));
  expect([...asked].filter((name) => !exposed.includes(name))).toEqual([]);
  const shown = Object.values(metricCatalog)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('flowgate_'));
  expect(shown.filter((name) => ![...asked].some((each) => each.startsWith(name)))).toEqual([]);
});

test('queried labels are those of the metric, of Prometheus or of workers', () => {
  const labels = new Set<string>(Object.values(metricCatalog).flatMap((each) => [...each.labels]));
  // Prometheus reserves `job` and renames such a label.
  const known = new Set([...labels, 'exported_job', 'instance', 'job', 'le', 'worker']);
  const asked = expressions.flatMap((text) => [
    ...[...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(',').map((each) => each.trim()),
    ),
    ...[...text.matchAll(/([a-z_]+)(?:=~|!=|=)"/g)].map(([, name = '']) => name),
  ]);
  expect(asked.filter((label) => !known.has(label))).toEqual([]);
});

test('each alert has a severity and names its entry, and each entry has its alert', async () => {
  const text = await page('operate/incidents.md');
  const [, alerts = ''] = text.split('\n## Alerts\n');
  const [section = ''] = alerts.split('\n## ');
  const anchors = [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  const named = rules.map((rule) => textAt(rule, 'annotations', 'runbook').replace('docs/operate/incidents.md#', ''));
  expect([...new Set(named)].sort()).toEqual([...anchors].sort());
  for (const rule of rules) {
    expect(['critical', 'warning']).toContain(textAt(rule, 'labels', 'severity'));
    expect(textAt(rule, 'annotations', 'summary')).toMatch(/\.$/);
  }
});

describe.skipIf(promtoolMissing !== undefined)('promtool', () => {
  const promtool = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', ...args], { cwd: repository });
    return { exitCode, said: stdout.toString() + stderr.toString() };
  };

  test('accepts the rules', () => {
    const { exitCode, said } = promtool('check', 'rules', `deploy/${rulesFile}`);
    expect([exitCode, said]).toEqual([0, expect.stringContaining(`SUCCESS: ${rules.length} rules found`)]);
  });

  test('finds that alerts fire exactly when they should', () => {
    const { exitCode, said } = promtool('test', 'rules', 'deploy/prometheus/flowgate.rules.test.yaml');
    expect([exitCode, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('accepts every query of the dashboard', () => {
    const directory = mkdtempSync(join(tmpdir(), 'flowgate-dashboard-'));
    try {
      const recorded = queries.map((expr, at) => ({ record: `query:${at}`, expr }));
      const path = join(directory, 'queries.yaml');
      writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
      const { exitCode, said } = promtool('check', 'rules', path);
      expect([exitCode, said]).toEqual([0, expect.stringContaining(`SUCCESS: ${queries.length} rules found`)]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
