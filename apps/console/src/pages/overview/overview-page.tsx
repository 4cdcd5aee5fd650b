/** Overview: first steps until the first call, then usage; rate limit, networks and recent activity. */
import { useQuery } from '@tanstack/react-query';
import { PageHead } from '../../components/card.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ActivityCard } from './activity-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LimitCard } from './limit-card.tsx';
import { NetworksCard } from './networks-card.tsx';
import { UsageCard } from './usage-card.tsx';

const maxKeys = 100;
/** Polls only until the first call. */
const refreshMs = 5_000;

export function OverviewPage() {
  const { state } = useSession();
  const client = useGateway();
  const { data: keys } = useQuery({
    queryKey: ['api-keys', 'first-steps'],
    queryFn: async ({ signal }) => {
      const { data } = await client.apiKeys.page({ signal, limit: maxKeys });
      return { any: data.length > 0, used: data.some(({ lastUsedAt }) => lastUsedAt !== undefined) };
    },
    refetchInterval: ({ state: { data } }) => (data?.any === true && !data.used ? refreshMs : false),
  });
  const name = state.kind === 'signed-out' ? '' : state.person.name;
  return (
    <div>
      <PageHead title={`Hello, ${name}`} lead="Your requests, your rate limit and this gateway’s networks." />
      <div className="grid gap-4">
        <LimitCard />
        {keys?.used === false ? <FirstSteps hasKey={keys.any} /> : <UsageCard />}
        <NetworksCard />
        <ActivityCard />
      </div>
    </div>
  );
}
