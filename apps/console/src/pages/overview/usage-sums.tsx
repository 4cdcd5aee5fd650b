/** Requests, refusals and latency of a range, with the change from the previous range. */
import { wholeNumber } from '../../format/whole-number.ts';
import type { UsageSums } from './usage-series.ts';

export type UsageSumsListProps = {
  readonly of: UsageSums;
  readonly before: UsageSums;
  /** For example "the previous hour". */
  readonly beforeWords: string;
};

type Entry = {
  readonly title: string;
  readonly value: string;
  readonly mark?: string;
  readonly current?: number | undefined;
  readonly earlier?: number | undefined;
};

export function UsageSumsList({ of, before, beforeWords }: UsageSumsListProps) {
  const { requests, refused, limited, cached, p95Ms } = of;
  const entries: readonly Entry[] = [
    {
      title: 'Requests',
      value: wholeNumber(requests),
      mark: 'before:bg-accent',
      current: requests,
      earlier: before.requests,
    },
    {
      title: 'Refused or failed',
      value: wholeNumber(refused),
      mark: 'before:bg-bad',
      current: refused,
      earlier: before.refused,
    },
    {
      ...{ title: 'Latency, p95', value: p95Ms === undefined ? '–' : `${milliseconds(p95Ms)} ms` },
      ...{ current: p95Ms, earlier: before.p95Ms },
    },
    { title: 'Rate limited', value: wholeNumber(limited) },
    { title: 'From cache', value: wholeNumber(cached) },
  ];
  return (
    <dl className="mb-4 grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
      {entries.map(({ title, value, mark, current, earlier }) => (
        <div key={title}>
          <dt
            className={`flex items-center gap-1.5 text-xs text-faint ${mark === undefined ? '' : `before:size-2 before:shrink-0 before:rounded-full before:content-[''] ${mark}`}`}
          >
            {title}
          </dt>
          <dd className="text-xl font-semibold tracking-tight">{value}</dd>
          {current !== undefined && earlier !== undefined && earlier > 0 && (
            <dd className="text-xs text-faint">
              {change(current, earlier)}
              <span className="sr-only"> compared with {beforeWords}</span>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

const milliseconds = (ms: number): string => (ms < 10 ? ms.toFixed(1) : wholeNumber(Math.round(ms)));

/** Above this, a factor is easier to read than a percentage. */
const maxPercent = 1_000;

function change(current: number, earlier: number): string {
  const percent = Math.round((current / earlier - 1) * 100);
  if (percent === 0) return 'unchanged';
  if (percent > maxPercent) return `${wholeNumber(Math.round(current / earlier))} times`;
  return `${percent > 0 ? '+' : '−'}${wholeNumber(Math.abs(percent))}%`;
}
