/** Networks and their state. */
import { Link } from 'wouter';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { NoNetworks } from '../../gateway/no-networks.tsx';
import { networkPath, useNetworks } from '../../gateway/use-networks.ts';
import { NetworkState } from '../networks/network-state.tsx';

/** The networks page lists all of them. */
const maxShown = 8;

export function NetworksCard() {
  const { data, error, refetch } = useNetworks();
  return (
    <Card
      title="Networks"
      flush
      actions={
        <ButtonLink href="/networks" size="sm" tone="quiet">
          Show all
        </ButtonLink>
      }
    >
      {error !== null && data === undefined && (
        <div className="p-5">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data?.length === 0 && <NoNetworks />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label="Networks"
          rows={data.slice(0, maxShown)}
          rowKey={networkPath}
          columns={[
            {
              title: 'Network',
              phone: 'head',
              className: 'font-medium',
              cell: (network) => (
                <Link href={`/networks/${networkPath(network)}`} className="text-accent hover:underline">
                  {network.name}
                </Link>
              ),
            },
            {
              title: 'Path',
              cell: ({ dlt, networkId }) => (
                <code>
                  {dlt}/{networkId}
                </code>
              ),
            },
            { title: 'Chain', cell: ({ chainId }) => chainId ?? '–' },
            { title: 'State', cell: (network) => <NetworkState of={network} /> },
          ]}
        />
      )}
    </Card>
  );
}
