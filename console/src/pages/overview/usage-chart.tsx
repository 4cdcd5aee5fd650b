/** The series as lines, drawn by uPlot; loaded when there is something to draw. Those who do not see it have the table. */
import 'uplot/dist/uPlot.min.css';
import type { UsageBucket } from '@flowgate/client';
import { useEffect, useRef } from 'react';
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
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const chart = new UPlot(optionsFor(element, bucket), dataOf(series), element);
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    // Colours are asked for at each drawing.
    const redraw = () => chart.redraw(false, true);
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
      <div
        ref={place}
        role="img"
        aria-label={`${title}: requests, and those refused or failed`}
        className="h-56 w-full overflow-hidden"
      />
      <details className="mt-3">
        <summary className="w-fit rounded text-sm text-soft">As a table</summary>
        <UsageTable series={series} bucket={bucket} />
      </details>
    </>
  );
}

const dataOf = ({ at, requests, refused }: UsageSeries): UPlot.AlignedData => [[...at], [...requests], [...refused]];

function optionsFor(element: HTMLElement, bucket: UsageBucket): UPlot.Options {
  const colour = (name: string) => () => colourOf(element, name);
  const axis: UPlot.Axis = {
    stroke: colour('faint'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const line = (name: string): UPlot.Series => ({ stroke: colour(name), width: 2, points: { show: false } });
  return {
    width: element.clientWidth,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_chart, _least, most) => [0, Math.max(4, most * 1.1)] } },
    axes: [
      { ...axis, space: 72, values: (_chart, times) => times.map((at) => onAxis[bucket].format(at * 1_000)) },
      { ...axis, size: 56, space: 40, incrs: wholeSteps, values: (_chart, values) => values.map(wholeNumber) },
    ],
    series: [{}, { ...line('accent'), fill: colour('accent-soft') }, line('bad')],
  };
}

/** There is no half a request. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** A colour of the present scheme, as a canvas takes it. */
function colourOf(element: HTMLElement, name: string): string {
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
