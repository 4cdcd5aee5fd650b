/** The networks and their state. */
import type { NetworkRecord } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { Network as NetworkIcon } from 'lucide-react';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';

const mostNetworks = 100;

export function NetworksCard() {
  const client = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: ['networks'],
    queryFn: async ({ signal }) => (await client.networks.page({ signal, limit: mostNetworks })).data,
    refetchInterval: 15_000,
  });
  return (
    <Card title="Networks" flush>
      {error !== null && data === undefined && (
        <div className="p-5">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data?.length === 0 && (
        <EmptyState icon={NetworkIcon} title="No network yet">
          The operator names networks in the gateway’s configuration.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label="Networks"
          rows={data}
          rowKey={({ dlt, networkId }) => `${dlt}/${networkId}`}
          columns={[
            { title: 'Network', phone: 'head', className: 'font-medium', cell: ({ name }) => name },
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

const states: Readonly<Record<NetworkRecord['status'], readonly [Tone, string]>> = {
  up: ['good', 'Up'],
  degraded: ['warn', 'Degraded'],
  down: ['bad', 'Down'],
  unknown: ['neutral', 'Not asked yet'],
};

function NetworkState({ of }: { readonly of: NetworkRecord }) {
  const [tone, text] = states[of.status];
  return <Badge tone={tone}>{text}</Badge>;
}
