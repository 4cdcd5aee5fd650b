/** All networks with their state, and the approved providers for users' nodes. */
import type { NetworkRecord } from '@flowgate/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { TextInput } from '../../components/field.tsx';
import { Search } from '../../components/icons.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { NoNetworks } from '../../gateway/no-networks.tsx';
import { networkPath, useNetworks } from '../../gateway/use-networks.ts';
import { NetworkState } from './network-state.tsx';
import { ProvidersCard } from './providers-card.tsx';

/** Longer lists get a search field. */
const maxUnsearched = 10;

export function NetworkList() {
  const { data, error, refetch } = useNetworks();
  const [wanted, setWanted] = useState('');
  const shown = data?.filter((network) => isWanted(network, wanted));
  return (
    <div>
      <PageHead
        title="Networks and nodes"
        lead="All networks of this gateway and their nodes. You can register your own nodes."
      />
      <div className="grid gap-4">
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data !== undefined && data.length > maxUnsearched && (
          <div className="relative max-w-sm">
            <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-faint" />
            <TextInput
              type="search"
              aria-label="Find a network"
              placeholder="Find a network"
              className="pl-9"
              value={wanted}
              onChange={({ target }) => setWanted(target.value)}
            />
          </div>
        )}
        {(data !== undefined || error === null) && (
          <Card flush>
            {shown === undefined && <SkeletonRows rows={3} />}
            {data?.length === 0 && <NoNetworks />}
            {data !== undefined && data.length > 0 && shown?.length === 0 && (
              <EmptyState icon={Search} title="No matching networks" />
            )}
            {shown !== undefined && shown.length > 0 && (
              <DataTable label="Networks" columns={columns} rows={shown} rowKey={networkPath} />
            )}
          </Card>
        )}
        <ProvidersCard />
      </div>
    </div>
  );
}

function isWanted(network: NetworkRecord, wanted: string): boolean {
  const text = `${network.name} ${networkPath(network)} ${network.chainId ?? ''} ${network.family}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const columns: readonly Column<NetworkRecord>[] = [
  {
    title: 'Network',
    phone: 'head',
    className: '@4xl:max-w-80',
    cell: (network) => (
      <span className="block min-w-0">
        <Link
          href={`/networks/${networkPath(network)}`}
          className="font-medium break-words text-accent hover:underline"
        >
          {network.name}
        </Link>
        <span className="block text-xs text-faint">
          <code className="text-xs break-all">{networkPath(network)}</code>
          {network.default && ' · default'}
        </span>
      </span>
    ),
  },
  { title: 'State', cell: (network) => <NetworkState of={network} /> },
  { title: 'Head', align: 'right', cell: ({ blockHeight }) => <Figure of={blockHeight} /> },
  {
    title: 'Healthy nodes',
    align: 'right',
    cell: ({ nodes }) => (
      <span className={nodes.healthy < nodes.total ? 'text-warn' : undefined}>
        {nodes.healthy} of {nodes.total}
      </span>
    ),
  },
  { title: 'Chain ID', align: 'right', cell: ({ chainId }) => chainId ?? <Nothing /> },
  { title: 'Family', cell: ({ family }) => familyNames[family] },
];

export const familyNames: Readonly<Record<NetworkRecord['family'], string>> = {
  evm: 'EVM',
  solana: 'Solana',
  bitcoin: 'Bitcoin',
};

export function Figure({ of, unit = '' }: { readonly of: number | undefined; readonly unit?: string }) {
  return of === undefined ? <Nothing /> : <span className="whitespace-nowrap">{wholeNumber(of) + unit}</span>;
}

const Nothing = () => <span className="text-faint">–</span>;
