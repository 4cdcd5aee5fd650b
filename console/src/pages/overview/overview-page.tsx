/** What a person sees first: how much they use, what is left, which networks answer, what happened last. */
import { PageHead } from '../../components/card.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ActivityCard } from './activity-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LimitCard } from './limit-card.tsx';
import { NetworksCard } from './networks-card.tsx';
import { UsageCard } from './usage-card.tsx';

export function OverviewPage() {
  const { state } = useSession();
  const name = state.kind === 'signed-out' ? '' : state.person.name;
  return (
    <div>
      <PageHead title={`Hello, ${name}`} lead="What your keys did, and what the networks do." />
      <div className="grid gap-4">
        <LimitCard />
        <FirstSteps />
        <UsageCard />
        <NetworksCard />
        <ActivityCard />
      </div>
    </div>
  );
}
