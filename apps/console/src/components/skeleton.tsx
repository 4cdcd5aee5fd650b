/** Placeholder with the shape of the loading content. */
import { classNames } from './class-names.ts';

export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-pulse rounded-md bg-raised', className ?? 'h-4')} />;
}

const widths = ['w-1/2', 'w-2/3', 'w-2/5', 'w-3/5', 'w-1/3'];

/** `rows`: the expected length of the list. */
export function SkeletonRows({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no keys and a fixed order
        <div key={row} className="flex items-center gap-4 px-5 py-4">
          <Skeleton className={classNames('h-4', widths[row % widths.length])} />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
