/** Requests, refusals and latency over time. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Select } from '../../components/field.tsx';
import { ChartLine } from '../../components/icons.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { fileLoader } from '../../frame/page-files.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { rangeBeforeStart, rangeStart, seriesOf, sumsOf, type UsageRange, usageRanges } from './usage-series.ts';
import { UsageSumsList } from './usage-sums.tsx';

/** Loaded last, because the chart is the largest part of the overview. */
const UsageChart = lazy(
  fileLoader(async () => {
    await idle();
    return { default: (await import('./usage-chart.tsx')).UsageChart };
  }),
);

/** Upper bound of the wait; Safari has no `requestIdleCallback`. */
const maxIdleMs = 2_000;
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: maxIdleMs });
    else setTimeout(resolve, 200);
  });
}

/** The gateway writes its counts every 10 seconds. */
const refreshMs = 15_000;

export function UsageCard() {
  const client = useGateway();
  const [range, setRange] = useState<UsageRange>(usageRanges[0]);
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', range.id],
    queryFn: async ({ signal }) => {
      const nowMs = Date.now();
      const from = rangeBeforeStart(range, nowMs).toISOString();
      const rows = await client.usage({ from, bucket: range.bucket }, { signal });
      const startMs = rangeStart(range, nowMs).getTime();
      const [now, before] = [
        rows.filter(({ at }) => Date.parse(at) >= startMs),
        rows.filter(({ at }) => Date.parse(at) < startMs),
      ];
      return { sums: sumsOf(now), before: sumsOf(before), series: seriesOf(now, range, nowMs) };
    },
    refetchInterval: refreshMs,
  });
  return (
    <Card
      title="Usage"
      actions={
        <Select
          aria-label="Time range"
          className="w-auto!"
          value={range.id}
          onChange={({ target }) => setRange(usageRanges.find(({ id }) => id === target.value) ?? usageRanges[0])}
        >
          {usageRanges.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-64" />}
      {data !== undefined && data.sums.requests === 0 && (
        <EmptyState
          icon={ChartLine}
          title="No requests in this period"
          action={
            <ButtonLink href="/playground" size="sm">
              Open playground
            </ButtonLink>
          }
        >
          Calls appear here within seconds.
        </EmptyState>
      )}
      {data !== undefined && data.sums.requests > 0 && (
        <>
          <UsageSumsList of={data.sums} before={data.before} beforeWords={range.before} />
          <Suspense fallback={<Skeleton className="h-56" />}>
            <UsageChart series={data.series} bucket={range.bucket} title={range.title} />
          </Suspense>
        </>
      )}
    </Card>
  );
}
