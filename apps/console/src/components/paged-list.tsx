/** States of a paged list: loading, empty, failed, and the button for the next page. */
import type { ReactNode } from 'react';
import type { PagedQuery } from '../gateway/use-pages.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { SkeletonRows } from './skeleton.tsx';

export type PagedListProps<T> = {
  readonly query: PagedQuery<T>;
  readonly empty: ReactNode;
  readonly children: (entries: readonly T[]) => ReactNode;
};

export function PagedList<T>({ query, empty, children }: PagedListProps<T>) {
  const { entries, error, hasMore, isLoadingMore, loadMore, refetch } = query;
  if (entries === undefined)
    return error === undefined ? (
      <SkeletonRows />
    ) : (
      <div className="p-5">
        <ErrorNotice error={error} onRetry={refetch} />
      </div>
    );
  return (
    <>
      {entries.length === 0 ? empty : children(entries)}
      {error !== undefined && (
        <div className="border-t border-line p-5">
          <ErrorNotice error={error} onRetry={refetch} />
        </div>
      )}
      {hasMore && (
        <div className="border-t border-line p-3 text-center">
          <Button tone="quiet" busy={isLoadingMore} onClick={loadMore}>
            {isLoadingMore ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  );
}
