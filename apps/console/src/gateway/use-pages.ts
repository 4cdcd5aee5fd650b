/** A paged list; the user loads further pages. */
import type { Page } from '@flowgate/client';
import { useInfiniteQuery } from '@tanstack/react-query';

export type PagedQuery<T> = {
  /** The loaded entries; undefined before the first page. */
  readonly entries: readonly T[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly refetch: () => void;
};

const pageSize = 25;

export type UsePagesOptions<T> = {
  /** Refresh interval in milliseconds; false disables it. */
  readonly refreshMs?: (entries: readonly T[]) => number | false;
};

/** `key` identifies the list and its filter. `page` is a `page` method of the client. */
export function usePages<T>(
  key: readonly unknown[],
  page: (options: {
    readonly cursor?: string;
    readonly limit: number;
    readonly signal: AbortSignal;
  }) => Promise<Page<T>>,
  { refreshMs }: UsePagesOptions<T> = {},
): PagedQuery<T> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      page({ limit: pageSize, signal, ...(pageParam === undefined ? {} : { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) =>
      refreshMs === undefined || state.data === undefined ? false : refreshMs(entriesOf(state.data.pages)),
  });
  return {
    entries: query.data === undefined ? undefined : entriesOf(query.data.pages),
    error: query.error ?? undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}

function entriesOf<T>(pages: readonly Page<T>[]): readonly T[] {
  return pages.flatMap(({ data }) => [...data]);
}
