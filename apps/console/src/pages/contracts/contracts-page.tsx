/** Contracts from the configuration, and contracts that the user deployed through the gateway. */
import type { ContractRecord, DeployedContract } from '@flowgate/client';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FileCode2, Rocket } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { inWords } from '../../format/in-words.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { FilterBar, type FilterChoice, NothingMatches } from '../ledger/filter-bar.tsx';
import { useAddressFilter } from '../ledger/use-address-filter.ts';

export function ContractsPage() {
  return (
    <div>
      <PageHead
        title="Contracts"
        lead="Contracts that you deployed through this gateway, and contracts from its operator."
      />
      <div className="flex flex-col gap-6">
        <DeployedCard />
        <NamedCard />
      </div>
    </div>
  );
}

function DeployedCard() {
  const client = useGateway();
  const { values, set, clear } = useAddressFilter(['state']);
  const status = statuses.find((each) => each === values.state);
  const { nameOf } = useNetworkNames();
  const query = usePages(['deployed-contracts', status], (options) =>
    client.deployedContracts.page({ ...options, filter: status === undefined ? {} : { status } }),
  );
  const columns: readonly Column<DeployedContract>[] = [
    {
      title: 'Address',
      phone: 'head',
      cell: ({ address }) => <ShortHash value={address} what="contract address" />,
    },
    { title: 'State', cell: (contract) => <DeploymentState of={contract} /> },
    { title: 'Network', cell: nameOf },
    {
      title: 'Transaction',
      cell: ({ transactionHash }) => <ShortHash value={transactionHash} what="transaction hash" />,
    },
    { title: 'Deployer', cell: ({ deployer }) => <ShortHash value={deployer} what="deployer address" /> },
    { title: 'Block', align: 'right', cell: ({ blockNumber }) => blockNumber?.toLocaleString('en') ?? '–' },
    { title: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  const isFiltered = status !== undefined;
  const choices: readonly FilterChoice[] = [
    { label: 'State', value: status ?? '', options: statusOptions, onChange: (value) => set('state', value) },
  ];
  return (
    <Card title="Deployed by you" flush>
      {(isFiltered || (query.entries ?? []).length > 0) && <FilterBar choices={choices} onClear={clear} />}
      <PagedList
        query={query}
        empty={
          isFiltered ? (
            <NothingMatches icon={Rocket} choices={choices} onClear={clear} />
          ) : (
            <EmptyState icon={Rocket} title="No deployed contracts yet">
              Contracts that you deploy through this gateway with one of your API keys appear here. Deployments that a
              wallet or a Flow App sends over its own connection do not.
            </EmptyState>
          )
        }
      >
        {(contracts) => (
          <DataTable
            label="Deployed contracts"
            columns={columns}
            rows={contracts}
            rowKey={({ dlt, networkId, transactionHash }) => `${dlt}/${networkId}/${transactionHash}`}
          />
        )}
      </PagedList>
    </Card>
  );
}

const statuses = ['pending', 'deployed', 'failed'] as const;
const looks: Readonly<Record<DeployedContract['status'], readonly [Tone, string]>> = {
  pending: ['accent', 'Pending'],
  deployed: ['good', 'Deployed'],
  failed: ['bad', 'Failed'],
};
const statusOptions = statuses.map((status) => [status, looks[status][1]] as const);
const reasons: Readonly<Record<NonNullable<DeployedContract['failureReason']>, string>> = {
  reverted: 'Its constructor reverted',
  replaced: 'Another transaction used its nonce',
  dropped: 'No node has reported it for a day',
};

function DeploymentState({ of: { status, failureReason } }: { readonly of: DeployedContract }) {
  const [tone, text] = looks[status];
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge tone={tone}>{text}</Badge>
      {failureReason !== undefined && <span className="text-sm text-soft">{reasons[failureReason]}</span>}
    </span>
  );
}

function NamedCard() {
  const client = useGateway();
  const query = usePages(['contracts'], (options) => client.contracts.page(options));
  const { nameOf } = useNetworkNames();
  const columns: readonly Column<ContractRecord>[] = [
    {
      title: 'Name',
      phone: 'head',
      className: 'font-medium break-words @4xl:max-w-64',
      cell: ({ name, contractId }) => name ?? contractId,
    },
    { title: 'Role', cell: ({ role }) => inWords(role) },
    { title: 'Network', cell: nameOf },
    { title: 'Address', cell: ({ address }) => <ShortHash value={address} what="contract address" /> },
    { title: 'ID', cell: ({ contractId }) => <code className="wrap-anywhere">{contractId}</code> },
  ];
  return (
    <Card title="From the operator" flush>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={FileCode2} title="No named contracts">
            Tokens, staking contracts and other contracts from the gateway’s configuration appear here.
          </EmptyState>
        }
      >
        {(contracts) => (
          <DataTable
            label="Named contracts"
            columns={columns}
            rows={contracts}
            rowKey={({ contractId }) => contractId}
          />
        )}
      </PagedList>
    </Card>
  );
}
