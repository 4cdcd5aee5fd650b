/** Requests and refusals over time. */
import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Select } from '../../components/field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { fileLoader } from '../../frame/page-files.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { rangeStart, seriesOf, sumsOf, type UsageRange, type UsageSums, usageRanges } from './usage-series.ts';

/** The chart is the heaviest part of the overview: what is drawn without it comes first. */
const UsageChart = lazy(
  fileLoader(async () => {
    await idle();
    return { default: (await import('./usage-chart.tsx')).UsageChart };
  }),
);

/** Safari has no idle callbacks. */
const mostIdleMs = 2_000;
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: mostIdleMs });
    else setTimeout(resolve, 200);
  });
}

/** The gateway writes what it counted every ten seconds. */
const refreshMs = 15_000;

export function UsageCard() {
  const client = useGateway();
  const [range, setRange] = useState<UsageRange>(usageRanges[0]);
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', range.id],
    queryFn: async ({ signal }) => {
      const nowMs = Date.now();
      const from = rangeStart(range, nowMs).toISOString();
      return { nowMs, rows: await client.usage({ from, bucket: range.bucket }, { signal }) };
    },
    refetchInterval: refreshMs,
  });
  return (
    <Card
      title="Usage"
      actions={
        <Select
          aria-label="Range of time"
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
      {data !== undefined && data.rows.length === 0 && (
        <EmptyState
          icon={ChartLine}
          title="No request in this time"
          action={
            <ButtonLink href="/playground" size="sm">
              Open the playground
            </ButtonLink>
          }
        >
          Calls show up here within seconds.
        </EmptyState>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <>
          <Sums of={sumsOf(data.rows)} />
          <Suspense fallback={<Skeleton className="h-56" />}>
            <UsageChart series={seriesOf(data.rows, range, data.nowMs)} bucket={range.bucket} title={range.title} />
          </Suspense>
        </>
      )}
    </Card>
  );
}

function Sums({ of: { requests, refused, limited, cached } }: { readonly of: UsageSums }) {
  const entries = [
    ['Requests', wholeNumber(requests), 'before:bg-accent'],
    ['Refused or failed', wholeNumber(refused), 'before:bg-bad'],
    ['Of these by a limit', wholeNumber(limited), ''],
    ['From the cache', wholeNumber(cached), ''],
  ] as const;
  return (
    <dl className="mb-4 grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:gap-x-10">
      {entries.map(([title, value, mark]) => (
        <div key={title}>
          <dt
            className={`flex items-center gap-1.5 text-xs text-faint ${mark === '' ? '' : `before:size-2 before:shrink-0 before:rounded-full before:content-[''] ${mark}`}`}
          >
            {title}
          </dt>
          <dd className="text-xl font-semibold tracking-tight">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
