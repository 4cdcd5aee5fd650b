/** The signed-in user as the gateway sees it. */
import { useQuery } from '@tanstack/react-query';
import { useGateway } from './gateway-context.tsx';

export function useMe() {
  const client = useGateway();
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => client.whoAmI({ signal }), staleTime: 60_000 });
}
