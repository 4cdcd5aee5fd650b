/** History: deposits, swaps and withdrawals of the linked wallets in one list. */
import type { HistoryEntry } from '@flowgate/client';
import { ArrowDownLeft, ArrowUpRight, History } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { TransferState } from '../bridge/transfer-state.tsx';
import { historyLook } from '../bridge/transfer-words.ts';
import { FilterBar, useWalletChoice } from '../ledger/filter-bar.tsx';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { Party } from '../ledger/party.tsx';
import { TokenAmount } from '../ledger/token-amount.tsx';

const types = ['deposit', 'swap', 'withdrawal'] as const;
const typeWords: Readonly<Record<HistoryEntry['type'], string>> = {
  ...{ deposit: 'Deposit', swap: 'Swap', withdrawal: 'Withdrawal' },
};
const noFilter = { type: '', wallet: '', since: '', until: '' };

export function HistoryPage() {
  const client = useGateway();
  const [filter, setFilter] = useState(noFilter);
  const wallets = useLinkedWallets();
  const type = types.find((each) => each === filter.type);
  const query = usePages(['history', filter], (options) =>
    client.history.page({
      ...options,
      filter: {
        ...(type === undefined ? {} : { type }),
        ...(filter.wallet === '' ? {} : { wallet: filter.wallet }),
        // Both exclude the time itself: the first day begins at its midnight here, the last one is whole.
        ...(filter.since === '' ? {} : { after: midnight(filter.since, 0, -1) }),
        ...(filter.until === '' ? {} : { before: midnight(filter.until, 1, 0) }),
      },
    }),
  );
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const clear = () => setFilter(noFilter);
  const wallet = useWalletChoice(filter.wallet, (value) => setFilter({ ...filter, wallet: value }));
  return (
    <div>
      <PageHead title="History" lead="Deposits, swaps and withdrawals of your linked wallets, newest first." />
      <Card flush>
        {(isFiltered || (query.entries ?? []).length > 0) && (
          <FilterBar
            onClear={clear}
            choices={[
              {
                ...{
                  label: 'Kind',
                  value: filter.type,
                  options: types.map((each) => [each, typeWords[each]] as const),
                },
                onChange: (value) => setFilter({ ...filter, type: value }),
              },
              wallet,
              {
                ...{ label: 'Since', value: filter.since, type: 'date' },
                onChange: (since) => setFilter({ ...filter, since }),
              },
              {
                ...{ label: 'Until', value: filter.until, type: 'date' },
                onChange: (until) => setFilter({ ...filter, until }),
              },
            ]}
          />
        )}
        <PagedList
          query={query}
          empty={isFiltered ? <NothingMatches onClear={clear} /> : <NoHistory hasWallet={wallets?.length !== 0} />}
        >
          {(entries) => <HistoryTable entries={entries} />}
        </PagedList>
      </Card>
    </div>
  );
}

/** `day` is `2026-11-23`, in this browser's time zone. */
function midnight(day: string, moreDays: number, moreMs: number): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(new Date(year, month - 1, date + moreDays).getTime() + moreMs).toISOString();
}

const NothingMatches = ({ onClear }: { readonly onClear: () => void }) => (
  <EmptyState icon={History} title="Nothing matches" action={<Button onClick={onClear}>Show all</Button>} />
);

const NoHistory = ({ hasWallet }: { readonly hasWallet: boolean }) => (
  <EmptyState
    icon={History}
    title={hasWallet ? 'Nothing yet' : 'No wallet linked yet'}
    {...(!hasWallet && {
      action: (
        <ButtonLink href="/wallets" tone="primary">
          Link a wallet
        </ButtonLink>
      ),
    })}
  >
    Deposits, withdrawals and swaps of your linked wallets are listed here, including those from before they were
    linked.
  </EmptyState>
);

function HistoryTable({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  const { nameOf } = useNetworkNames();
  const columns: readonly Column<HistoryEntry>[] = [
    {
      title: 'Kind',
      phone: 'head',
      className: 'font-medium',
      cell: (entry) => (
        <>
          {entry.type === 'swap' ? (
            typeWords[entry.type]
          ) : (
            <Link href={`/${entry.type}s/${entry.id}`} className="rounded underline-offset-4 hover:underline">
              {typeWords[entry.type]}
            </Link>
          )}
          <span className="block text-sm font-normal text-soft">{nameOf(entry)}</span>
        </>
      ),
    },
    { title: 'State', cell: (entry) => <TransferState look={historyLook(entry)} /> },
    {
      title: 'Moved',
      cell: ({ sent, received }) =>
        sent === undefined && received === undefined ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="flex flex-col">
            <Moved moved={sent} way="Sent" />
            <Moved moved={received} way="Received" />
          </span>
        ),
    },
    { title: 'Wallet', cell: ({ wallet }) => <Party address={wallet} what="the wallet’s address" /> },
    {
      title: 'Transaction',
      cell: ({ transactions: [first] }) =>
        first === undefined ? '–' : <ShortHash value={first.hash} what="the transaction’s hash" />,
    },
    { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return <DataTable label="History" columns={columns} rows={entries} rowKey={({ id }) => id} />;
}

type MovedProps = { readonly moved: HistoryEntry['sent']; readonly way: 'Sent' | 'Received' };

function Moved({ moved, way }: MovedProps) {
  if (moved === undefined) return null;
  const { amount, token } = moved;
  const { symbol, decimals } = token;
  const Icon = way === 'Sent' ? ArrowUpRight : ArrowDownLeft;
  return (
    <span className="flex items-start gap-1.5">
      <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${way === 'Sent' ? 'text-faint' : 'text-good'}`} />
      <span className="sr-only">{way}:</span>
      <TokenAmount {...{ amount, symbol, decimals }} address={token.address ?? token.l1 ?? token.l2} />
    </span>
  );
}
