/** The approved providers for users' nodes. */
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Server } from '../../components/icons.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';

export function useProviders() {
  const client = useGateway();
  return useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => (await client.providers.page({ signal, limit: 100 })).data,
    staleTime: 300_000,
  });
}

export function ProvidersCard() {
  const { data, error, refetch } = useProviders();
  return (
    <Card
      flush
      title="Approved providers"
      lead="Your own nodes must be at one of these providers, with the provider’s key in the URL path."
    >
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data === undefined && error !== null && (
        <div className="p-5">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data?.length === 0 && (
        <EmptyState icon={Server} title="No approved providers">
          Only an administrator can register nodes here.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="grid gap-x-8 gap-y-3 px-5 pb-5 sm:grid-cols-2 lg:grid-cols-3">
          {data.map(({ providerId, name, domains }) => (
            <li key={providerId} className="min-w-0">
              <p className="font-medium break-words">{name}</p>
              <p className="text-xs break-words text-faint">{domains.join(', ')}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
