/** History: deposits, swaps and withdrawals of the linked wallets in one list. */
import type { HistoryEntry } from '@flowgate/client';
import { Link } from 'wouter';
import { ButtonLink } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ArrowDownLeft, ArrowUpRight, History } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { TransferState } from '../bridge/transfer-state.tsx';
import { historyLook } from '../bridge/transfer-words.ts';
import { dayRange } from '../ledger/day-range.ts';
import { FilterBar, type FilterChoice, NothingMatches, useWalletChoice } from '../ledger/filter-bar.tsx';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { Party } from '../ledger/party.tsx';
import { TokenAmount } from '../ledger/token-amount.tsx';
import { useAddressFilter } from '../ledger/use-address-filter.ts';

const types = ['deposit', 'swap', 'withdrawal'] as const;
const typeWords: Readonly<Record<HistoryEntry['type'], string>> = {
  ...{ deposit: 'Deposit', swap: 'Swap', withdrawal: 'Withdrawal' },
};

export function HistoryPage() {
  const client = useGateway();
  const { values, set, clear } = useAddressFilter(['kind', 'wallet', 'since', 'until']);
  const wallets = useLinkedWallets();
  const type = types.find((each) => each === values.kind);
  const filter = {
    ...(type !== undefined && { type }),
    ...(values.wallet !== '' && { wallet: values.wallet }),
    ...dayRange(values.since, values.until),
  };
  const query = usePages(['history', filter], (options) => client.history.page({ ...options, filter }));
  const choices: readonly FilterChoice[] = [
    {
      ...{ label: 'Kind', value: type ?? '', options: types.map((each) => [each, typeWords[each]] as const) },
      onChange: (value) => set('kind', value),
    },
    useWalletChoice(values.wallet, (value) => set('wallet', value)),
    { label: 'Since', value: values.since, type: 'date', onChange: (value) => set('since', value) },
    { label: 'Until', value: values.until, type: 'date', onChange: (value) => set('until', value) },
  ];
  const isFiltered = choices.some(({ value }) => value !== '');
  return (
    <div>
      <PageHead title="History" lead="Deposits, swaps and withdrawals of your linked wallets, newest first." />
      <Card flush>
        {(isFiltered || (query.entries ?? []).length > 0) && <FilterBar choices={choices} onClear={clear} />}
        <PagedList
          query={query}
          empty={
            isFiltered ? (
              <NothingMatches icon={History} choices={choices} onClear={clear} />
            ) : (
              <NoHistory hasWallet={wallets?.length !== 0} />
            )
          }
        >
          {(entries) => <HistoryTable entries={entries} />}
        </PagedList>
      </Card>
    </div>
  );
}

const NoHistory = ({ hasWallet }: { readonly hasWallet: boolean }) => (
  <EmptyState
    icon={History}
    title={hasWallet ? 'No activity yet' : 'No linked wallets'}
    {...(!hasWallet && {
      action: (
        <ButtonLink href="/wallets" tone="primary">
          Link wallet
        </ButtonLink>
      ),
    })}
  >
    Deposits, withdrawals and swaps of your linked wallets appear here, including those made before you linked them.
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
      title: 'Amount',
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
    { title: 'Wallet', cell: ({ wallet }) => <Party address={wallet} what="wallet address" /> },
    {
      title: 'Transaction',
      cell: ({ transactions: [first] }) =>
        first === undefined ? '–' : <ShortHash value={first.hash} what="transaction hash" />,
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
