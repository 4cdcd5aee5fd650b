/** Indexing progress of bridges and pools. */
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Blocks } from '../../components/icons.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';

const pollMs = 5_000;

export function IndexersTab() {
  const { admin } = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'indexers'],
    queryFn: ({ signal }) => admin.indexers({ signal }),
    refetchInterval: pollMs,
  });
  return (
    <Card title="Indexer" lead="Progress of each indexed bridge and pool." flush>
      {error !== null && data === undefined && (
        <div className="p-5">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {error === null && data === undefined && <SkeletonRows rows={2} />}
      {data?.indexers.length === 0 && (
        <EmptyState icon={Blocks} title="Nothing to index">
          The gateway’s configuration has no bridges or pools.
        </EmptyState>
      )}
      {data !== undefined && data.indexers.length > 0 && (
        <DataTable
          label="Indexer"
          rows={data.indexers}
          rowKey={({ streamId }) => streamId}
          columns={[
            { title: 'Stream', phone: 'head', cell: ({ streamId }) => <code>{streamId}</code> },
            { title: 'Network', cell: ({ dlt, networkId }) => `${dlt}/${networkId}` },
            { title: 'Next block', align: 'right', cell: ({ nextBlock }) => nextBlock },
            { title: 'Behind', align: 'right', cell: ({ lagBlocks }) => lagBlocks ?? '–' },
            { title: 'Last read', cell: ({ readAt }) => <Time at={readAt} /> },
            {
              title: 'State',
              cell: ({ isStale, trouble }) =>
                isStale ? <Badge tone="bad">{trouble ?? 'Outdated'}</Badge> : <Badge tone="good">Up to date</Badge>,
            },
          ]}
        />
      )}
    </Card>
  );
}
