/** Writes metrics as text: the format of Prometheus (0.0.4) and that of OpenMetrics (1.0.0). */

import type { FamilySnapshot, MetricsSnapshot, Series } from './snapshot.ts';

export type ExpositionFormat = 'prometheus' | 'openmetrics';

export const expositionTypes: Readonly<Record<ExpositionFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Omits families without a series. */
export function writeMetrics(families: MetricsSnapshot, format: ExpositionFormat): string {
  const blocks = families.filter(({ series }) => series.length > 0).map((family) => writeFamily(family, format));
  return blocks.join('') + (format === 'openmetrics' ? '# EOF\n' : '');
}

/** OpenMetrics names a counter without `_total`, and its unit on a line of its own. */
function writeFamily(family: FamilySnapshot, format: ExpositionFormat): string {
  const { kind, help, series } = family;
  const isOpen = format === 'openmetrics';
  const name = isOpen && kind === 'counter' ? family.name.replace(/_total$/, '') : family.name;
  const unit = isOpen ? /_(seconds|bytes)$/.exec(name)?.[1] : undefined;
  return [
    `# HELP ${name} ${isOpen ? escaped(help) : help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
    `# TYPE ${name} ${kind}\n`,
    unit === undefined ? '' : `# UNIT ${name} ${unit}\n`,
    ...series.map((each) => (kind === 'histogram' ? writeHistogram(family, each) : writeSample(family, each))),
  ].join('');
}

function writeSample({ name, labels }: FamilySnapshot, { labelValues, numbers }: Series): string {
  return `${name}${labelText(labels, labelValues)} ${numberText(numbers[0] ?? 0)}\n`;
}

/** Writes cumulative buckets. */
function writeHistogram({ name, labels, bounds }: FamilySnapshot, { labelValues, numbers }: Series): string {
  const lines: string[] = [];
  let count = 0;
  for (let at = 0; at <= bounds.length; at++) {
    count += numbers[at] ?? 0;
    const bound = bounds[at];
    const le = bound === undefined ? '+Inf' : boundText(bound);
    lines.push(`${name}_bucket${labelText([...labels, 'le'], [...labelValues, le])} ${count}\n`);
  }
  const own = labelText(labels, labelValues);
  lines.push(`${name}_sum${own} ${numberText(numbers.at(-1) ?? 0)}\n`, `${name}_count${own} ${count}\n`);
  return lines.join('');
}

function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return '';
  return `{${names.map((name, at) => `${name}="${escaped(values[at] ?? '')}"`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/**
 * OpenMetrics requires a decimal point in every bound. The other format gets the same text, so that a series has the
 * same labels in both.
 */
function boundText(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

/** OpenMetrics for clients that accept its version 1.0.0 with at least the weight of plain text (RFC 9110 12.5.1). */
export function formatFor(accept: string | null): ExpositionFormat {
  let [open, plain] = [0, 0];
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const value = (name: string) => parameters.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
    const quality = Number(value('q') ?? '1');
    const version = value('version')?.replaceAll('"', '');
    if (!(quality > 0)) continue;
    if (type === 'application/openmetrics-text' && (version === undefined || version === '1.0.0'))
      open = Math.max(open, quality);
    else if (type === 'text/plain' || type === 'text/*' || type === '*/*') plain = Math.max(plain, quality);
  }
  return open > 0 && open >= plain ? 'openmetrics' : 'prometheus';
}
