/** What a session has done, at its end: the app's own events, and where a deployed contract is listed. */
import type { FlowEvent } from '@flowgate/client/flow-wire';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card } from '../../../components/card.tsx';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { toldIn } from './event-log.tsx';
import { FactsList, inWords } from './facts-list.tsx';

const platformTypes: readonly string[] = [
  ...['session_created', 'step_submitted', 'session_completed'],
  ...['session_cancelled', 'session_expired', 'session_failed'],
];

const addressForm = /^0x[0-9a-f]{40}$/i;
const maxContracts = 100;

export function ResultsCard({ events }: { readonly events: readonly FlowEvent[] }) {
  const results = events.filter(({ type }) => !platformTypes.includes(type));
  if (results.length === 0) return null;
  return (
    <Card title="Results">
      <ul className="flex flex-col gap-4">
        {results.map((event) => (
          <li key={event.id}>
            <h3 className="font-medium">{inWords(event.type)}</h3>
            <FactsList facts={toldIn(event.data)} />
            <ContractLink of={event} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** For an event of a deployment. */
function ContractLink({ of: { type, data } }: { readonly of: FlowEvent }) {
  const client = useGateway();
  const address =
    typeof data['address'] === 'string' && addressForm.test(data['address']) ? data['address'] : undefined;
  const isDeployment = address !== undefined && /deploy/i.test(type);
  const { data: isListed } = useQuery({
    queryKey: ['deployed-contracts', 'listed', address],
    queryFn: async ({ signal }) => {
      const page = await client.deployedContracts.page({ limit: maxContracts, signal });
      return page.data.some((each) => each.address.toLowerCase() === address?.toLowerCase());
    },
    enabled: isDeployment,
  });
  if (!isDeployment || isListed === undefined) return null;
  return (
    <p className="mt-2 text-sm text-soft">
      {isListed ? (
        <Link href="/contracts" className="text-accent underline underline-offset-2">
          See it under Contracts
        </Link>
      ) : (
        <>
          It is not under{' '}
          <Link href="/contracts" className="text-accent underline underline-offset-2">
            Contracts
          </Link>
          : its transaction reached the chain over another connection than this gateway.
        </>
      )}
    </p>
  );
}
