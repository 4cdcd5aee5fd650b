/** Bar chart of the series (uPlot), loaded on demand. The table has the same numbers. */
import 'uplot/dist/uPlot.min.css';
import type { UsageBucket } from '@flowgate/client';
import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import { wholeNumber } from '../../format/whole-number.ts';
import type { UsageSeries } from './usage-series.ts';

export type UsageChartProps = {
  readonly series: UsageSeries;
  readonly bucket: UsageBucket;
  readonly title: string;
};

const height = 224;
const schemeQuery = '(prefers-color-scheme: dark)';

export function UsageChart({ series, bucket, title }: UsageChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number>();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const chart = new UPlot(optionsFor(element, bucket, setHovered), dataOf(series), element);
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    // Colors are read on each draw; bars cache theirs with their paths.
    const redraw = () => chart.redraw(true, true);
    const scheme = new MutationObserver(redraw);
    scheme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] });
    const system = matchMedia(schemeQuery);
    system.addEventListener('change', redraw);
    return () => {
      resized.disconnect();
      scheme.disconnect();
      system.removeEventListener('change', redraw);
      chart.destroy();
    };
  }, [series, bucket]);
  return (
    <>
      <div className="relative">
        <div
          ref={place}
          role="img"
          aria-label={`${title}: requests, and requests refused or failed`}
          className="h-56 w-full overflow-hidden"
        />
        {hovered !== undefined && (
          <p
            aria-hidden="true"
            className="pointer-events-none absolute top-1 right-2 rounded-md border border-line bg-surface px-2 py-1 text-xs shadow-float"
          >
            {breakdown(series, hovered, bucket)}
          </p>
        )}
      </div>
      <details className="mt-3">
        <summary className="w-fit rounded text-sm text-soft">Show as table</summary>
        <UsageTable series={series} bucket={bucket} />
      </details>
    </>
  );
}

const dataOf = ({ at, requests, refused }: UsageSeries): UPlot.AlignedData => [[...at], [...requests], [...refused]];

function optionsFor(
  element: HTMLElement,
  bucket: UsageBucket,
  onHover: (at: number | undefined) => void,
): UPlot.Options {
  const color = (name: string) => () => colorOf(element, name);
  const axis: UPlot.Axis = {
    stroke: color('faint'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
  // A bucket without requests has no bar, where a line chart would show zero.
  const { bars } = UPlot.paths;
  const bar = (name: string): UPlot.Series => ({
    ...{ stroke: color(name), fill: color(name), width: 0, points: { show: false } },
    ...(bars !== undefined && { paths: bars({ size: [0.7, 32] }) }),
  });
  return {
    width: element.clientWidth,
    height,
    // On the right, half of the last label's width.
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor: { idx } }) => onHover(idx ?? undefined)] },
    scales: {
      x: { range: (_chart, first, last) => [first - halfBucket[bucket], last + halfBucket[bucket]] },
      y: { range: (_chart, _least, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ...{ space: 72, size: 28 },
        values: (_chart, times) => times.map((at) => onAxis[bucket].format(at * 1_000)),
      },
      { ...axis, size: 56, space: 40, incrs: wholeSteps, values: (_chart, values) => values.map(wholeNumber) },
    ],
    series: [{}, bar('accent'), bar('bad')],
  };
}

/** Half a bucket's length in seconds. */
const halfBucket: Readonly<Record<UsageBucket, number>> = { minute: 30, hour: 1_800, day: 43_200 };

/** Describes the bucket under the pointer in one line. */
function breakdown({ at, requests, refused, p95Ms }: UsageSeries, place: number, bucket: UsageBucket): string {
  const p95 = p95Ms[place];
  return [
    written[bucket].format((at[place] ?? 0) * 1_000),
    `${wholeNumber(requests[place] ?? 0)} requests`,
    `${wholeNumber(refused[place] ?? 0)} refused or failed`,
    ...(p95 === undefined ? [] : [`p95 ${wholeNumber(Math.round(p95))} ms`]),
  ].join(' · ');
}

/** Integer axis steps, because requests are whole numbers. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Resolves a color of the current scheme for the canvas. */
function colorOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--color-${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const onAxis = {
  minute: new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }),
  hour: new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
} as const;

const written = {
  minute: new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }),
  hour: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }),
} as const;

function UsageTable({ series, bucket }: { readonly series: UsageSeries; readonly bucket: UsageBucket }) {
  const rows = series.at
    .map((at, place) => ({ at, requests: series.requests[place] ?? 0, refused: series.refused[place] ?? 0 }))
    .filter(({ requests }) => requests > 0)
    .reverse();
  return (
    <table className="mt-2 w-full max-w-md text-left text-sm">
      <thead className="text-xs text-faint">
        <tr>
          <th scope="col" className="py-1 font-medium">
            From
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Requests
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Refused or failed
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ at, requests, refused }) => (
          <tr key={at}>
            <td className="py-1">{written[bucket].format(at * 1_000)}</td>
            <td className="py-1 text-right">{wholeNumber(requests)}</td>
            <td className="py-1 text-right">{wholeNumber(refused)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
