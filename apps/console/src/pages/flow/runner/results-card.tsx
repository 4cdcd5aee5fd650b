/** Results of a session: deployed contracts while it runs, and all app events after it ends. Says whether the Contracts page lists each contract. */
import type { FlowEvent } from '@flowgate/client/flow-wire';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card } from '../../../components/card.tsx';
import { inWords } from '../../../format/in-words.ts';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { reportedIn } from './event-log.tsx';
import { FactsList } from './facts-list.tsx';

const platformTypes: readonly string[] = [
  ...['session_created', 'step_submitted', 'session_completed'],
  ...['session_cancelled', 'session_expired', 'session_failed'],
];

const addressForm = /^0x[0-9a-f]{40}$/i;
const maxContracts = 100;

export type ResultsCardProps = {
  readonly events: readonly FlowEvent[];
  /** The session has ended. */
  readonly isOver: boolean;
};

export function ResultsCard({ events, isOver }: ResultsCardProps) {
  const results = events.filter((event) => (isOver ? !platformTypes.includes(event.type) : isDeployment(event)));
  if (results.length === 0) return null;
  return (
    <Card title="Results">
      <ul className="flex flex-col gap-4">
        {results.map((event) => (
          <li key={event.id}>
            <h3 className="font-medium">{inWords(event.type)}</h3>
            {/* Until the session ends, the step itself shows them. */}
            {isOver && <FactsList facts={reportedIn(event.data)} />}
            <ContractLink of={event} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The address of a deployed contract that the event reports. */
function deployedAddress({ type, data }: FlowEvent): string | undefined {
  const { address } = data;
  return typeof address === 'string' && addressForm.test(address) && /deploy/i.test(type) ? address : undefined;
}

const isDeployment = (event: FlowEvent): boolean => deployedAddress(event) !== undefined;

function ContractLink({ of }: { readonly of: FlowEvent }) {
  const client = useGateway();
  const address = deployedAddress(of);
  const { data: isListed } = useQuery({
    queryKey: ['deployed-contracts', 'listed', address],
    queryFn: async ({ signal }) => {
      const page = await client.deployedContracts.page({ limit: maxContracts, signal });
      return page.data.some((each) => each.address.toLowerCase() === address?.toLowerCase());
    },
    enabled: address !== undefined,
  });
  if (address === undefined || isListed === undefined) return null;
  return (
    <p className="mt-2 text-sm text-soft">
      {isListed ? (
        <Link href="/contracts" className="text-accent underline underline-offset-2">
          View it under Contracts
        </Link>
      ) : (
        <>
          This contract is not listed under{' '}
          <Link href="/contracts" className="text-accent underline underline-offset-2">
            Contracts
          </Link>
          . That page lists only deployments sent through this gateway with one of your API keys. Your wallet or the app
          sent this one over its own connection.
        </>
      )}
    </p>
  );
}
