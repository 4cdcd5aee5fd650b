/** What to do first; gone once there is a key. */
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';

export function FirstSteps() {
  const client = useGateway();
  const { data } = useQuery({
    queryKey: ['api-keys', 'any'],
    queryFn: async ({ signal }) => (await client.apiKeys.page({ signal, limit: 1 })).data.length > 0,
  });
  if (data !== false) return null;
  return (
    <Card flush>
      <EmptyState
        icon={KeyRound}
        title="Begin with an API key"
        action={
          <ButtonLink href="/keys" tone="primary">
            Create key
          </ButtonLink>
        }
      >
        With it your wallet, backend or indexer calls every network here.
      </EmptyState>
    </Card>
  );
}
